/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/symbols/intern.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct wm_interned {
	const char *name, *object;
	uint64_t hash;
	uint32_t module, number; /* number 0: empty */
};

static uint64_t add_text(uint64_t h, const char *s)
{
	for (; s && *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	return (h ^ 0x100) * 0x100000001b3u;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static struct wm_interned *find_slot(struct wm_interned *slot, size_t size,
				     const struct wm_interned *like)
{
	size_t i = (size_t)(like->hash >> 20) & (size - 1);

	while (slot[i].number &&
	       (slot[i].hash != like->hash || slot[i].module != like->module ||
		!same_text(slot[i].name, like->name) ||
		!same_text(slot[i].object, like->object)))
		i = (i + 1) & (size - 1);
	return &slot[i];
}

static int grow_slots(struct wm_intern *in)
{
	size_t n = in->size ? in->size * 2 : 256, i;
	struct wm_interned *slot = calloc(n, sizeof(*slot));

	if (!slot)
		return -1;
	for (i = 0; i < in->size; i++)
		if (in->slot[i].number)
			*find_slot(slot, n, &in->slot[i]) = in->slot[i];
	free(in->slot);
	in->slot = slot;
	in->size = n;
	return 0;
}

uint32_t wm_intern(struct wm_intern *in, uint32_t module, const char *name,
		   const char *object)
{
	struct wm_interned like = { .name = name,
				    .object = object,
				    .module = module },
			   *at;

	if ((size_t)in->count * 2 >= in->size && grow_slots(in))
		return 0;
	like.hash = add_text(add_text(0xcbf29ce484222325u ^ module, name),
			     object);
	at = find_slot(in->slot, in->size, &like);
	if (!at->number) {
		like.number = ++in->count;
		*at = like;
	}
	return at->number;
}

void wm_intern_release(struct wm_intern *in)
{
	free(in->slot);
	memset(in, 0, sizeof(*in));
}
