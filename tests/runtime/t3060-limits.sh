# SPDX-License-Identifier: Apache-2.0
# Caps and limits: WM_MAX_BYTES, resident memory, rights, address space.
. "$(dirname "$0")/../lib.sh" python3

run() { # COMMAND...: in a fresh run directory
	rm -rf run
	mkdir run
	WM_DIR=$W/run timeout -s KILL 60 "$@" >out 2>err
}

trace() {
	find run -name 'rank-*.xz'
}

info() { # JQ-EXPRESSION on the summary of the trace
	"$dump" --summary "$(trace)" | jq -c "$1"
}

json() { # JQ-EXPRESSION
	wm-analyze --quiet --json "$(trace)" | jq -c "$1"
}

# ---- a cap ----
for kind in -static ""; do
	name=${kind:-dynamic}
	wmcc -O1 -fno-builtin -pthread $kind -o usable "$progs/usable.c"
	for threads in 0 8; do
		what="$name, $threads threads"
		run env WM_MAX_BYTES=64M ./usable.wm $threads x
		whole=$(info '[.info.total, .info.usable_live, .info.capped]')
		read -r live peak <err
		is "$what: below the cap nothing is different" \
			"$(json '[.run.complete, .run.capped_ranks]')" \
			'[true,[]]'
		ok "$what: the totals are those of the program, and libc's" \
			test "$(info '.info | .usable_live >= '"$live"' and
			.usable_live < '"$((live + 8192))"' and
			.usable_peak >= '"$peak"' and
			.usable_peak < '"$((peak + 8192))")" = true
		run env WM_MAX_BYTES=64K WM_BUFFER=8K ./usable.wm $threads
		is "$what: the program ends as ever" $? 0
		ok "$what: the trace is no longer than that" \
			test "$(stat -c %s "$(trace)")" -le 65536
		is "$what: each event is written or counted, and the totals
 go on" "$(info '[.info.total + .info.not_written, .info.usable_live,
			null]')" "$whole"
		is "$what: nothing is odd" "$(info '[.unknown, .conflicts,
			.complete, .info.dropped]')" '[0,0,true,0]'
		like "$what: the line says so" "$(cat err)" \
			'^wmtrace: the trace has reached WM_MAX_BYTES: [0-9]+ e'
		is "$what: the analysis says so" "$(json '[.run.complete,
			(.run.capped_ranks[0] | .rank, .max_bytes,
			.events_not_written > 1000,
			.usable_peak_bytes >= 1000000,
			.usable_end_bytes > 0)]')" \
			'[false,0,65536,true,true,true]'
		for report in summary --functions --timeline --leaks; do
			like "$what: so does $report" "$(wm-analyze \
				${report#summary} "$(trace)" 2>/dev/null)" \
				'capped at 65536 bytes .WM_MAX_BYTES.'
		done
	done
	wmcc -O1 -fno-builtin $kind -DTIMES=200000 -DSIZES=777 \
		-D"END=raise(SIGKILL)" -o killed "$progs/runtime/churn.c"
	run env WM_MAX_BYTES=64K ./killed.wm
	is "$name: a process that is killed after its cap" "$(json \
		'[.run.capped_ranks[0].max_bytes, .events.conflicts]')" \
		'[65536,0]'
done
wmcc -O1 -fno-builtin -static -DTIMES=60000 -DSIZES=13 -o own \
	"$progs/allocators/no_sizes.c" "$progs/runtime/churn.c"
run env WM_MAX_BYTES=64K WM_COMPRESS=store ./own.wm
is "an allocator that cannot tell sizes" "$? $(json \
	'.run.capped_ranks[] | [.usable_peak_bytes, .usable_end_bytes]')" \
	"0 [null,null]"

# ---- resident ----
for kind in -static ""; do
	name=${kind:-dynamic}
	wmcc -O1 -fno-builtin $kind -o touch "$progs/touch.c"
	run env WM_BUFFER=4K ./touch.wm
	is "$name: 98 MB allocated, 10 MB touched" "$(json '[
		.heap.peak.max >= 98000000,
		(.ranks[0] | .peak_rss_bytes > 10000000,
		.peak_rss_bytes < 25000000, .end_rss_bytes <= .peak_rss_bytes,
		.stack_bytes >= 4096, .tool_bytes > 0),
		.memory.rss.max == .ranks[0].peak_rss_bytes]')" \
		'[true,true,true,true,true,true,true]'
	like "$name: in the text" "$(wm-analyze "$(trace)")" \
		'resident .* most in RAM at a time, .* of it the tool.s$'
	is "$name: over time" "$(wm-analyze --timeline --json "$(trace)" |
		jq -c '.timeline[0] | [(.rss_time_s | length) >= 3,
		(.rss_time_s | length) == (.rss_bytes | length),
		.rss_bytes[0] < .rss_bytes[-1] - 5000000,
		(.rss_time_s == (.rss_time_s | sort))]')" \
		'[true,true,true,true]'
done

# ---- rights ----
for kind in -static ""; do
	name=${kind:-dynamic}
	if [ "$(id -u)" != 0 ]; then
		skip "$name: seteuid" "not root"
		continue
	fi
	wmcc -O1 -fno-builtin $kind -o rights "$progs/runtime/rights.c"
	run ./rights.wm
	is "$name: seteuid and back: same end" $? 0
	is "$name: what could not be written is counted, the rest is there" \
		"$(info '[.complete, .counts.CALLOC >= 10000,
		.counts.MALLOC + .counts.FREE + .counts.CALLOC +
		.info.dropped >= 320000, .info.dropped < 200000]')" \
		'[true,true,true,true]'
	like "$name: one line says so" "$(cat err)" \
		'^wmtrace: [0-9]+ events .*permission denied$'
	run ./rights.wm for-ever
	is "$name: setuid: same end" $? 0
	like "$name: setuid: one line says so" "$(cat err)" \
		'^wmtrace: [0-9]+ events .*permission denied$'
	ok "$name: setuid: what was written can be read" \
		test "$(json '.events.malloc > 10000')" = true
done

# ---- memory ----
wmcc -O1 -fno-builtin -static -DTIMES=100000 -DSIZES=1000 -DEND=3 -o touch1 \
	"$progs/runtime/churn.c"
for what in v d; do
	bad=
	for kib in 2000 2500 3000 3500 4000 4500 5000 6000 8000 12000; do
		rm -rf run
		plain=$(ulimit -$what $kib && ./touch1 2>&1; echo $?)
		got=$(ulimit -$what $kib && WM_DIR=run ./touch1.wm 2>&1
			echo $?)
		case $got in
		"$plain") [ "$(json .run.complete 2>&1)" = true ] && continue ;;
		"wmtrace: "*" events of memory use were not recorded: "*"
$plain") continue ;;
		"wmtrace: nothing is traced: the limits on memory leave too little
$plain") continue ;;
		esac
		# the program itself does not fit, with or without us
		[ "$plain" = 3 ] || continue
		bad="$bad $kib: $got;"
	done
	is "ulimit -$what: whole, or counted, and the same end" "$bad" ""
done
done_testing
