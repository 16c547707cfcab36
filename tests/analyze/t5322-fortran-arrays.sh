# SPDX-License-Identifier: Apache-2.0
# --accesses: memory of an allocatable array has the name of the module variable
# that describes it.
. "$(dirname "$0")/../lib.sh"
. "$SRC/tests/analyze-lib.sh"
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
		"MAIN__ 4 fields::border 7 fields::cell 150 fields::pressure 100 fields::speed 200 fill 30"
done
rm -rf arrays.wma.*.wm
ok "without debug information the program is built" \
	wmf90 -O2 -o arrays arrays.f90
./arrays.wma >out
is "and arrays have the names of their sites" "$(json \
	"[r['variable'] for r in j['accesses']['variables']
	if r['variable'].startswith('fields::') and r['kind'] == 'heap']" \
	--accesses arrays.wma.*.wm)" "[]"
done_testing
