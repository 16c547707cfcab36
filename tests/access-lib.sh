# SPDX-License-Identifier: Apache-2.0
# Programs whose loads and stores are recorded, linked by hand.
access_lib=$BUILD/lib/wmtools
dump=$BUILD/test/tools/access-dump

# access_link KIND COMPILER OUT OBJECTS-AND-OPTIONS...
# KIND: static or dynamic
access_link() {
	local kind=$1 cc=$2 out=$3 flags=
	shift 3
	[ "$kind" = dynamic ] || flags=--static
	"$cc" $(wm-config $flags --pre-ld-flags) ${flags/--/-} -o "$out" "$@" \
		"$access_lib/wm-access-$kind.o" \
		$(wm-config $flags --post-ld-flags) -lpthread
}
