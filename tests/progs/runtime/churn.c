/* SPDX-License-Identifier: Apache-2.0 */
/* TIMES times malloc of 0 to SIZES - 1 bytes and free; ends with status 0 or
 * END, which may be a call.
 * Used by t3060. */
#include <signal.h>
#include <stdlib.h>
#ifndef END
#define END 0
#endif
int main(void)
{
	for (size_t i = 0; i < TIMES; i++) {
		void *volatile p = malloc(i % SIZES);
		free(p);
	}
	return END;
}
