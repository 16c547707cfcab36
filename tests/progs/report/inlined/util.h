/* SPDX-License-Identifier: Apache-2.0 */
/* take(): malloc, or the end.
 * Used by t5060. */
#include <stdlib.h>
static inline void *take(size_t n)
{
	void *p = malloc(n);
	if (!p)
		abort();
	return p;
}
