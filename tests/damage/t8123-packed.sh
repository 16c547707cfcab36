#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run: quick
# Packed columns (docs/trace-format.md, 6.8) as no writer makes them: each is
# refused, and the block that has it is named.
. "$(dirname "$0")/../lib.sh"
command -v python3 >/dev/null || skip_all "no python3"

packed() { # BYTE...: the sizes of four allocations
	rm -rf sizes.1.wm
	"$SRC/tests/tools/hostile" sizes 67 "$@"
	wm-analyze --json sizes.1.wm >json 2>err
	status=$?
}

right() { # DESCRIPTION BYTES BYTE...
	local what=$1 bytes=$2
	shift 2
	packed "$@"
	is "$what" "$status $(jq .heap.peak.max json)" "0 $bytes"
}

refused() { # DESCRIPTION BYTE...
	local what=$1
	shift
	packed "$@"
	is "$what" "$status $(jq .heap.peak.max json)" "4 0"
	like "$what: what is said" "$(cat err)" \
		"rank-000000.wmt.xz': block 1 at offset 0x[0-9a-f]*: column"
}

states=$(printf '0 0 1 0 %.0s' 1 2 3 4 5 6 7 8)
all="0 99 0x80 0x20" # byte 100 has all of 4,096
max="255 255 255 255 255 255 255 255 255 1"

right "as they are" 400 4 0 100 100 100 100
right "all the same" 400 4 1 100
right "by frequencies" 400 4 2 $all 0 $states
refused "no bytes, but some behind them" 0 1 7
refused "more bytes than four events may have" 0xe8 7 1 100
refused "2^64 - 1 bytes" $max 1 100
refused "a length that does not end" 128 128 128
refused "a plane of no known kind" 4 3 100
refused "a plane that is missing" 4
refused "fewer bytes than said" 4 0 100 100 100
refused "none of which all are the same" 4 1
refused "a byte behind the end" 4 1 100 0
refused "frequencies end below 4,096" 4 2 0 99 100
refused "frequencies sum up to 4,097" 4 2 1 0x80 0x20 0 $states
refused "a frequency of 2^64 - 1" 4 2 0 99 $max 0 $states
refused "a 257th byte" 4 2 0 255 0x80 0x20 0 $states
refused "zeros without end" 4 2 0 255 0 255 0 255
refused "zeros that do not say how many" 4 2 0
refused "no number of words" 4 2 $all
refused "2^63 words" 4 2 $all 128 128 128 128 128 128 128 128 128 1 $states
refused "a word too few" 4 2 $all 1 $states
refused "a word that nobody takes" 4 2 $all 1 $states 0 0
refused "seven states" 4 2 $all 0 $(printf '0 0 1 0 %.0s' 1 2 3 4 5 6 7)
refused "a state that is too low" 4 2 $all 0 0 0 0 0 ${states#0 0 1 0}
refused "states that end as they must not" 4 2 $all 0 ${states% 0 1 0 } 0 2 0
refused "a word that is not there" 4 2 0x80 0x10 0x80 0x10 0 $states
done_testing
