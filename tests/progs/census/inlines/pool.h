/* SPDX-License-Identifier: Apache-2.0 */
/* take(): calloc of 2 * n bytes; keep() puts it into a list that realloc
 * makes longer.
 * Used by t4070. */
#include <stdlib.h>
struct pool { void **item; int count; };
static inline void *take(size_t n)
{
	void *p = calloc(n, 2);
	if (!p)
		abort();
	return p;
}
static inline void keep(struct pool *p, size_t n)
{
	p->item = (void **)realloc(p->item, (p->count + 1) * sizeof(void *));
	p->item[p->count++] = take(n);
}
