#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Small files with many mappings, stacks and threads, in the order that costs
# most (docs/trace-format.md, 6.9).
. "$(dirname "$0")/../lib.sh" bounds-lib

try "a million mappings at falling addresses" 0 '' maps 1000000
like "all of them count" "$(wm-analyze maps.1.wm)" \
	'highest .* 1,000,000 '
try "4 million mappings" 3 'rank-000000.*blocks are alive.*--max-blocks' \
	maps 4000000
try "the ends of a million stacks" 0 '' stacks 1000000
try "mremap of 100,000 mappings that fails 1,000 times" 3 \
	'rank-000000.*mremap that failed were given more than 10000000' \
	moved 100000 1000
try "1,000 threads wait, one works" 0 '' waits 1000 400
try "1,000 threads are woken often" 3 \
	'rank-000000.*threads wait for each other more than 12000000 times' \
	wakes 1000
try "1,000 threads at one time" 0 '' open-threads 1000 2
try "500 threads with long columns" 3 \
	'rank-000000.*threads that run at the same time needs [0-9]* MiB or more' \
	open-threads 500 15000
"$SRC/tests/tools/hostile" open-threads 10000 2
bounded "10,000 threads at one time, 2.7 MB" 0 '' \
	wm-analyze open-threads.1.wm
"$SRC/tests/tools/hostile" open-threads 4000 600
bounded "4,000 threads in the middle of their blocks, 2.3 MB" 3 \
	'threads that run at the same time needs 3[0-9]* MiB or more.*--max-blocks' \
	wm-analyze open-threads.1.wm
wm-analyze --max-blocks 20000000 open-threads.1.wm >out 2>/dev/null
is "an option lifts that" $? 0
like "all of them are read" "$(cat out)" 'highest .* 240,000,200 '
done_testing
