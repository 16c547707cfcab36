/* SPDX-License-Identifier: Apache-2.0 */
/* two_sizes N: malloc of 70000 bytes in names() and of 16 N in field(),
 * written to, kept; static memory 300000 bytes.  -DOTHER: another build.
 * Used by t5600. */
#include <stdlib.h>
#include <string.h>

static char table[300000];
void *volatile keep;
#ifdef OTHER
int moved(int x) { return x * 31; }
#endif
__attribute__((noinline)) void *field(size_t n)
{
	return memset(malloc(16 * n), 1, 16 * n);
}
__attribute__((noinline)) void *names(void)
{
	return memset(malloc(70000), 1, 70000);
}
int main(int argc, char **argv)
{
	(void)argc;
	keep = names();
	keep = field((size_t)atol(argv[1]));
	memset(table, argv[1][0], sizeof(table));
	return table[5] == 0;
}
