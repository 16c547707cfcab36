/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/base/index.h"

#include <stdlib.h>
#include <string.h>

int wm_index_room(struct wm_index *x)
{
	struct wm_index more = { .size = x->size ? 2 * x->size : 64,
				 .count = x->count };
	size_t i;

	if (2 * x->count < x->size)
		return 0;
	more.slot = calloc(more.size, sizeof(*more.slot));
	if (!more.slot)
		return -1;
	for (i = 0; i < x->size; i++) {
		struct wm_index_slot *s;
		size_t at = x->slot[i].hash;

		if (!x->slot[i].number)
			continue;
		do
			s = &more.slot[at++ & (more.size - 1)];
		while (s->number);
		*s = x->slot[i];
	}
	free(x->slot);
	*x = more;
	return 0;
}

void wm_index_release(struct wm_index *x)
{
	free(x->slot);
	memset(x, 0, sizeof(*x));
}
