/* SPDX-License-Identifier: Apache-2.0 */
/* 100000 malloc of 1 to 30 bytes, each in the place of one of 600 that is
 * freed; 600 are kept; then one malloc that fails.
 * Used by t8200. */
#include <stdlib.h>
static void *volatile block[600];
int main(void)
{
	for (int i = 0; i < 100000; i++) {
		int at = rand() % 600;

		free(block[at]);
		block[at] = malloc(1 + rand() % 30);
	}
	return malloc(-1ul / 4) != 0;
}
