#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Small files with many blocks that are alive at one time: memory for the table
# of them is bounded, what is more is refused, and an option lifts that.
. "$(dirname "$0")/../lib.sh" bounds-lib

"$SRC/tests/tools/hostile" mallocs 128 65534
bounded "8.4 million blocks in 50 KB" 0 '' wm-analyze mallocs.1.wm
bounded "the same with times" 0 '' wm-analyze --temporaries mallocs.1.wm
like "all of them count" "$(wm-analyze --json mallocs.1.wm 2>/dev/null)" \
	'"unfreed_blocks": 8388352'
bounded "more than the option says" 3 \
	'rank-000000.*more than 8000000 blocks are alive.*--max-blocks' \
	wm-analyze --max-blocks 8000000 mallocs.1.wm
wm-analyze --max-blocks 8388352 mallocs.1.wm >/dev/null 2>&1
is "as many as the option says" $? 0
"$SRC/tests/tools/hostile" mallocs 512 65534
bounded "33.6 million blocks in 190 KB" 3 \
	'rank-000000.*more than 12000000 blocks are alive.*a file of [0-9]* bytes.*--max-blocks' \
	wm-analyze mallocs.1.wm
bounded "the same for a tree" 3 '--max-blocks' wm-analyze --tree mallocs.1.wm
bounded "--repack of it" 0 '' wm-analyze --repack --output copy mallocs.1.wm
bounded "what --repack wrote is refused as well" 3 'than 12000000 blocks' \
	wm-analyze copy/mallocs.1.wm
for bad in 0 x -1 99999999999999; do
	wm-analyze --max-blocks $bad mallocs.1.wm >/dev/null 2>err
	is "--max-blocks $bad" "$? $(grep -c 'a number of blocks' err)" "2 1"
done
done_testing
