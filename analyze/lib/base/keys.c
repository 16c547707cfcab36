/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/base/keys.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"

static uint32_t give_up_numbering(struct wm_keys *t)
{
	t->failed = true;
	return 0;
}

uint32_t wm_keys_number(struct wm_keys *t, const void *key, size_t size)
{
	uint32_t hash = wm_index_hash(wm_hash_bytes(WM_HASH_START, key, size));
	struct wm_index_slot *s;
	struct wm_key *k;

	if (wm_index_room(&t->index))
		return give_up_numbering(t);
	WM_INDEX_EACH(s, &t->index, hash) {
		k = &t->item[s->number - 1];
		if (k->size == size && memcmp(k->key, key, size) == 0)
			return s->number - 1;
	}
	k = t->count < UINT32_MAX / 4 ? WM_MORE(t->item, t->cap, t->count) :
					NULL;
	if (!k || !(k->key = calloc(1, size + 1)))
		return give_up_numbering(t);
	memcpy(k->key, key, size);
	k->size = size;
	wm_index_put(&t->index, s, hash, t->count++);
	return s->number - 1;
}

uint32_t wm_keys_text(struct wm_keys *t, const char *text)
{
	return wm_keys_number(t, text, strlen(text));
}

void wm_keys_release(struct wm_keys *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->item[i].key);
	free(t->item);
	wm_index_release(&t->index);
	memset(t, 0, sizeof(*t));
}
