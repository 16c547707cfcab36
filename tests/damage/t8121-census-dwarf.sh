#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run: rest
# Programs that are small and whose debug information asks for much: the census
# says what it can, and what it lacks and why (docs/census-format.md, 5.2).
. "$(dirname "$0")/../lib.sh" bounds-lib objcopy

cat >a.c <<'E2'
#include <stdlib.h>
int table[100];
int main(int argc, char **argv)
{
	return table[argc] + atoi(argv[0]);
}
E2
gcc -O1 -o plain a.c
address() { nm plain | awk -v name="$1" '$3 == name { print $1 }'; }
code=$(address main) variable=$(address table)

# try DESCRIPTION PATTERN WHAT [NUMBER...]: the census of such a program.
# PATTERN: what is said of that; "": nothing, all of it is read
try() {
	local what=$1 pattern=$2 section
	shift 2
	"$SRC/tests/tools/hostile-dwarf" "$code" "$variable" "$@"
	cp plain bomb
	for section in info abbrev line ranges str; do
		objcopy --add-section ".debug_$section=$section" bomb
	done
	objcopy --compress-debug-sections=zlib bomb packed
	[ "$(wc -c <packed)" -lt 1000000 ]
	tap_result $? "$what: a small file"
	bounded "$what" 0 "$pattern" wm-census packed
	[ -n "$pattern" ] || is "$what: nothing is said" "$(cat err)" ""
	xz -dc <cost.out >packed.out
	ok "$what: the census is there" grep -aq table packed.out
}
slow='it takes more than [0-9]* s$'
memory='(it is broken, or|it) takes too much memory$'

try "arrays without bounds, structures in themselves" '' types 50000
try "entries that refer to themselves" '' circles 100000
try "an indirect form of 10 million steps" '' indirect 10000000
try "80,000 variables" '' variables 80000
try "100,000 ends of sequences" '' holds 100000 100000
try "lines from end to end" '' far 1000000
try "scopes in each other" '' scopes 200000
try "line tables in each other" "lines of code.*$slow" lines 1000 100000
try "units that share 10,000 abbreviations" "($memory|$slow)" units 10000 10000
if [ -n "${WM_LONG:-}" ]; then
	try "20 million blocks in each other" "lines of variables.*$slow" \
		nested 20000000
	try "2 million variables below 60 namespaces" "lines of variables.*$slow" \
		deep-flat 60 2000000
	try "names that are one name" "inlined calls.*($slow|$memory)" \
		names 100000 1000000
	try "variables with names of a million letters" "lines of variables.*$slow" \
		external 100000 1000000
	try "calls inlined in 250 others" "inlined calls.*$slow" inlined 250 8000
	try "functions of 100,000 ranges" "inlined calls.*$slow" ranges 10000 100000
	try "places of a million words" "lines of variables.*$memory" \
		location 40 1000000
fi
done_testing
