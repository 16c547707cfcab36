#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# --tree and exports of a call path with 150,000 different functions, in a file
# of a few KiB: the work grows with the length of the path, not with its square,
# and no form of it needs a stack or an output without bound.
. "$(dirname "$0")/../lib.sh" analyze-lib python3
levels=$(sed -n 's/#define WM_TREE_LEVELS //p' "$SRC/analyze/answers/heap/tree.h")
n=150000

"$SRC/tests/tools/hostile" deep $n
like "a small file" "$(stat -c %s deep.1.wm/*.xz)" '^[0-9]{3,4}$'

# The time is that of the processor, which load does not change.
for form in "" --json --csv "--svg out.svg" --bottom-up; do
	(ulimit -t 20; wm-analyze -q --tree $form deep.1.wm >out 2>err)
	is "--tree $form: done in 20 s" "$?" 0
	[ "$(stat -c %s out)" -lt 8000000 ]
	tap_result $? "--tree $form: less than 8 MB"
done
cat >nodes.py <<'E2'
import csv, sys
rows = list(csv.DictReader(sys.stdin))
levels = int(sys.argv[1])
print(max(int(r["depth"]) for r in rows) == levels,
      # all that lies deeper counts for the last level
      [(int(r["depth"]), int(r["self_bytes"])) for r in rows
       if int(r["self_bytes"])] == [(levels, 1000), (4, 24)],
      rows[0]["bytes"])
E2
is "deeper levels count for the last one" "$(wm-analyze -q --tree --csv \
	deep.1.wm | python3 nodes.py $levels)" "True True 1024"
# exports, which have lines or rows of their own kind
for format in folded speedscope pprof massif csv; do
	(ulimit -t 20; ulimit -f 100000; wm-analyze -q --export $format \
		--output "out.$format" deep.1.wm >out 2>err)
	is "--export $format: done in 20 s, less than 100 MB" "$?" 0
done
done_testing
