/* SPDX-License-Identifier: Apache-2.0 */
/* The codes of addresses in a trace that are farthest apart, decoded: no
 * arithmetic may overflow.  Allocates nothing.
 * Used by t8100. */
#include <stdio.h>
#include "wm/trace_format.h"
int main(void)
{
	uint64_t sum = 0, code = 1;

	for (int i = 0; i < 64; i++, code = code << 1 | 1)
		sum += wmt_addr_decode(code, UINT64_MAX) +
		       wmt_addr_decode(code - 1, 16);
	/* 16 times the largest difference, modulo 2^64 */
	printf("%d\n", wmt_addr_decode(UINT64_MAX - 1, 0) == (uint64_t)-16 * ((uint64_t)1 << 62) && sum);
	return wmt_addr_decode(wmt_addr_code(0x5000, 0xa000), 0xa000) != 0x5000;
}
