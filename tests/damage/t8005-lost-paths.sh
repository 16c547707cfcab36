# SPDX-License-Identifier: Apache-2.0
# A block of the trace that is lost had frames of call paths: those that come
# below them are unknown, and no path is a wrong one.
. "$(dirname "$0")/../lib.sh" analyze-lib python3

cat >lose.py <<'END'
"""lose.py FILE N: leaves out block number N, counted from 0"""
import lzma, sys
data, blocks = open(sys.argv[1], "rb").read(), []
while data:
    stream = lzma.LZMADecompressor(lzma.FORMAT_XZ)
    stream.decompress(data)
    blocks.append(data[:len(data) - len(stream.unused_data)])
    data = stream.unused_data
del blocks[int(sys.argv[2])]
open(sys.argv[1], "wb").write(b"".join(blocks))
END
made() { # LOST: the number of a block, or nothing
	rm -rf app.1.wm
	run app.1.wm <<'END'
elf app.wm
build-id 0123456789abcdef
rank 0 of 1
t 1000010 malloc 0x1000 10 main<solve
block
t 1000020 malloc 0x2000 20 main<read<grow
block
t 1000030 malloc 0x3000 30 main<read<grow<grow
t 1000040 malloc 0x4000 40 main<solve<step
t 1000050 malloc 0x5000 50 main<read
block
t 1000060 malloc 0x6000 60 main<read<grow<grow<copy
t 1000070 malloc 0x7000 70 main<solve<step<halo
end
END
	[ $# = 0 ] || python3 lose.py app.1.wm/rank-000000.wmt.xz "$1"
}
held() { # bytes by call path, of what is never freed
	wm-analyze --export folded app.1.wm 2>/dev/null
}

made
is "all blocks are there" "$(held)" "main;read 50
main;read;grow 20
main;read;grow;grow 30
main;read;grow;grow;copy 60
main;solve 10
main;solve;step 40
main;solve;step;halo 70"

made 2
of_others="?? (no call path) 140
main;solve 10
main;solve;step 40
main;solve;step;halo 70"
is "main<read<grow is lost: what comes below it is unknown" "$(held)" \
	"$of_others"
is "it is an answer from a part" "$(status wm-analyze app.1.wm)" 4
like "and says so" "$(wm-analyze app.1.wm 2>&1 >/dev/null)" \
	'1 block is missing'
is "the independent reader finds the same paths" \
	"$(python3 "$SRC/tests/tools/wmt-dump" app.1.wm/rank-* |
		awk '$3 == "MALLOC" {print $5, NF - 5}')" "10 2
30 0
40 3
50 0
60 0
70 4"
is "repacked" "$(status wm-analyze --repack app.1.wm)" 0
is "the same paths" "$(held)" "$of_others"

made 4
is "a lost block that no other builds on" "$(held)" "main;read 50
main;read;grow 20
main;read;grow;grow 30
main;solve 10
main;solve;step 40"

done_testing
