# SPDX-License-Identifier: Apache-2.0
# --fail-on: limits, exit status, what is said.
# run: quick
. "$(dirname "$0")/../lib.sh" analyze-lib python3

run app.1.wm <<'E'
program app
elf app
id 1
rank 0 of 2
t 1000010 malloc 0x1000 1000 main<solve
t 1000020 malloc 0x2000 500 main<mesh
t 1000030 free 0x1000
end
rank 1 of 2
t 1000010 malloc 0x1000 3000 main<halo
t 1000015 malloc 0x2000 100 main<mesh
t 1000020 free 0x1000
end
E
run clean.2.wm <<'E'
program clean
elf clean
id 2
rank 0 of 1
t 1000010 malloc 0x1000 2000 main<solve
t 1000020 malloc 0x2000 1300 main<mesh
t 1000030 free 0x1000
t 1000040 free 0x2000
end
E
run killed.3.wm <<'E'
program app
id 3
rank 0 of 1
t 1000010 malloc 0x1000 1000 main<solve
E

# gate WANTED-STATUS LIMIT ARGUMENT...
gate() {
	local wanted=$1 limit=$2
	shift 2
	is "$limit: $*" "$(status wm-analyze --fail-on "$limit" "$@")" "$wanted"
}

gate 1 leaks app.1.wm
gate 0 leaks clean.2.wm
run kept.2.wm <<'X'
program kept
elf kept
rank 0 of 1
t 500 malloc 0x9000 5000 _start<__libc_start_main<_dl_new_object
end
X
gate 0 leaks kept.2.wm
gate 1 leaks=599 app.1.wm
gate 0 leaks=600 app.1.wm
gate 0 leaks=1K app.1.wm
gate 1 peak=3099 app.1.wm
gate 0 peak=3100 app.1.wm
gate 0 peak=3.1K app.1.wm
gate 1 peak=3K app.1.wm
gate 1 peak=1G,leaks app.1.wm
gate 1 peak=1K,leaks=1K app.1.wm
gate 0 peak=1G,leaks=1G app.1.wm
is "two options" "$(status wm-analyze --fail-on leaks=1G --fail-on peak=1 \
	app.1.wm)" 1
gate 1 peak=3K --rank 0 app.1.wm
gate 1 growth=199 --compare app.1.wm clean.2.wm
gate 0 growth=200 --compare app.1.wm clean.2.wm
gate 1 growth=6.4% --compare app.1.wm clean.2.wm
gate 0 growth=6.5% --compare app.1.wm clean.2.wm
gate 0 growth=0 --compare clean.2.wm app.1.wm
gate 0 leaks --compare app.1.wm clean.2.wm
gate 1 leaks --compare clean.2.wm app.1.wm

# every report ends so, and is written before
reports >list
while read -r report; do
	s=$(wm-analyze $report --fail-on peak=1K app.1.wm 2>&1 >/dev/null |
		grep -c "not for\|wants\|two runs\|needs\|takes only")
	[ "$s" = 0 ] || continue
	is "$report" "$(status wm-analyze $report --fail-on peak=1K \
		app.1.wm)" 1
	is "$report: within the limit" "$(status wm-analyze $report \
		--fail-on peak=1M app.1.wm)" 0
	for form in "" --json --csv "--format markdown"; do
		is "$report $form is the same with limits" "$(wm-analyze -q \
			$report $form --fail-on peak=1K app.1.wm 2>/dev/null |
			grep -v '^  "gates"\|"gate"' | tr -d ' ,\n]')" \
			"$(wm-analyze -q $report $form app.1.wm 2>/dev/null |
				tr -d ' ,\n]')"
	done
done <list

# with a part of the input
gate 1 peak=999 killed.3.wm
gate 4 peak=1000 killed.3.wm
gate 3 peak=1 nowhere.wm

# what is said
is "who, how much, how much above" \
	"$(wm-analyze -q --fail-on peak=2076 app.1.wm 2>&1 >/dev/null)" \
	"wm-analyze: --fail-on peak=2076: 3.0 KiB at the peak of rank 1,\
 1.0 KiB above the limit; most of it in halo: 2.9 KiB"
is "leaks" "$(wm-analyze -q --fail-on leaks app.1.wm 2>&1 >/dev/null)" \
	"wm-analyze: --fail-on leaks: 600 bytes were never freed; most of it\
 in mesh: 600 bytes"
is "growth" "$(wm-analyze -q --fail-on growth=100 --compare app.1.wm clean.2.wm \
	2>&1 >/dev/null)" "wm-analyze: --fail-on growth=100: 200 bytes more\
 than before, 100 bytes above the limit; most of it in solve: 2.0 KiB"
is_silent "nothing when nothing is exceeded" \
	sh -c "wm-analyze -q --fail-on peak=1G app.1.wm >/dev/null"
is "JSON" "$(json '[[g[k] for k in ("gate","met","bytes","limit_bytes","rank",
	"holder","holder_bytes")] for g in j["gates"]]' --fail-on leaks,peak=4K \
	app.1.wm)" "[['leaks', True, 600, 0, None, 'mesh', 600],\
 ['peak=4K', False, 3100, 4096, 1, 'halo', 3000]]"
is "JSON of --compare" "$(json '[(g["met"],g["bytes"],g["limit_bytes"]) for g in
	j["gates"]]' --compare --fail-on growth=10%,leaks clean.2.wm app.1.wm)" \
	"[(False, 0, 330), (True, 600, 0)]"
is "no key without limits" "$(json '"gates" in j' app.1.wm)" False

for bad in '' , leaks, peak peak= peak=x peak=-1 peak=1X peak=1e999 leaks=x \
	leaks=-1 growth growth= growth=1 growth=5% Leaks peaks=1 \
	peak=1,,leaks "peak=1 leaks" peak=0x1Z; do
	gate 2 "$bad" app.1.wm
done
for bad in growth growth= growth=% growth=-5% growth=5%% growth=x%; do
	gate 2 "$bad" --compare app.1.wm clean.2.wm
done
is "too many" "$(status wm-analyze --fail-on \
	"$(printf 'peak=1,%.0s' {1..40})leaks" app.1.wm)" 2
is "--fail-on without a limit" "$(status wm-analyze app.1.wm --fail-on)" 2
is "not for --repack" "$(status wm-analyze --repack --fail-on leaks \
	app.1.wm)" 2
like "advice" "$(wm-analyze --fail-on growth=1 app.1.wm 2>&1)" \
	'--fail-on growth needs two runs: wm-analyze --compare A B, or --history DIR$'
like "what can be said" "$(wm-analyze --fail-on peak=big app.1.wm 2>&1)" \
	'--fail-on peak=big: not peak=SIZE such as 512M or 1\.5G$'
done_testing
