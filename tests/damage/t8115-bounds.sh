#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Small files with checks that are right, which ask for much (docs/trace-format.md,
# 6.9): the memory that reading takes stays below 512 MiB, the time of the
# processor below 10 s.  Impossible values are refused, and the file is named.
. "$(dirname "$0")/../lib.sh" bounds-lib

try "600 generations that have lost 4 million paths each" 4 \
	'blocks are missing' lost 600
try "600 journals' paths far behind those before" 4 'killed' \
	crash-buffer 600
try "a name of 100 MB" 4 \
	"rank-000000.*names of 100000004 bytes: more than" names 100000000
try "60 names of 8 MB" 4 "rank-000000.*names of 16000008 bytes: more than" \
	name-blocks 60 8000000
try "2 million names" 4 'rank-000000.*column NAMES is malformed' \
	many-names 2000000
try "20,000 modules" 0 'no names' modules 20000
try "a path of 30 million functions" 4 \
	'rank-000000.*call paths of more than [0-9]* frames' deep 30000000
try "a block of 16 million allocations" 4 'rank-000000.*16777216 events' \
	mallocs 1 16777216
try "1.0 G events" 4 'rank-000000.*16777216 events' pairs 60 16777216
try "columns of 320 MB each" 4 'rank-000000.*column 3 of 335544320 bytes' \
	columns 16777216
done_testing
