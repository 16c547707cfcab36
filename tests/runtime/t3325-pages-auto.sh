# SPDX-License-Identifier: Apache-2.0
# What watching pages costs, and WM_PAGES=auto, which bounds it: of a program that
# begins with many cheap epochs, and then uses 64 MiB at random: its work is not
# one epoch, or the report says so.
. "$(dirname "$0")/../lib.sh" analyze-lib
ok "it links" wmcc -O1 -g -static -o app "$progs/pages/late_work.c"
WM_DIR=run WM_PAGES=auto ./app.wm 1000 1000 >out 2>&1
grep -q "not followed\|only writes" out &&
	skip_all "the kernel cannot tell: $(cat out)"
like "it runs as ever" "$(cat out)" "^[01]$"
of_work=$(json 'sum(e["accessed"] > 16000 for e in j["pages"]["epochs"])' --pages run/*)
longest=$(json 'int(j["pages"]["longest_epoch_percent"])' --pages run/*)
echo "# $of_work epochs of its work, the longest has $longest %"
bounds=$(wm-analyze --pages run/* | grep -c "covers .* answers about that time are bounds")
if [ "$longest" -lt 20 ]; then
	ok "no long epoch, and several of its work" [ "$of_work" -ge 3 ]
	is "nothing is said" "$bounds" 0
else
	# faults cost several times as much here as they usually do
	ok "epochs of its work" [ "$of_work" -ge 1 ]
	is "the report says that answers are bounds" "$bounds" 1
fi
first_line() { wm-analyze --pages "$@" | sed -n 2p; }
like "the first line has a cost with auto, too" "$(first_line run/*)" \
	"watching took [0-9.]+( to [0-9.]+)? % of the CPU time, [0-9.]+ us a page"
is "which is below the most that it may be" \
	"$(json 'j["pages"]["cost_percent"] <= 25 or j["pages"]["cost_percent"]' --pages run/*)" True

# Page faults of watching are those that the kernel has counted.  A small block:
# where faults are slow, an epoch of 20 ms takes as long as its pages' faults do.
ok "it links" wmcc -O1 -g -static -o steady "$progs/pages/steady_work.c"
WM_DIR=steady.run WM_PAGES=20 ./steady.wm 8 60 >watched
read -r _ faults <watched
is "each page fault of watching is counted ($faults with those of the start)" \
	"$(json "0 <= $faults - j['pages']['cost']['faults'] < 3000 or j['pages']['cost']" \
		--pages steady.run/*)" True

# One epoch costs more than a fifth of this run: what was given up is said.
WM_DIR=dear.run WM_PAGES=auto ./steady.wm 400 10 >out
longest=$(json 'int(j["pages"]["longest_epoch_percent"])' --pages dear.run/*)
like "what auto gave up where it cannot have both ($longest %)" \
	"$(wm-analyze --pages dear.run/* | sed -n 3,4p | tr '\n' ' ')" \
	"covers [0-9]+ %.* bounds +WM_PAGES=auto (made epochs this long|could keep neither)"
done_testing
