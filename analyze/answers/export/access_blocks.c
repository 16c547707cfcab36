/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/export/access_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"

enum wm_status wm_access_blocks_init(struct wm_access_blocks *b,
				     const struct wm_trace *t,
				     struct wm_block_names *names,
				     struct wm_err *err)
{
	memset(b, 0, sizeof(*b));
	b->t = t;
	b->names = names;
	if (wm_objects_init(&b->objects) || !WM_MORE(b->block, b->cap, 0))
		return wm_no_memory(err, NULL);
	b->count = 1;
	wm_objects_fix(&b->objects);
	return WM_OK;
}

void wm_access_blocks_release(struct wm_access_blocks *b)
{
	wm_objects_release(&b->objects);
	free(b->had);
	free(b->block);
	memset(b, 0, sizeof(*b));
}

static bool is_mapping(uint8_t family)
{
	return !wm_family_blocks[family];
}

/* Returns the number of a new block, or 0 if memory is short. */
static uint32_t new_block(struct wm_access_blocks *b)
{
	size_t n = b->spare;

	if (n) {
		b->spare = b->block[n].number;
	} else {
		if (b->count == UINT32_MAX ||
		    !WM_MORE(b->block, b->cap, b->count))
			return 0;
		n = b->count++;
	}
	memset(&b->block[n], 0, sizeof(b->block[n]));
	return (uint32_t)n;
}

/* Returns the next number of blocks with name @name, or UINT32_MAX if memory is
 * short. */
static uint32_t next_with(struct wm_access_blocks *b, uint32_t name)
{
	while (name != UINT32_MAX && b->had_count <= name) {
		if (!WM_MORE(b->had, b->had_cap, b->had_count))
			return UINT32_MAX;
		b->had[b->had_count++] = 0;
	}
	return name == UINT32_MAX ? UINT32_MAX : b->had[name]++;
}

/* Gives @x the name with number @name in NAMES. */
static bool give_name(struct wm_access_blocks *b, struct wm_live_block *x,
		      uint32_t name)
{
	const char *text = wm_trace_name(b->t, name);

	x->given = WM_NOT_GIVEN;
	if (!text)
		return true;
	x->given = wm_block_names_given(b->names, text);
	x->named = next_with(b, x->given);
	return x->named != UINT32_MAX;
}

/* Returns whether change @i is what munmap left of a mapping. */
static bool is_rest(const struct wm_access_blocks *b,
		    const struct wm_changes *c, size_t i)
{
	const struct wm_live_block *x = &b->cut;

	return x->bytes && b->cut_time == c->time[i] && x->path == c->who[i] &&
	       x->family == c->family[i] && c->bytes[i] < x->bytes &&
	       c->addr[i] - x->addr <= x->bytes - c->bytes[i];
}

static bool gain(struct wm_access_blocks *b, const struct wm_changes *c,
		 size_t i)
{
	uint32_t n = new_block(b);
	struct wm_live_block *x = &b->block[n];

	if (!n)
		return false;
	if (is_rest(b, c, i)) {
		*x = b->cut;
		x->addr = c->addr[i];
		x->bytes = c->bytes[i];
		b->next.name = 0;
		return !wm_objects_gain(&b->objects, x->addr, x->bytes, n,
					true);
	}
	x->addr = x->origin = c->addr[i];
	x->bytes = c->bytes[i];
	x->path = c->who[i];
	x->family = c->family[i];
	x->thread = wm_changes_thread(c, i);
	x->site = wm_block_names_site(b->names, x->family, c->who[i]);
	x->number = WM_NOT_GIVEN;
	x->given = WM_NOT_GIVEN;
	if (x->site == UINT32_MAX ||
	    (b->next.name && b->next.span.start == x->addr &&
	     !give_name(b, x, b->next.name)))
		return false;
	b->next.name = 0;
	b->fresh = n;
	return !wm_objects_gain(&b->objects, x->addr, x->bytes, n,
				is_mapping(x->family));
}

static void lose(struct wm_access_blocks *b, const struct wm_changes *c,
		 size_t i)
{
	const struct wm_live_block *x = wm_access_blocks_find(b, c->addr[i]);
	size_t n = x ? (size_t)(x - b->block) : 0;

	wm_objects_lose(&b->objects, c->addr[i], c->bytes[i],
			is_mapping(c->family[i]));
	if (!n || x->addr != c->addr[i] || x->family != c->family[i])
		return;
	if (is_mapping(x->family)) {
		b->cut = *x;
		b->cut_time = c->time[i];
	}
	b->block[n].number = (uint32_t)b->spare;
	b->spare = n;
}

/* Gives @x its first name in the file.  Returns false if memory is short. */
static bool number_block(struct wm_access_blocks *b, struct wm_live_block *x)
{
	if (x->given == WM_NOT_GIVEN && x->number == WM_NOT_GIVEN)
		x->number = next_with(b, x->site);
	return x->given != WM_NOT_GIVEN || x->number != WM_NOT_GIVEN;
}

static bool tell_fresh(struct wm_access_blocks *b,
		       const struct wm_access_news *to)
{
	if (b->fresh && !number_block(b, &b->block[b->fresh]))
		return false;
	if (b->fresh)
		to->block(to->context, &b->block[b->fresh]);
	b->fresh = 0;
	return true;
}

static enum wm_status take_mark(struct wm_access_blocks *b,
				const struct wm_mark *m,
				const struct wm_access_news *to,
				struct wm_err *err)
{
	const struct wm_live_block *x;

	if (m->name & WM_NAME_HELD)
		return WM_OK;
	switch (m->kind) {
	case WM_MARK_GIVEN:
	case WM_MARK_MOVED:
		x = wm_access_blocks_find(b, m->span.start);
		if (m->kind != WM_MARK_GIVEN || !x || x->addr != m->span.start)
			b->next = *m;
		else if (!give_name(b, &b->block[x - b->block], m->name))
			return wm_no_memory(err, NULL);
		return WM_OK;
	case WM_MARK_TAKEN:
		x = wm_access_blocks_find(b, m->span.start);
		if (!x || x->addr != m->span.start)
			return WM_OK;
		b->block[x - b->block].given = WM_NOT_GIVEN;
		return number_block(b, &b->block[x - b->block]) ?
			       WM_OK :
			       wm_no_memory(err, NULL);
	case WM_MARK_ENDED:
	case WM_MARK_FAILED:
	case WM_MARK_INITIALIZED:
	case WM_MARK_FINALIZE:
	case WM_MARK_PRIVATE:
	case WM_MARK_HANDLE_MADE:
	case WM_MARK_HANDLE_FREED:
		return WM_OK;
	case WM_MARK_PHASE:
	case WM_MARK_SNAPSHOT:
	case WM_MARK_PAUSE:
	case WM_MARK_RESUME:
	case WM_MARK_TEXT:
	case WM_MARK_REGION:
	case WM_MARK_REGION_END:
		break;
	}
	if (!tell_fresh(b, to))
		return wm_no_memory(err, NULL);
	to->mark(to->context, m);
	return WM_OK;
}

enum wm_status wm_access_blocks_take(struct wm_access_blocks *b,
				     const struct wm_changes *c,
				     const struct wm_access_news *to,
				     struct wm_err *err)
{
	enum wm_status s = WM_OK;
	size_t m = 0;

	for (size_t i = 0; i <= c->count && !s; i++) {
		for (; m < c->marks && c->mark[m].at == i && !s; m++)
			s = take_mark(b, &c->mark[m], to, err);
		if (s || i == c->count)
			break;
		if (!tell_fresh(b, to))
			return wm_no_memory(err, NULL);
		if (c->who[i] & WM_RELEASE)
			lose(b, c, i);
		else if (!gain(b, c, i))
			s = wm_no_memory(err, NULL);
	}
	return s || tell_fresh(b, to) ? s : wm_no_memory(err, NULL);
}

const struct wm_live_block *wm_access_blocks_find(struct wm_access_blocks *b,
						  uint64_t addr)
{
	struct wm_found f = { .bytes = 0 };

	if (wm_objects_find(&b->objects, addr, &f) ||
	    f.number == WM_OBJECT_NONE)
		return NULL;
	return &b->block[b->objects.object[f.number].owner];
}
