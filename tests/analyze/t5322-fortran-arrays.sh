# SPDX-License-Identifier: Apache-2.0
# --accesses: memory of an allocatable array has the name of the module variable
# that describes it.
. "$(dirname "$0")/../lib.sh" analyze-lib
need gfortran

export WMCC_ACCESS=1 WM_DIR=.
bring access/arrays.f90

stores() { # RUN: of each block what stored it, in order of names
	json "' '.join(sorted('%s %d' % (r['variable'], r['stores']) for r in
		j['accesses']['variables'] if r['kind'] == 'heap' and r['stores'] and
		r['variable'].startswith(('fields::', 'MAIN', 'fill', 'arrays'))))" \
		--accesses "$1" | sed 's/arrays:://' | xargs -n2 | sort | xargs
}

for how in "-O0" "-O2" "-O2 -static"; do
	rm -rf arrays.wma.*.wm
	ok "$how: the program is built" wmf90 -g $how -o arrays arrays.f90
	is "$how: and runs as ever" "$(./arrays.wma)" "$(./arrays)"
	is "$how: arrays by name, others by site" "$(stores arrays.wma.*.wm)" \
		"MAIN__::parts(step)%piece 4 fields::border 7 fields::cell 150 fields::pressure 100 fields::speed 200 fill::a 30"
done
rm -rf arrays.wma.*.wm
ok "without debug information the program is built" \
	wmf90 -O2 -o arrays arrays.f90
./arrays.wma >out
is "and arrays have the names of their sites" "$(json \
	"[r['variable'] for r in j['accesses']['variables']
	if r['variable'].startswith('fields::') and r['kind'] == 'heap']" \
	--accesses arrays.wma.*.wm)" "[]"

# ---- an array of a derived type; names that begin alike ----
bring access/markers.f90
rm -rf run
export WM_DIR=run
ok "markers: built" wmf90 -g -O1 -static -o markers markers.f90
ok "markers: runs" ./markers.wma
is "members of its elements" "$(json "sorted((r['member'], r['loads'],
	r['stores']) for r in j['accesses']['members']
	if r['kind'] == 'heap')" --accesses run/*)" \
	"[('ocean_circulation_fields::markers(:)%now%y', 0, 1000), \
('ocean_circulation_fields::markers(:)%number', 1, 1000)]"
is "its members" "$(json "[(s['variable'], s['elements'], s['element_bytes'],
	s['unsure'], [(m['member'], m['offset'], m['accesses'])
	for m in s['members']]) for s in j['accesses']['structures']]" \
	--accesses run/*)" "[('ocean_circulation_fields::markers', 1000, 32, 0, \
[('now', 0, 1000), ('mass', 16, 0), ('number', 24, 1001), ('unused', 28, 0)])]"
# of each array the line of the list
names=$(COLUMNS=80 wm-analyze -q --cache L1=32K/8/64,L2=1M/16,L3=32M/16 run/* |
	sed -n '/^By variable/,/^By function/s/^.* \([^ ]*\)  markers.f90:[67]$/\1/p')
is "arrays of one module differ in 80 columns" \
	"$(sort -u <<<"$names" | sed 's/.*\(east\|north\|up\)$/\1/' | sort |
		xargs)" "east north up"
has_no "lines fit" '.{81}' env COLUMNS=80 wm-analyze -q \
	--cache L1=32K/8/64,L2=1M/16,L3=32M/16 run/*
done_testing
