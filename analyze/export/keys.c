/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/export/keys.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/base/vec.h"

/* FNV-1a */
static size_t hash_key(const unsigned char *key, size_t size)
{
	uint64_t h = 0xcbf29ce484222325u;

	while (size--)
		h = (h ^ *key++) * 0x100000001b3u;
	return (size_t)(h ^ h >> 32);
}

/* The slot of @key, or the empty one where it belongs. */
static uint32_t *find_slot(const struct wm_keys *t, const void *key,
			   size_t size)
{
	size_t i = hash_key(key, size);

	for (;; i++) {
		uint32_t *slot = &t->slot[i & (t->slots - 1)];
		const struct wm_key *k;

		if (!*slot)
			return slot;
		k = &t->item[*slot - 1];
		if (k->size == size && memcmp(k->key, key, size) == 0)
			return slot;
	}
}

/* Keep it at most half full. */
static int make_room(struct wm_keys *t)
{
	size_t i, slots = t->slots ? t->slots * 2 : 64;
	uint32_t *slot;

	if (t->count * 2 < t->slots)
		return 1;
	slot = calloc(slots, sizeof(*slot));
	if (!slot || t->count >= UINT32_MAX / 4) {
		free(slot);
		return 0;
	}
	free(t->slot);
	t->slot = slot;
	t->slots = slots;
	for (i = 0; i < t->count; i++)
		*find_slot(t, t->item[i].key, t->item[i].size) = (uint32_t)i +
								 1;
	return 1;
}

static uint32_t add_key(struct wm_keys *t, uint32_t *slot, const void *key,
			size_t size)
{
	struct wm_key *k;

	k = WM_MORE(t->item, t->cap, t->count);
	if (!k)
		goto fail;
	k->key = malloc(size + 1);
	if (!k->key)
		goto fail;
	memcpy(k->key, key, size);
	k->key[size] = 0;
	k->size = size;
	*slot = (uint32_t)++t->count;
	return *slot - 1;
fail:
	t->failed = 1;
	return 0;
}

uint32_t wm_keys_number(struct wm_keys *t, const void *key, size_t size)
{
	uint32_t *slot;

	if (!make_room(t)) {
		t->failed = 1;
		return 0;
	}
	slot = find_slot(t, key, size);
	return *slot ? *slot - 1 : add_key(t, slot, key, size);
}

uint32_t wm_keys_text(struct wm_keys *t, const char *text)
{
	return wm_keys_number(t, text, strlen(text));
}

void wm_keys_release(struct wm_keys *t)
{
	size_t i;

	for (i = 0; i < t->count; i++)
		free(t->item[i].key);
	free(t->item);
	free(t->slot);
	memset(t, 0, sizeof(*t));
}
