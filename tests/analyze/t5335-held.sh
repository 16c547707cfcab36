# SPDX-License-Identifier: Apache-2.0
# Which variables point at large blocks: held.c and held.f90 name them, the
# reports name them, and the program is as without it.
. "$(dirname "$0")/../lib.sh" wmcc-lib jq

export WM_VARIABLES=on

# run PROGRAM ARGS...: into run/, its output into out
run() {
	rm -rf run
	WM_DIR=run "$@" >out 2>err
}

# names [JQ]: of variables that point at blocks at the peak, in one line
names() {
	wm-analyze -q --json run/* >out.json 2>err
	jq -r "[.names[] | select(.from == \"variable\" and .bytes > 0) |
		.name] | sort | join(\" \")" out.json
}

has_no_shared() {
	jq -e '[.names[].name | select(test("shared|several"))] == []' out.json
}

fields=
for i in 0 10 11 12 13 14 15 16 17 18 19 1 20 21 22 23 24 25 26 27 28 29 \
	2 3 4 5 6 7 8 9; do
	fields="$fields field[$i]"
done
all="$fields grid.pressure grid.speed last one rho temp"
all="$all three two u v w"

for how in "-static" "-static-pie -fPIE" "" "-no-pie"; do
	what="gcc $how"
	WM_CC=gcc wmcc $how -g -O1 -fno-builtin "$progs/held.c" -o app
	run ./app.wm
	is "$what: it runs" $? 0
	is "$what: names" "$(names | tr ' ' '\n' | sort | xargs)" \
		"$(echo "$all" | tr ' ' '\n' | sort | xargs)"
	ok "$what: 1 GiB of static memory stays away" test "$(cut -d" " -f1 out)" -lt 60000
	ok "$what: shared by two: none" has_no_shared
	is "$what: of 1 MiB each" "$(jq -c '[.names[] | .bytes |
		select(. > 0)] | unique' out.json)" "[1048576]"
	is "$what: over time each has its 1 MiB, from its allocation on" \
		"$(wm-analyze -q --json --timeline --by names run/* | jq -c '
		[.timeline[0].layers[] | select(.name) | .bytes | max] |
		[length, unique]')" "[$(echo "$all" | wc -w),[1048576]]"
	run ./app.wm reuse
	is "$what: the address came again" "$(cat out)" 1
	is "$what: who keeps an old address has nothing" "$(names)" ""
	run ./app.wm killed
	like "$what: killed: those of the last look" "$(names)" \
		'^field\[0\] .* field\[9\] u$'
	WM_VARIABLES=off run ./app.wm
	is "$what: off" "$(names)" ""
done
run ./app.wm
like "the summary's list has them" "$(wm-analyze run/* 2>/dev/null)" \
	'in field\[0\] 1.0 MiB, field\[10\] 1.0 MiB, .* and 38 more'
like "so has that of functions" "$(wm-analyze --functions run/* 2>/dev/null)" \
	'grid.pressure 1.0 MiB, grid.speed 1.0 MiB, last 1.0 MiB and 8 more'
wm-analyze -q --json run/* >out.json 2>/dev/null
is "JSON has them at the function" "$(jq '[.functions[] |
	select(.name == "make") | .names[]] | length' out.json)" 41
mv run held
cat >alone.c <<'E'
#include <stdlib.h>
double *field;
int main(void)
{
	field = malloc(1 << 20);
	return field == NULL;
}
E
wmcc -g -O1 -static -o alone alone.c 2>/dev/null
run ./alone.wm
for report in --functions --summary; do
	like "$report: a variable that is all of a row, without bytes" \
		"$(wm-analyze $report run/* 2>/dev/null)" '(1 block|in) +field$'
done
rm -rf run
mv held run
cp -r run packed
wm-analyze --repack packed/*/*.wmt.xz >/dev/null 2>&1
wm-analyze -q --json run/* 2>/dev/null | jq .names >before
wm-analyze -q --json packed/* 2>/dev/null | jq .names >after
ok "repacked: the same" cmp before after
mv app.wm gone
like "the program is gone: places" "$(wm-analyze --functions run/* \
	2>/dev/null)" 'app\.wm\+0x[0-9a-f]+ 1.0 MiB'

command -v gfortran >/dev/null || { skip "Fortran" "no gfortran"; done_testing; }
for how in "-static" ""; do
	WM_FC=gfortran wmf90 $how -g -O2 "$progs/held.f90" -o fapp
	run ./fapp.wm
	is "gfortran $how: names" "$(names)" "state::box%flux state::box%heat \
state::u state::v state::view state::w"
done
done_testing
