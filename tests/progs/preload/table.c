/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 12345 bytes in hold(), kept; static memory: table, of 4000 bytes.
 * Used by t6700. */
#include <stdlib.h>
int table[1000];
void *volatile keep;
__attribute__((noinline)) static void hold(size_t n)
{
	keep = malloc(n);
}
int main(int argc, char **argv)
{
	(void)argv;
	hold((size_t)table[argc] + 12345);
	return 0;
}
