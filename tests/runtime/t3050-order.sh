# SPDX-License-Identifier: Apache-2.0
# The order of events between threads: in a replay of the trace each release
# meets the very allocation that it met in the program, address by address.
#
# WM_ORDER_EVENTS=50000000 makes the runs at each resolution that long.
. "$(dirname "$0")/../lib.sh"
check=$BUILD/test/tools/order-check
[ -x "$check" ] || skip_all "order-check is not built: make unit-tests"
command -v jq >/dev/null || skip_all "jq is missing"
events=${WM_ORDER_EVENTS:-400000}

# ordered PROGRAM ARGUMENTS...: what the program did, counts, pairs, and what
# it left, is what order-check finds; and so does wm-analyze
ordered() {
	local trace own seen totals
	rm -rf run
	mkdir run
	own=$(WM_DIR=run timeout 300 "$@" | sort) || return
	for trace in run/*/rank-*.wmt.xz run/*/*/rank-*.wmt.xz; do
		[ -e "$trace" ] || continue
		"$check" "$trace" >found || cat found
		cat found >>run/found
		seen+=$(head -1 found)$'\n'
		totals=$(tail -1 found | jq -c '[.all_blocks, .all_bytes, 0, 0]')
		[ "$totals" = "$(wm-analyze --json "$trace" | jq -c '
			[.ranks[0].unfreed_blocks,
			 .ranks[0].unfreed_bytes,
			 .events.unknown_free, .events.conflicts]')" ] ||
			echo "wm-analyze differs: $totals"
	done
	[ "$(printf %s "$seen" | sort)" = "$own" ] || {
		printf '%s\n%s\n' "$own" "$seen"
		return 1
	}
	jq -es 'all(.[] | select(has("ended")); .ended == 1 and
		[.unknown, .conflicts, .unpaired, .dropped] == [0, 0, 0, 0])
		' run/found >/dev/null
}

often() { # N COMMAND...: N times
	local n=$1
	shift
	for ((; n > 0; n--)); do
		"$@" || return
	done
}

for kind in -static ""; do
	name=${kind:-dynamic}
	ok "$name: builds" wmcc -O2 -fno-builtin $kind -pthread -o order \
		"$SRC/tests/progs/order.c"
	for res in "" 1ns 1ms; do
		export WM_TIME_RES=$res
		ok "$name: 8 threads, 70 lives, resolution ${res:-default}" \
			ordered ./order.wm 8 "$events" 10
		ok "$name: threads that come late, 5 times, ${res:-default}" \
			often 5 ordered ./order.wm 8 4000 2
	done
	unset WM_TIME_RES
done
WM_BUFFER=4K ok "small buffers" ordered ./order.wm 8 100000 3
ok "one thread" ordered ./order.wm 1 20000
ok "two threads" ordered ./order.wm 2 200000
ok "40 threads at once" ordered ./order.wm 40 200000 3
export WM_CHILDREN=1 WM_TIME_RES=1ms
ok "a traced child" often 5 ordered ./order.wm 8 20000 2 fork
is "it has a trace" "$(grep -c ended run/found)" 2
done_testing
