/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 1 MiB, freed after a second.
 * Used by t6500. */
#include <stdlib.h>
#include <unistd.h>
static void *volatile kept;
int main(void)
{
	kept = malloc(1 << 20);
	sleep(1);
	free(kept);
	return 0;
}
