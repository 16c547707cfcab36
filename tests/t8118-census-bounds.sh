#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Programs that are small and have debug sections that are not, packed
# (SHF_COMPRESSED): the census says what it can, within bounds
# (docs/census-format.md, 5.2).
. "$(dirname "$0")/lib.sh"
. "$SRC/tests/bounds-lib.sh"
command -v objcopy >/dev/null || skip_all "no objcopy"

cat >a.c <<'E2'
#include <stdlib.h>
int table[100];
int main(int argc, char **argv)
{
	return table[argc] + atoi(argv[0]);
}
E2
gcc -g -O1 -o good a.c
bounded "a program" 0 '' wm-census good
wm-census good | xz -dc >good.out
ok "it has a table" grep -aq table good.out
truncate -s 600M zeros
for section in info str abbrev; do
	objcopy --update-section ".debug_$section=zeros" good bomb &&
		objcopy --compress-debug-sections=zlib bomb packed
	rm bomb
	[ "$(wc -c <packed)" -lt 1000000 ]
	tap_result $? ".debug_$section: a small file"
	bounded ".debug_$section of 600 MB" 0 '' wm-census packed
	wm-census packed | xz -dc >packed.out
	ok ".debug_$section: the census is there" grep -aq table packed.out
done
done_testing
