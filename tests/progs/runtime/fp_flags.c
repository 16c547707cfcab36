/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 0 to 29999 bytes, freed; ends with 0 when no floating-point flag
 * was raised.
 * Used by t3010. */
#include <fenv.h>
#include <stdlib.h>
int main(void)
{
	feclearexcept(FE_ALL_EXCEPT);
	for (size_t i = 0; i < 30000; i++) {
		void *volatile p = malloc(i);
		free(p);
	}
	return fetestexcept(FE_ALL_EXCEPT) != 0;
}
