# SPDX-License-Identifier: Apache-2.0
# What the runtime tells of words that point at large blocks (held.c): in
# traces, as wmt-dump reads them, and what that does to the program.
. "$(dirname "$0")/../lib.sh" wmcc-lib python3

export WM_VARIABLES=on

# run PROGRAM ARGS...: its trace as text in dump.txt
run() {
	rm -rf run
	WM_DIR=run "$@" >out 2>err
	"$dump" run/*/rank-000000.wmt.xz >dump.txt
}

# held: words in dump.txt that have the address of a live block
held() {
	awk '$3 == "MALLOC" { at[$4] = 1 } $3 == "FREE" { delete at[$4] }
		$3 == "HELD" { n += $4 in at } END { print n + 0 }' dump.txt
}

# tables: KiB of tables of pages at the end, as the program says
tables() {
	awk 'END { print $2 }' out
}

for how in "-static" ""; do
	what="gcc $how"
	WM_CC=gcc wmcc $how -O1 -fno-builtin "$progs/held.c" -o app
	run ./app.wm
	is "$what: silent" "$(cat err)" ""
	is "$what: words that point at blocks" "$(held)" 43
	is "$what: each after its name" "$(awk '$3 == "HELD" &&
		last != "HOLDER" { n++ } { last = $3 } END { print n + 0 }' \
		dump.txt)" 0
	like "$what: a place and a build-id" "$(awk '$3 == "HOLDER" { print $4
		exit }' dump.txt)" '^static:[0-9a-f]+@[0-9a-f]{16}$'
	on=$(tables)
	WM_VARIABLES=off run ./app.wm
	is "$what: off: none" "$(grep -c ' HELD ' dump.txt)" 0
	ok "$what: no page of sparse static memory is made" \
		test $((on - $(tables))) -lt 40
	WM_VARIABLES=sometimes run ./app.wm
	like "$what: a bad value" "$(cat err)" \
		"WM_VARIABLES='sometimes' is neither on nor"
	WM_SUMMARY=1 run ./app.wm
	is "$what: with totals of usable bytes, too" \
		"$(held)" 43
done
# looks are calls that its filter does not know: only when asked for
for how in "-static" ""; do
	wmcc $how -O1 -fno-builtin "$progs/confined.c" -o confined
	unset WM_VARIABLES
	if ./confined >out 2>&1; then
		run ./confined.wm
		is "confined $how: lives as without" "$(cat out)" "alive"
	else
		skip "confined $how" "no seccomp filters here"
	fi
	export WM_VARIABLES=on
done
WM_CC=gcc wmcc -static -O1 "$progs/held.c" -o app
WM_PAGES=5 run ./app.wm
is "WM_PAGES: none, for a look would be an access" \
	"$(grep -c ' HELD ' dump.txt)" 0
done_testing
