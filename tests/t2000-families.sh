# SPDX-License-Identifier: Apache-2.0
# Every family is recorded once, with its size: what tests/progs state,
# relative to an empty program, by an independent reader.
. "$(dirname "$0")/lib.sh"
progs=$SRC/tests/progs
dump=$SRC/tests/tools/wmt-dump
command -v python3 >/dev/null || skip_all "python3 is missing"

# build PROGRAM FLAGS...: PROGRAM.wm from tests/progs/PROGRAM.c
build() {
	local p=$1
	shift
	rm -f "$p" "$p.wm"
	wmcc -O1 -g -fno-builtin "$@" -o "$p" "$progs/$p.c" 2>build.log
}

# run PROGRAM ARGS...: its one trace's summary into $p.json
run() {
	local p=$1 status
	rm -rf run
	WM_DIR=run "./$p.wm" "${@:2}" >out 2>err
	status=$?
	"$dump" --summary run/*/rank-000000.wmt.xz >"$p.json" || return 99
	return $status
}

get() { # PROGRAM JQ-EXPRESSION
	jq -r "$2" "$1.json"
}

# minus PROGRAM KIND: events of this kind beyond those of empty
minus() {
	echo $(($(get "$1" ".counts.$2") - $(get empty ".counts.$2")))
}

for kind in -static "-static-pie -fPIE" "-pie -fPIE" -no-pie; do
	# shellcheck disable=SC2086
	ok "$kind: empty builds" build empty $kind
	ok "$kind: empty runs" run empty
	# shellcheck disable=SC2086
	ok "$kind: families builds" build families $kind
	ok "$kind: families runs" run families
	is "$kind: families is silent" "$(cat out err)" ""
	counts=
	for k in MALLOC CALLOC REALLOC_OUT REALLOC_IN REALLOC_GONE \
		REALLOC_NEW ALIGNED FAILED FREE; do
		counts="$counts $k=$(minus families $k)"
	done
	is "$kind: each call once" "$counts" " MALLOC=3 CALLOC=1\
 REALLOC_OUT=3 REALLOC_IN=2 REALLOC_GONE=1 REALLOC_NEW=2 ALIGNED=5 FAILED=3\
 FREE=9"
	is "$kind: high-water mark" \
		"$(($(get families .peak) - $(get empty .peak)))" 10012
	is "$kind: unfreed bytes" "$(($(get families .unfreed_bytes) - \
		$(get empty .unfreed_bytes)))" 4096
	is "$kind: no release of a block never seen" \
		"$(get families .unknown)" 0
	is "$kind: no allocation at a live address" \
		"$(get families .conflicts)" 0
	is "$kind: complete" "$(get families .complete)" true

	# shellcheck disable=SC2086
	ok "$kind: early builds" build early $kind
	ok "$kind: early runs, all descriptors closed, elsewhere" run early
	is "$kind: before main and after it" \
		"$(minus early MALLOC) $(minus early FREE)" "2 1"
	is "$kind: what the handler kept" "$(($(get early .unfreed_bytes) - \
		$(get empty .unfreed_bytes)))" 2222
done

# What is counted at exit is everything: no event is dropped, and END agrees.
is "END counts what the blocks hold" "$(get families .info.total)" \
	"$(get families '[.counts[]] | add')"
done_testing
