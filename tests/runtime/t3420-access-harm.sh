# SPDX-License-Identifier: Apache-2.0
# Hooks in handlers that interrupt hooks, return or leave by longjmp, in forked
# and vfork children; caps, kills, off.
. "$(dirname "$0")/../lib.sh" access-lib

ok "compiles" gcc -O2 -g -fsanitize=thread -c -o alarms.o \
	"$progs/access/alarms.c"

# PROGRAM ARGUMENTS...: it runs as ever, and its trace is whole
whole() {
	local what="$* ${WM_CHILDREN:-}" addresses

	rm -rf run
	is "$what runs" "$(WM_DIR=run timeout $stuck "./$1" "${@:2}")" "0 77 1"
	ok "$what: the trace is whole" "$dump" run/*/rank-000000.wmt.xz --count
	"$dump" run/*/rank-000000.wmt.xz >list
	is "$what: all that came last" "$(grep -c ' w0 [0-9a-f]* 2 ' list)" 7777
	ok "$what: some that came first" [ "$(wc -l <list)" -gt 1000000 ]
	# a stream that is spoiled has addresses that are never accessed
	addresses=$(awk '!($4 in seen) { seen[$4]; n++ } END { print n + 0 }' \
		list)
	ok "$what: nothing else ($addresses addresses)" \
		[ "$addresses" -gt 0 -a "$addresses" -lt 14000 ]
	ok "$what: its blocks are .xz" xz -t run/*/*.xz
}

for kind in static dynamic; do
	ok "links, $kind" access_link $kind gcc $kind alarms.o
	whole $kind
	whole $kind alternative
	whole $kind near
	./$kind locked >out 2>&1
	if [ $? = 9 ]; then
		skip "$kind locked" "mlockall() is refused: ulimit -l"
	else
		whole $kind locked
	fi
	export WM_CHILDREN=1
	whole $kind
	is "$kind: the child has $(find run -name '*child*' | wc -l) trace" \
		"$("$dump" run/*/*child*.wmt.xz | grep -c ' r0 ')" 200000
	unset WM_CHILDREN

	rm -rf run
	is "$kind: off" "$(WM_ACCESS=off WM_DIR=run "./$kind")" "0 77 1"
	is "$kind: off records nothing" "$("$dump" run/*/*.wmt.xz)" ""
	rm -rf run
	is "$kind: disabled" "$(WM_DISABLE=1 WM_DIR=run "./$kind")" "0 77 1"
done

# The trace of a killed process can be read.
rm -rf run
WM_DIR=run ./static >out &
soon eval '[ -s "$(echo run/*/rank-000000.wmt.xz)" ]'
kill -KILL $! 2>/dev/null
wait $! 2>/dev/null
ok "killed: what there is can be read" "$dump" run/*/rank-000000.wmt.xz --count
done_testing
