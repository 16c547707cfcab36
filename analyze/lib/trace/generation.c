/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/generation.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/lib/trace/paths.h"
#include "analyze/lib/trace/reader.h"
#include "wm/search.h"

/* A gap of up to so many numbers gets entries; else a new part begins. */
#define NEAR 1024

static struct wm_generation_part *last_part(struct wm_generation *g)
{
	return g->far_count ? &g->far[g->far_count - 1] : &g->near;
}

uint64_t wm_generation_end(const struct wm_generation *g)
{
	const struct wm_generation_part *p = g->far_count ?
						     &g->far[g->far_count - 1] :
						     &g->near;

	return p->first + p->count;
}

static struct wm_generation_part *part_for(struct wm_generation *g,
					   uint64_t first)
{
	struct wm_generation_part *p;

	if (first - wm_generation_end(g) <= NEAR)
		return last_part(g);
	p = WM_MORE(g->far, g->far_cap, g->far_count);
	if (!p)
		return NULL;
	g->far_count++;
	p->first = first;
	return p;
}

uint32_t *wm_generation_add(struct wm_generation *g, uint64_t first,
			    size_t count)
{
	struct wm_generation_part *p = part_for(g, first);
	size_t at;
	uint32_t *path;

	if (!p)
		return NULL;
	at = (size_t)(first - p->first);
	path = WM_ROOM(p->path, p->cap, at + count);
	if (!path)
		return NULL;
	while (p->count < at + count)
		path[p->count++] = WM_NO_PATH;
	return path + at;
}

uint32_t wm_generation_find(const struct wm_generation *g, uint64_t n)
{
	size_t far = WM_FIRST(i, g->far_count, g->far[i].first > n);
	const struct wm_generation_part *p = far ? &g->far[far - 1] : &g->near;

	return n - p->first < p->count ? p->path[n - p->first] : WM_NO_PATH;
}

void wm_generation_release(struct wm_generation *g)
{
	for (size_t i = 0; i < g->far_count; i++)
		free(g->far[i].path);
	free(g->far);
	free(g->near.path);
	memset(g, 0, sizeof(*g));
}

enum wm_status wm_trace_generation(struct wm_trace *t, uint64_t id,
				   uint32_t *index, struct wm_err *err)
{
	uint32_t hash = wm_index_hash(id);
	struct wm_index *x = &t->gen_index;
	struct wm_generation *g;
	struct wm_index_slot *s;

	if (wm_index_room(x))
		return wm_no_memory(err, NULL);
	WM_INDEX_EACH(s, x, hash)
		if (t->gen[s->number - 1].id == id)
			break;
	if (!s->number) {
		g = WM_MORE(t->gen, t->gen_cap, t->gen_count);
		if (!g)
			return wm_no_memory(err, NULL);
		g->id = id;
		wm_index_put(x, s, hash, t->gen_count++);
	}
	*index = s->number - 1;
	return WM_OK;
}
