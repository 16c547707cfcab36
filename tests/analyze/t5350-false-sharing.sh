# SPDX-License-Identifier: Apache-2.0
# --false-sharing: counters of several threads in one line are found, those with
# a line of their own are not, nor what one thread fills in for others.
. "$(dirname "$0")/../lib.sh" analyze-lib
export WM_CC=gcc WMCC_ACCESS=1 WM_ACCESS_CACHE=$W/cache

# Those that people are told: variables, lines, moves of one line in thousands,
# threads (4: with main, which sums up, it may be 5).
found() { # KEY
	json "[(r['variable'], r['other_variable'], r['lines'],
		round(r['line_moves'] / 1000), min(r['threads'], 4))
		for r in j['sharing']['$1'] if r['line_moves'] >= 100]" \
		--false-sharing run/*
}

# NAME FLAGS...
trace() {
	local name=$1
	shift
	rm -rf run
	ok "$name compiles" wmcc -g -static -o counters "$@" \
		"$progs/access/counters.c" -Wl,-u,pthread_mutex_destroy
	ok "$name runs" env WM_DIR=run timeout 100 ./counters.wma
}

for threads in -fopenmp -pthread; do
	for level in -O0 -O2; do
		trace "$threads $level" $threads $level
		# 4 threads, 10,000 times a load and a store each
		is "$threads $level: the line of the counters" \
			"$(found false_sharing)" \
			"[('counters', 'counters', 1, 80, 4)]"
		is "nothing else" "$(found true_sharing)" "[]"
		trace "$threads $level with padding" $threads $level -DPAD
		is "$threads $level: nothing" \
			"$(found false_sharing) $(found true_sharing)" "[] []"
	done
done

trace "once more" -fopenmp -O0
is "who: threads, bytes, where" "$(json '
sorted({(p["from"], p["to"], p["loads"] + p["stores"], p["function"],
	p["part_variable"])
	for p in j["sharing"]["false_sharing"][0]["parts"]})' \
	--false-sharing run/*)" \
	"[(0, 7, 10000, 'count', 'counters'), (8, 15, 10000, 'count', 'counters'), \
(16, 23, 10000, 'count', 'counters'), (24, 31, 10000, 'count', 'counters')]"
like "text" "$(wm-analyze -q --false-sharing run/*)" \
	"counters  counters.c:[0-9]+ +1 +(79,999|80,0..) +(79,999|80,0..) +[45]"
like "where" "$(wm-analyze -q --false-sharing run/*)" \
	" 8..15 +10,000 +0  count  counters.c:[0-9]+"
is "lines of 8 bytes: nothing" "$(json '[r for r in
j["sharing"]["false_sharing"] if r["line_moves"] >= 100]' \
	--false-sharing --line 8 run/*)" "[]"
is "CSV" "$(wm-analyze -q --false-sharing --csv run/* | head -2 |
	cut -d, -f1,2,5)" "kind,lines,threads
false,1,4"
done_testing
