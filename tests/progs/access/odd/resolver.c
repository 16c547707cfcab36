/* SPDX-License-Identifier: Apache-2.0 */
/* A resolver with small blocks that are set and copied in line; with hooks they
 * are calls, before memset and memcpy have been resolved.  Used by t3422. */
#include <stdio.h>
#include <string.h>
static int calls;
static char kept[64];
static int up(int x)
{
	return x + 1;
}
static void *pick(void)
{
	char set[64], copy[64];
	volatile char *p = copy;

	memset(set, ++calls, sizeof(set));
	memcpy(copy, set, sizeof(copy));
	memcpy(kept, copy, sizeof(kept));
	return p[63] == calls ? (void *)up : NULL;
}
int f(int x) __attribute__((ifunc("pick")));
int main(void)
{
	printf("%d %d %d\n", f(1), calls, kept[63]);
	return 0;
}
