#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Programs that are small and have debug sections that are not, packed
# (SHF_COMPRESSED): the census says what it can, within bounds
# (docs/census-format.md, 5.2).
. "$(dirname "$0")/../lib.sh" bounds-lib objcopy

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

# Section headers that no memory could hold: what would be embedded, wm-analyze
# would refuse.
headers() { # FIELD VALUE: of each section that is in memory, from good
	python3 - "$@" <<'E2'
import struct, sys
d = bytearray(open("good", "rb").read())
at, = struct.unpack_from("<Q", d, 40)
each, n = struct.unpack_from("<HH", d, 58)
for i in range(n):
    if struct.unpack_from("<Q", d, at + each * i + 8)[0] & 2:
        struct.pack_into("<Q", d, at + each * i + int(sys.argv[1]),
                         int(sys.argv[2], 0))
open("bad", "wb").write(d)
E2
	chmod +x bad
}
headers 32 0x2000000000000000
bounded "sections of 2^61 bytes" 127 "'bad': sections larger than any memory" \
	wm-census bad
headers 16 0xfffffffffffffff0
bounded "sections beyond the address space" 127 \
	"'bad': sections larger than any memory" wm-census bad
done_testing
