# SPDX-License-Identifier: Apache-2.0
# How processes begin and end, and on which stacks and descriptors they run.
. "$(dirname "$0")/../lib.sh" python3

run() { # COMMAND...: in a fresh run directory
	rm -rf run
	mkdir run
	WM_DIR=$W/run timeout -s KILL $stuck "$@" >out 2>err
}

summary() { # JQ-EXPRESSION [FILE]: on a trace, the only one by default
	timeout $stuck "$dump" --summary \
		"${2:-$(find run -name 'rank-*.xz')}" | jq -c "$1"
}

# ---- filters of system calls ----
for kind in -static ""; do
	name=${kind:-dynamic}
	wmcc -O1 $kind -o filtered "$progs/runtime/filtered.c"
	for call in waitid:247 process_vm_readv:310; do
		run ./filtered.wm "${call#*:}"
		status=$?
		[ $status != 77 ] || { skip "$name, ${call%:*}" "no filters"; continue; }
		is "$name: a filter that kills at ${call%:*} does not at the end" \
			"$status $(summary '[.ended, .events]' 2>/dev/null |
				grep -c .)" "0 1"
	done
done

# ---- descriptors ----
for kind in -static ""; do
	name=${kind:-dynamic}
	wmcc -O1 -fno-builtin $kind -pthread -o closer "$progs/runtime/closer.c"
	rm -f theirs
	ok "$name: a thread closes all descriptors" \
		run env WM_BUFFER=4K ./closer.wm
	is "$name: its own files get no byte of ours" "$(wc -c <theirs)" 0
	is "$name: every event is there or is counted, and tracing goes on" \
		"$(summary "[.complete, .counts.CALLOC >= 10000,
		.counts.MALLOC + .counts.FREE + .info.dropped >=
		$(cat out) * 2]")" '[true,true,true]'
done

# ---- small stacks ----
for kind in -static ""; do
	name=${kind:-dynamic}
	wmcc -O1 -g -fno-builtin $kind -o coroutine "$progs/coroutine.c"
	for u in table libunwind check; do
		ok "$name: a coroutine on 4 KiB, WM_UNWIND=$u" run env \
			WM_UNWIND=$u WM_BUFFER=4K ./coroutine.wm
		is "$name: each event of it, $u" \
			"$(summary '[.counts.MALLOC >= 20000, .complete,
			.unknown]')" '[true,true,0]'
	done
done

# ---- ends and children ----
traces() { # how many there are
	find run -name 'rank-*.xz' | wc -l
}

each() { # JQ-EXPRESSION on the JSON of every trace, in order of names
	find run -name 'rank-*.xz' | sort | while read -r f; do
		wm-analyze --quiet --json "$f" | jq -c "$1"
	done | paste -sd ' '
}

for kind in -static ""; do
	name=${kind:-dynamic}
	for p in fork_threads fork_in_handler; do
		wmcc -O1 -fno-builtin $kind -pthread -DFORKS=50 -o $p \
			"$progs/runtime/$p.c"
		ok "$name: WM_CHILDREN=1, $p" \
			run env WM_CHILDREN=1 WM_BUFFER=4K ./$p.wm
		is "$name: $p: all of at least 40 traces are whole" \
			"$(($(traces) > 40)) $(each '[.run.complete,
			.events.unknown_free, .events.conflicts]' |
			tr ' ' '\n' | sort -u)" "1 [true,0,0]"
	done
	wmcc -O1 -fno-builtin $kind -pthread -o main_first \
		"$progs/runtime/main_first.c"
	ok "$name: the main thread ends first" run ./main_first.wm
	is "$name: the end of the trace tells resident memory" \
		"$(each '.memory.rss.max >= 16777216')" true
	ok "$name: life builds" wmcc -O1 -g -fno-builtin $kind -o life \
		"$progs/life.c"
	for how in exit _exit quick_exit longjmp others; do
		./life $how >/dev/null 2>&1
		want=$?
		run ./life.wm $how
		is "$name: $how: the same fate" $? $want
		is "$name: $how: one trace, whole" \
			"$(each '.run.complete and .events.malloc >= 1000')" \
			true
	done
	is "$name: what a vfork child and its parent do is all there" \
		"$(summary '.counts.MALLOC >= 1110')" true
	for how in abort segv exec; do
		./life $how >/dev/null 2>&1
		want=$?
		run ./life.wm $how
		is "$name: $how: the same fate" $? $want
		# (true as well where the file system has no window)
		is "$name: $how: one trace, and every event" "$(traces) $(each \
			'.events.malloc >= 1000 or .run.lost_end_ranks == [0]')" \
			"1 true"
	done

	run ./life.wm child
	is "$name: children are not traced unasked" "$? $(traces)" "0 1"
	run env WM_CHILDREN=1 ./life.wm child
	is "$name: WM_CHILDREN=1: parent, child and grandchild" \
		"$? $(traces)" "0 3"
	is "$name: each has its own events" "$(each '[.run.complete,
		.events.calloc, .events.inherited_free, .events.unknown_free]')" \
		"[true,0,1,0] [true,1,0,0] $(each '[.run.complete,
		.events.calloc, 0, 0]' | awk '{print $3}')"
	is "$name: the child of 500 blocks" "$(each '.events.malloc >= 500 and
		.events.malloc < 1000')" "true false false"
	is "$name: children are listed, and are no ranks" "$(wm-analyze \
		--json run/*.wm | jq -c '[.run.ranks, .run.complete,
		(.run.children | length), .run.children[0].rank,
		(.run.children[0].file | test("child-[0-9]+.wmt.xz$"))]')" \
		'[1,true,2,0,true]'
	like "$name: in the text, too" "$(wm-analyze run/*.wm)" \
		'^2 forked children, counted only in what to ask for'
	for f in run/*.wm/*.child-*; do
		pid=${f#*.child-}
		is "$name: PID and PARENT" "$(summary '.info |
			[.pid, .parent != null]' "$f")" "[${pid%%.*},true]"
	done

	run ./life.wm daemon done
	soon [ -e done ]
	soon eval '[ "$(traces)" = 2 ] && xz -t run/*.wm/*.xz'
	sleep 0.2
	rm -f done
	is "$name: daemon: parent and child, not the child's child" \
		"$(traces)" 2
	is "$name: daemon: both are whole" "$(each '[.run.complete,
		.events.malloc >= 2000]')" "[true,true] [true,false]"

	run ./life.wm again
	is "$name: exec of another traced program" "$? $(traces)" "3 2"
	is "$name: nothing is overwritten" "$(find run -name '*.2.wmt.xz' |
		wc -l) $(each .run.complete | tr ' ' '\n' | grep -c true)" "1 1"
done
done_testing
