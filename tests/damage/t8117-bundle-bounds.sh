#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What wm-analyze reads of a program: small bundles and ELF files that ask for
# much (docs/census-format.md, 2.1).
. "$(dirname "$0")/../lib.sh" bounds-lib

refused() { # DESCRIPTION WHAT...
	try "$1" 4 "$large" "${@:2}"
	bounded "$1, the census" 3 "$large" \
		wm-analyze --static-report "$2".1.wm/program.wmc.xz
}
large='program.wmc.xz.*more than [0-9]* bytes from [0-9]*'
refused "20 million lines" lines 20000000
refused "20 million strings" strings 20000000
refused "10 million functions" functions 10000000
# as much as is read
for what in "lines 5500000" "strings 8000000" "functions 4000000"; do
	"$SRC/tests/tools/hostile" $what
	bounded "$what" 0 '' wm-analyze "${what% *}.1.wm"
done

# elf NAME SECTIONS NAMES: a file of 3 GB, nearly all of it a hole, whose
# section headers are SECTIONS, and their names NAMES bytes
elf() {
	python3 - "$@" <<'E2'
import struct, sys
name, sections, names = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with open(name, "wb") as f:
    f.write(b"\x7fELF\2\1\1" + bytes(9) + struct.pack(
        "<HHIQQQIHHHHHH", 2, 62, 1, 0, 0, 64, 0, 64, 56, 0, 64, 0, 1))
    f.write(struct.pack("<IIQQQQIIQQ", 0, 0, 0, 0, 0, sections, 0, 0, 0, 0))
    f.write(struct.pack("<IIQQQQIIQQ", 0, 3, 0, 0, 4096, names, 0, 0, 0, 0))
    f.truncate(3 << 30)
E2
}
elf headers 40000000 100
bounded "40 million sections" 3 "'headers': an ELF file with bad section" \
	wm-analyze --static-report headers
elf names 3 3000000000
bounded "names of 3 GB" 3 "'names': an ELF file with bad section headers" \
	wm-analyze --static-report names
done_testing
