#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wm-analyze on a program that was not relinked and whose debug information
# nests deeper than any compiler's: libdw would go through it by recursion.
. "$(dirname "$0")/../lib.sh" bounds-lib objcopy

cat >a.c <<'E2'
#include <stdlib.h>
void *keep;
int main(int argc, char **argv)
{
	keep = malloc(1000 * argc);
	return keep == argv;
}
E2
gcc -O1 -Wl,--build-id -o plain a.c
address() { nm plain | awk -v name="$1" '$3 == name { print $1 }'; }

# try DEPTH WHERE: the frames of a call below so many inlined ones
try() {
	local section
	"$SRC/tests/tools/hostile-dwarf" "$(address main)" "$(address keep)" \
		inlined "$1" 1
	cp plain app
	for section in info abbrev line ranges str; do
		objcopy --add-section ".debug_$section=$section" app
	done
	rm -rf run
	mkdir run
	WM_DIR=run wm-run ./app
	bounded "$1 inlined calls" 0 '' wm-analyze --functions run/*.wm
	like "$1 inlined calls: the allocation is there" "$(cat cost.out)" \
		'1000 bytes .* 1 .*'
	like "$1 inlined calls: frames" "$(cat cost.out)" "$2"
}
try 300000 '^ +main'
try 40 '^ +\?\? \(app'
done_testing
