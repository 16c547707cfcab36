# SPDX-License-Identifier: Apache-2.0
# --accesses: hot and cold members of static structures, of which every number
# is known, and the structures that had better be split.
. "$(dirname "$0")/../lib.sh" analyze-lib

export WMCC_ACCESS=1 WM_DIR=run
ok "the program is built" \
	wmcc -g -O1 -static -o hot "$progs/access/hot.c"
ok "and runs" ./hot.wma
find_structure="next(s for s in j['accesses']['structures'] if s['variable'] =="

of() { # VARIABLE: its members
	json "[(m['member'], m['offset'], m['member_bytes'], m['loads'],
		m['stores'], m['bytes'], m['cold'])
		for m in $find_structure '$1')['members']]" --accesses run/*
}
split() { # VARIABLE
	json "[$find_structure '$1')[k] for k in ('elements', 'element_bytes',
		'accesses', 'unsure', 'hot_bytes', 'lines', 'lines_apart')]" \
		--accesses run/*
}

is "members" "$(of cells)" "[('x', 0, 8, 3000, 0, 24000, False), \
('y', 8, 8, 0, 3000, 24000, False), ('name', 16, 32, 0, 0, 0, True), \
('mass', 48, 8, 3000, 0, 24000, False), ('id', 56, 8, 0, 100, 800, True)]"
is "apart" "$(split cells)" "[100, 64, 9100, 0, 24, 64, 24]"
is "shares" "$(json "[m['share'] for m in $find_structure 'cells')['members']]" \
	--accesses run/*)" "[32.967, 32.967, 0.0, 32.967, 1.099]"
is "a union stays" "$(of words)" "[('number', 0, 8, 0, 3000, 24000, False), \
('letter', 0, 8, 0, 3000, 24000, False), \
('half', 0, 8, 0, 3000, 24000, False)]"
is "all of it" "$(split words)" "[100, 8, 3000, 0, None, None, None]"
is "what may be of any member keeps all of them" "$(of mixed)" \
	"[('first', 0, 8, 0, 0, 0, False), \
('second', 8, 8, 0, 3000, 24000, False), ('never', 16, 8, 0, 0, 0, False)]"
is "and is told" "$(split mixed)" "[100, 24, 3300, 300, None, None, None]"
is "one structure is not split" "$(split one)" \
	"[1, 64, 200, 0, None, None, None]"

is "nothing is won by a split" "$(split wide)" \
	"[10, 256, 800, 0, None, None, None]"

text=$(wm-analyze -q --accesses --by member run/*)
like "text: a member" "$text" " 3,000 +0 +23\.4 KiB +33\.0 % +0 +8 +x"
like "text: the split" "$text" "cells: 24 of 64 bytes are hot: x, y, mass
    apart: name, id; 64 elements are then 24 lines of 64 bytes instead of 64"
is "no other" "$(grep -c 'bytes are hot' <<<"$text")" 1

done_testing
