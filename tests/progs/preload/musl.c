/* SPDX-License-Identifier: Apache-2.0 */
/* strdup of 6 bytes, realloc to 100000, kept; prints whether it sees
 * LD_PRELOAD.
 * Used by t6700. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
	char *p = realloc(strdup("block"), 100000);

	printf("%s %s\n", p, getenv("LD_PRELOAD") ? "seen" : "hidden");
	return 3;
}
