# SPDX-License-Identifier: Apache-2.0
# Page accesses (WM_PAGES) in static programs: exact against a program that
# says what it touches, memory as without, nothing but the last epoch lost.
# run: long
. "$(dirname "$0")/../lib.sh" python3 jq

build() { # PROGRAM FLAGS...
	ok "$1 builds ${*:2}" wmcc -O1 -g "${@:2}" -pthread -o "$1" \
		"$SRC/tests/progs/pages/$1.c"
}

# The only trace of a directory, as JSON; then against what steps has said.
read_pages() { # DIRECTORY
	"$SRC/tests/tools/wmt-dump" --pages "$1"/*/rank-000000.wmt.xz >dump.json
}

hold() { # DIRECTORY
	read_pages "$1"
	"$SRC/tests/tools/page-epochs" truth dump.json >held
	read -r _ steps _ passes _ looked _ wrong _ reads \
		<<<"$(tail -1 held)"
	[ "$wrong" = 0 ] || sed 's/^/# /' held
}

run() { # DIRECTORY INTERVAL PROGRAM ARGS...
	rm -rf "$1"
	WM_DIR=$1 WM_PAGES=$2 timeout $stuck "./$3.wm" "${@:4}" >out 2>err
}

build steps -static
build changes -static
build look -static
build churn -static
run once 3600000 changes
if grep -q 'WM_PAGES: pages are not followed' err; then
	skip_all "the kernel cannot tell: $(cat err)"
fi

# ---- what it says is true ----
ok "known accesses" run steps 50 steps truth
hold steps
is "six steps" "$steps" 6
ok "passes and epochs lie within them ($passes, $looked)" \
	[ "$passes" -ge 12 -a "$looked" -ge 6 ]
is "each is exact, reads and writes" "$wrong" 0
is "silent" "$(cat err)" ""
ok "the rest of the trace is as ever" \
	wm-analyze --summary steps/steps.*.wm
ok "the trace is xz's" xz -t steps/*/rank-000000.wmt.xz

# ---- reads in each third epoch alone ----
export WM_PAGES_READS=3
ok "reads in each third epoch" run thirds 20 steps truth
hold thirds
ok "epochs lie within steps ($looked, $reads with reads)" \
	[ "$reads" -ge 6 -a "$looked" -gt "$reads" ]
is "each is exact, writes and what was read since" "$wrong" 0
is "two of three say that reads are not known" "$(jq -c \
	'[.epochs[].flags][:6]' dump.json)" '[1,1,0,1,1,0]'
like "--pages says so" "$(wm-analyze --pages thirds/*.wm)" \
	'Reads are known in [0-9]* of the [0-9]* epochs only'
ok "all ways to change memory" run changes 10 changes alone
is "silent" "$(cat err)" ""
export WM_PAGES_READS=0
run wrong 3600000 look
like "a number that makes no sense" "$(cat err)" 'WM_PAGES_READS'
unset WM_PAGES_READS

# ---- an interval is kept to ----
# Faults of new pages come without us, too: they are the program's own time.
# On a busy machine one run's faults may cost twice as much: three have a try.
for try in 1 2 3; do
	ok "pages that come and go" run new 20 churn new
	read_pages new
	half=$(jq '[.epochs[].used] | sort | .[length / 2 | floor] / 1e6 |
		floor' dump.json)
	[ "$half" -ge 36 ] || break
done
ok "pages that come and go: half the epochs of 20 ms have $half or less" \
	[ "$half" -lt 36 ]
ok "pages that are touched again and again" run again 5 churn again
like "what faults of watching add to an epoch is said" \
	"$(wm-analyze --pages again/*.wm)" \
	'epochs of 5 ms of CPU time .[0-9]* with the page faults that watching costs.'

# ---- memory is as without ----
times=$(long_or 12 2)
differs=0
for ((i = 0; i < times; i++)); do
	for interval in 10 3600000; do
		for how in alone threads; do
			run changes $interval changes $how || {
				differs=$((differs + 1))
				sed 's/^/# /' out
			}
			[ ! -s err ] || differs=$((differs + 1000))
		done
	done
done
is "all ways to change memory and to start processes" "$differs" 0
read_pages changes
like "a fork beside threads ends it, and the trace says so" \
	"$(jq -r .end dump.json)" \
	'while it had several threads'

# ---- killed ----
rm -f truth && : >truth
WM_DIR=killed WM_PAGES=50 ./steps.wm truth >out 2>err &
pid=$!
soon eval '[ "$(grep -c end truth)" -ge 3 ]'
# at a moment when the trace lacks some epochs
lacks_some() {
	kill -STOP $pid
	soon grep -q '^State:.T' /proc/$pid/status
	read_pages killed && jq -e '.logged > 0' dump.json && return
	kill -CONT $pid
	return 1
}
ok "epochs are not in the trace yet" soon lacks_some
kill -9 $pid
wait $pid 2>/dev/null
hold killed
ok "killed: epochs are there ($looked)" [ "$looked" -ge 3 ]
is "killed: exact" "$wrong" 0
ok "killed: those that were not in the trace" \
	[ "$(jq .logged dump.json)" -gt 0 ]

# ---- off, and where it cannot be ----
WM_DIR=off ./look.wm >out 2>err
is "off: one thread, nothing mapped" "$(cat out)" "Threads:	1"
ok "on" run look 50 look
like "on: it is mapped" "$(cat out)" mapped
read_pages on
ok "on: static memory that nobody touches takes none" \
	jq -e '[.epochs[].resident] | max < 10000' dump.json

# ---- writes alone ----
build_as() { # NAME SOURCE FLAGS...
	ok "$1 builds" wmcc -O1 -g "${@:3}" -pthread -o "$1" \
		"$SRC/tests/progs/pages/$2.c"
}

writes() { # NAME REASON
	is "$1: one line" "$(wc -l <err)" 1
	like "$1: it says why" "$(cat err)" "only writes are seen.*$2"
	hold "$1"
	ok "$1: passes and epochs lie within steps ($passes, $looked)" \
		[ "$passes" -ge 6 -a "$looked" -ge 6 ]
	is "$1: each is exact" "$wrong" 0
	is "$1: the trace says so" "$(jq -c '[.epochs[].flags] | unique' \
		dump.json)" '[1]'
	like "$1: --pages says so" "$(wm-analyze --pages "$1"/*.wm)" \
		'Reads are not known'
	is "$1: and JSON" "$(wm-analyze --pages --json "$1"/*.wm |
		jq '.pages | .written_alone_epochs == (.epochs | length)')" true
}

build_as dynamic steps
build_as shared changes
ok "dynamic" run linked 50 dynamic truth
writes linked 'linked dynamically'
ok "dynamic: all ways to change memory" run mixed 20 shared threads
rm -rf preloaded
ok "wm-run" bash -c '
	WM_DIR=preloaded WM_PAGES=50 wm-run ./dynamic truth >out 2>err'
writes preloaded 'linked dynamically'
rm -rf limited
ok "a limit that would not hold" bash -c 'ulimit -d 8000000
	WM_DIR=limited WM_PAGES=50 ./steps.wm truth >out 2>err'
writes limited 'ulimit -d'
done_testing
