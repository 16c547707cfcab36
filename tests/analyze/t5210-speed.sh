#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# wm-analyze needs no more memory for a longer run, and tests/bench/analyzer
# still measures.  The times mean nothing here.
# run: rest
. "$(dirname "$0")/../lib.sh" analyze-lib python3
unset ROUNDS PEERS SCALE LONG OUT

wmcc -O1 -g -static -o churn "$SRC/tests/bench/churn.c"
for pairs in 500000 6000000; do
	WM_DIR=. WM_RUN_ID=$pairs WM_QUIET=1 ./churn.wm $pairs
	for how in written repacked; do
		[ $how-$pairs = repacked-6000000 ] && continue
		[ $how = repacked ] &&
			wm-analyze -q --repack churn.$pairs.wm >/dev/null
		echo "$how $pairs $(heap_of wm-analyze -q -j1 churn.$pairs.wm)"
	done
done >memory
sed 's/^/# /' memory
ok "12 million events take 256 KiB more than one million, at most" awk '
	$1 == "written" { m[$2] = $3 }
	END { exit !(m[500000] > 1000000 &&
		     m[6000000] < m[500000] + 262144) }' memory
ok "a repacked run takes 2 MiB more, at most" awk '
	$2 == 500000 { m[$1] = $3 }
	END { exit !(m["repacked"] > 1000000 &&
		     m["repacked"] < m["written"] + 2097152) }' memory

printf '%s\n' before '<!-- make bench-analyzer: begin -->' old \
	'<!-- make bench-analyzer: end -->' after >doc.md
ok "the measurement runs" env ROUNDS=1 PEERS=0 LONG=0 SCALE=0.002 \
	OUT="$PWD/doc.md" timeout 200 "$SRC/tests/bench/analyzer" --build "$BUILD"
num='[0-9]+\.[0-9]+'
for trace in "W1, as written" "W1, repacked" "W3, as written" "W3, repacked"; do
	like "$trace has a row" "$(grep "^| $trace" doc.md)" \
		"^\\| $trace \\| [0-9,]+ \\| $num \\| $num \\($num-$num\\) \\| $num \\| $num \\|$"
done
is "the rest stays" "$(sed -n '1,2p;$p' doc.md)" \
	"$(printf '%s\n' before '<!-- make bench-analyzer: begin -->' after)"
like "threads are measured" "$(cat doc.md)" "Reading 8 ranks of W1 takes $num s"

done_testing
