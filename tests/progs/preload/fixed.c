/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 10 bytes, freed, by an address of malloc that the program says,
 * and not a library.
 * Used by t6700. */
#include <stdlib.h>
void *(*volatile get)(size_t) = malloc;
int main(void)
{
	free(get(10));
	return get != malloc;
}
