/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 100 bytes, kept; static memory: 90000 bytes.
 * Used by t5170. */
#include <stdlib.h>
char table[90000];
void *volatile keep;
int main(void)
{
	keep = malloc(100);
	table[3] = 1;
	return 0;
}
