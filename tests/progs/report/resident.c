/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 100000 bytes, kept; static memory of 20 MiB, written to.
 * Used by t5855. */
#include <stdlib.h>
#include <string.h>
static char area[20 << 20];
int main(int argc, char **argv)
{
	(void)argv;
	memset(area, argc, sizeof(area));
	return !malloc(100000);
}
