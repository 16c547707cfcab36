/* SPDX-License-Identifier: Apache-2.0 */
/* Compresses 1000 bytes by the liblzma that it is linked with, which
 * allocates for that; prints "0 1".
 * Used by t3000. */
#include <lzma.h>
#include <stdio.h>
int main(void)
{
	uint8_t in[1000] = { 0 }, out[2000];
	size_t n = 0;
	int r = lzma_easy_buffer_encode(6, LZMA_CHECK_CRC32, NULL, in, 1000,
					out, &n, sizeof(out));
	printf("%d %d\n", r, n > 0);
	return 0;
}
