/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wmt-make: blocks ACCESSES, whose tokens are given byte by byte.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/tools/make.h"
#include "wm/trace_format.h"

static uint64_t first[4096]; /* by thread */

void accesses_begin(void)
{
	memset(first, 0, sizeof(first));
}

void accesses_block(uint64_t n, uint64_t stream, uint64_t base, char *tokens,
		    bool lists)
{
	struct fix_block b = { .type = WMT_BLOCK_ACCESSES, .lists = lists };

	fix_field_uint(&b, WMT_F_THREAD, g.at);
	fix_field_uint(&b, WMT_F_TID, 1000 + g.at);
	fix_field_uint(&b, WMT_F_ACCESS_STREAM, stream);
	fix_field_uint(&b, WMT_F_ACCESS_BASE, base);
	fix_field_uint(&b, WMT_F_ACCESS_FIRST, first[g.at]);
	fix_field_uint(&b, WMT_F_ACCESSES, n);
	first[g.at] += n;
	for (char *w = strtok(tokens, " "); w; w = strtok(NULL, " ")) {
		uint8_t byte = (uint8_t)strtoul(w, NULL, 16);

		fix_put(&b.column[WMT_COL_LOADS], &byte, 1);
	}
	put_block(&b);
}
