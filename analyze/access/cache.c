/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/access/cache.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/access/lines.h"
#include "analyze/lib/base/vec.h"
#include "wm/access_format.h"

#define POWER_OF_TWO_NOT UINT32_MAX
/* Upper bound of the caches of all threads that have not ended. */
#define MOST_MEMORY (UINT64_C(4) << 30)

static bool make_cache(struct wm_cache *c, const struct wm_cache_level_shape *l)
{
	c->sets = wm_cache_sets(l);
	c->ways = l->ways;
	c->mask = c->sets & (c->sets - 1) ? POWER_OF_TWO_NOT : c->sets - 1;
	c->shift = wm_log2(l->line);
	c->tag = calloc((size_t)c->sets * c->ways, sizeof(*c->tag));
	return c->tag != NULL;
}

enum wm_status wm_caches_init(struct wm_caches *c,
			      const struct wm_cache_shape *shape,
			      struct wm_err *err)
{
	unsigned last = shape->levels - 1;

	memset(c, 0, sizeof(*c));
	c->shape = *shape;
	c->own_levels = last ? last : 1;
	if (last && !make_cache(&c->shared, &shape->level[last]))
		return wm_no_memory(err, "the shared cache");
	return WM_OK;
}

static void drop_own(struct wm_caches *c, struct wm_cache_thread *t)
{
	for (unsigned i = 0; i < c->own_levels; i++) {
		if (t->own[i].tag)
			c->memory -= (uint64_t)t->own[i].sets * t->own[i].ways *
				     sizeof(uint64_t);
		free(t->own[i].tag);
		t->own[i].tag = NULL;
	}
}

void wm_caches_release(struct wm_caches *c)
{
	for (size_t i = 0; i < c->threads; i++)
		drop_own(c, &c->thread[i]);
	free(c->thread);
	free(c->shared.tag);
	free(c->cell);
	wm_index_release(&c->index);
}

static enum wm_status make_own(struct wm_caches *c, struct wm_cache_thread *t,
			       struct wm_err *err)
{
	t->last = 0;
	for (unsigned i = 0; i < c->own_levels; i++) {
		if (!make_cache(&t->own[i], &c->shape.level[i]))
			return wm_no_memory(err, "the caches of a thread");
		c->memory += (uint64_t)t->own[i].sets * t->own[i].ways *
			     sizeof(uint64_t);
	}
	if (c->memory > MOST_MEMORY)
		return wm_err_set(err, WM_BAD_INPUT,
				  "simulating the caches of %zu threads needs "
				  "more than 4 GiB of memory: give --cache "
				  "smaller caches",
				  c->threads);
	return WM_OK;
}

enum wm_status wm_caches_thread(struct wm_caches *c, uint64_t number,
				struct wm_err *err)
{
	uint32_t hash = wm_index_hash(number);
	struct wm_cache_thread *t;
	struct wm_index_slot *s;

	if (c->threads && c->thread[c->current].number == number &&
	    c->thread[c->current].own[0].tag)
		return WM_OK;
	if (wm_index_room(&c->index))
		return wm_no_memory(err, NULL);
	WM_INDEX_EACH(s, &c->index, hash)
		if (c->thread[s->number - 1].number == number)
			break;
	if (!s->number) {
		t = WM_MORE(c->thread, c->thread_cap, c->threads);
		if (!t)
			return wm_no_memory(err, NULL);
		t->number = number;
		wm_index_put(&c->index, s, hash, c->threads++);
	}
	c->current = s->number - 1;
	t = &c->thread[c->current];
	return t->own[0].tag ? WM_OK : make_own(c, t, err);
}

void wm_caches_thread_ends(struct wm_caches *c)
{
	if (c->threads)
		drop_own(c, &c->thread[c->current]);
}

enum wm_status wm_caches_room(struct wm_caches *c, size_t cells,
			      struct wm_err *err)
{
	return WM_ZEROED(c->cell, c->cells, cells) ? WM_OK :
						     wm_no_memory(err, NULL);
}

/* Returns whether the line of @addr is cached, and makes it the latest. */
static bool look(const struct wm_cache *c, uint64_t addr)
{
	uint64_t line = addr >> c->shift, tag = line + 1, hold, next;
	uint64_t set = c->mask == POWER_OF_TWO_NOT ? line % c->sets :
						     line & c->mask;
	uint64_t *way = c->tag + set * c->ways;

	hold = way[0];
	if (hold == tag)
		return true;
	way[0] = tag;
	/* lines before its old place, or all lines, become one older */
	for (uint32_t i = 1; i < c->ways; i++) {
		next = way[i];
		way[i] = hold;
		if (next == tag)
			return true;
		hold = next;
	}
	return false;
}

static void look_levels(struct wm_caches *c, struct wm_cache_thread *t,
			uint64_t addr, uint64_t *misses)
{
	unsigned i;

	for (i = 0; i < c->own_levels; i++) {
		if (look(&t->own[i], addr))
			return;
		misses[i]++;
	}
	if (c->shared.tag && !look(&c->shared, addr))
		misses[i]++;
}

void wm_caches_access(struct wm_caches *c, uint64_t addr, uint64_t bytes,
		      unsigned kind, uint32_t cell)
{
	struct wm_cache_thread *t = &c->thread[c->current];
	struct wm_cache_counts *n = &c->cell[cell];
	unsigned store = kind == WMA_WRITE, shift = t->own[0].shift;
	uint64_t line = addr >> shift;
	uint64_t last = wm_access_last(addr, bytes) >> shift;

	n->lines[store] += last - line + 1;
	if (kind == WMA_MODIFY)
		n->lines[1] += last - line + 1;
	for (; line <= last; line++) {
		if (t->last == line + 1)
			continue;
		t->last = line + 1;
		look_levels(c, t, line << shift, n->misses[store]);
	}
}
