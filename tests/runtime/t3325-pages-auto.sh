# SPDX-License-Identifier: Apache-2.0
# WM_PAGES=auto of a program that begins with many cheap epochs, and then uses
# 64 MiB at random: its work is not one epoch, or the report says so.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/analyze-lib.sh"
ok "it links" wmcc -O1 -g -static -o app "$progs/pages/late_work.c"
WM_DIR=run WM_PAGES=auto ./app.wm 1000 1000 >out 2>&1
grep -q "not followed\|writes alone" out &&
	skip_all "the kernel can not tell: $(cat out)"
like "it runs as ever" "$(cat out)" "^[01]$"
of_work=$(json 'sum(e["accessed"] > 16000 for e in j["pages"]["epochs"])' --pages run/*)
longest=$(json 'int(j["pages"]["longest_epoch_percent"])' --pages run/*)
echo "# $of_work epochs of its work, the longest has $longest %"
bounds=$(wm-analyze --pages run/* | grep -c "covers $longest.* answers about that time are bounds")
if [ "$longest" -lt 20 ]; then
	ok "no long epoch, and several of its work" [ "$of_work" -ge 3 ]
	is "nothing is said" "$bounds" 0
else
	# faults cost several times as much here as they usually do
	ok "epochs of its work" [ "$of_work" -ge 1 ]
	is "the report says that answers are bounds" "$bounds" 1
fi
done_testing
