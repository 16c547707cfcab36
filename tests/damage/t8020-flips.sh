# SPDX-License-Identifier: Apache-2.0
# Every bit of a trace with pages, by WM_PAGES and by WM_ACCESS=pages: the reader
# notices it, and no report or export prints anything else without saying so.
. "$(dirname "$0")/../lib.sh" analyze-lib

# The descriptions that fuzzing begins with, too.
sed -n '/^pages_run()/,/^}/p; /^touched_run()/,/^}/p' "$SRC/tests/fuzz/seeds" >kinds
. ./kinds

for kind in pages touched; do
	{ ${kind}_run; echo end; } | run "$kind.1.wm"
	"$BUILD/test/tools/flips" "$kind.1.wm" 16 >out 2>&1
	like "$kind: the reader notices each flipped bit" "$(grep ^bits out)" \
		"^bits [0-9]{4,} unnoticed 0$"
	like "$kind: each report and export prints the same, or reports the damage" \
		"$(grep -v ^bits out)" "^reports [0-9]{2,} runs [0-9]{4,} silent 0$"
done
done_testing
