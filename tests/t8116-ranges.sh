#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Small files with many mappings, stacks and threads, in the order that costs
# most (docs/trace-format.md, 6.9).
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/bounds-lib.sh"

try() { # DESCRIPTION STATUS PATTERN WHAT...
	local what=$1 status=$2 pattern=$3
	shift 3
	small_run "$@"
	bounded "$what" "$status" "$pattern" wm-analyze "$1".1.wm
}
try "a million mappings at falling addresses" 0 '' maps 1000000
like "all of them count" "$(wm-analyze maps.1.wm)" \
	'highest .* 1,000,000 '
try "4 million mappings" 3 'rank-000000.*blocks are alive.*--max-blocks' \
	maps 4000000
try "the ends of a million stacks" 0 '' stacks 1000000
try "mremap of 100,000 mappings that fails 1,000 times" 3 \
	'rank-000000.*mremap that failed were given more than 10000000' \
	moved 100000 1000
try "1,000 threads wait, one works" 0 '' waits 1000 100
try "1,000 threads are woken often" 3 \
	'rank-000000.*threads wait for each other more than 12000000 times' \
	wakes 1000
try "1,000 threads at one time" 0 '' open-threads 1000 2
try "500 threads with long columns" 3 \
	'rank-000000.*threads that run at one time need more than 384 MiB' \
	open-threads 500 15000
done_testing
