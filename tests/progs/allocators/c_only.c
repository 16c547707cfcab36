/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 100 bytes, freed, and calloc of 10 x 10, kept; no C++ in it.
 * Used by t2010. */
#include <stdlib.h>
void *volatile keep;
int main(void)
{
	keep = malloc(100);
	free(keep);
	keep = calloc(10, 10);
	return 0;
}
