# SPDX-License-Identifier: Apache-2.0
# wm-analyze against an independent replay (tests/tools/oracle.py) on random
# descriptions: one to five threads whose clocks disagree, realloc in all its
# forms, lost halves, unknown frees, several ranks, killed processes.
# WM_SEEDS sets how many.
# run: long
. "$(dirname "$0")/../lib.sh" python3

n=${WM_SEEDS:-$(long_or 1000 100)}
out=$(python3 "$SRC/tests/tools/oracle.py" "$BUILD/test/tools/wmt-make" \
	"$BUILD/bin/wm-analyze" 1 "$n" 2>&1)
is "an independent replay agrees on $n random runs" "$out" \
	"$n seeds, 0 differences"

# A realloc whose second half is lost, and whose address another thread has got:
# what the oracle once put at another time.
for seed in 427 652 920 1179 1510 1720 2020 2753; do
	is "it agrees on run $seed" "$(python3 "$SRC/tests/tools/oracle.py" \
		"$BUILD/test/tools/wmt-make" "$BUILD/bin/wm-analyze" \
		"$seed" "$seed" 2>&1)" "1 seeds, 0 differences"
done

# The oracle sees a difference: an analyzer that is off by one byte.
cat >off <<'E'
#!/bin/bash
"$BUILD/bin/wm-analyze" "$@" | sed 's/"max": \([0-9]*\)/"max": 1\1/'
exit ${PIPESTATUS[0]}
E
chmod +x off
not_ok "the oracle sees a wrong peak" python3 "$SRC/tests/tools/oracle.py" \
	"$BUILD/test/tools/wmt-make" ./off 1 5
done_testing
