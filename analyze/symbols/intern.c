/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/symbols/intern.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"

struct wm_interned {
	const char *name, *place;
	uint32_t module;
};

/* The hash includes the final zero, so that "ab", "c" differs from "a",
 * "bc". */
static uint64_t hash_text(uint64_t h, const char *s)
{
	return wm_hash_bytes(h, s ? s : "", s ? strlen(s) + 1 : 1);
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

uint32_t wm_intern(struct wm_intern *in, uint32_t module, const char *name,
		   const char *place)
{
	uint32_t hash = wm_index_hash(
		hash_text(hash_text(WM_HASH_START ^ module, name), place));
	struct wm_interned *f;
	struct wm_index_slot *s;

	if (wm_index_room(&in->index))
		return 0;
	WM_INDEX_EACH(s, &in->index, hash) {
		f = &in->item[s->number - 1];
		if (f->module == module && same_text(f->name, name) &&
		    same_text(f->place, place))
			return s->number;
	}
	f = WM_MORE(in->item, in->cap, in->count);
	if (!f)
		return 0;
	*f = (struct wm_interned){ name, place, module };
	wm_index_put(&in->index, s, hash, in->count++);
	return s->number;
}

void wm_intern_release(struct wm_intern *in)
{
	free(in->item);
	wm_index_release(&in->index);
	memset(in, 0, sizeof(*in));
}
