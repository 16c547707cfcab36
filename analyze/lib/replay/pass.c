/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/replay/pass.h"

#include <stdlib.h>

#include "wm/search.h"

enum wm_status wm_passes_init(struct wm_passes *p,
			      const struct wm_pass_ops *const *ops,
			      unsigned needs, const struct wm_wish *wish,
			      const struct wm_trace *t, struct wm_err *err)
{
	enum wm_status r = WM_OK;

	*p = (struct wm_passes){ .ops = ops };
	for (size_t i = 0; i < WM_PASS_COUNT && !r; i++) {
		if (!(needs & 1u << i) || (ops[i]->idle && ops[i]->idle(t)))
			continue;
		p->alloc_times |= ops[i]->alloc_times || ops[i]->left;
		p->addresses |= ops[i]->addresses;
		p->accesses |= ops[i]->accesses != NULL;
		p->state[i] = calloc(1, ops[i]->state_size);
		if (p->state[i] && ops[i]->wish)
			ops[i]->wish(p->state[i], wish);
		if (!p->state[i])
			r = wm_no_memory(err, NULL);
		else if (ops[i]->init)
			r = ops[i]->init(p->state[i], t, err);
	}
	if (r)
		wm_passes_release(p);
	return r;
}

enum wm_status wm_passes_take(struct wm_passes *p, const struct wm_changes *c,
			      struct wm_err *err)
{
	enum wm_status r = WM_OK;

	for (size_t i = 0; i < WM_PASS_COUNT && !r; i++)
		if (p->state[i] && p->ops[i]->take)
			r = p->ops[i]->take(p->state[i], c, err);
	return r;
}

enum wm_status wm_passes_accesses(struct wm_passes *p,
				  struct wm_access_batch *b, struct wm_err *err)
{
	enum wm_status r = WM_OK;

	for (size_t i = 0; i < WM_PASS_COUNT && !r; i++)
		if (p->state[i] && p->ops[i]->accesses)
			r = p->ops[i]->accesses(p->state[i], b, err);
	return r;
}

void wm_passes_left(struct wm_passes *p, enum wm_family family, uint32_t path,
		    uint64_t bytes, uint64_t alloc_time)
{
	for (size_t i = 0; i < WM_PASS_COUNT; i++)
		if (p->state[i] && p->ops[i]->left)
			p->ops[i]->left(p->state[i], family, path, bytes,
					alloc_time);
}

enum wm_status wm_passes_drain(struct wm_passes *p, struct wm_err *err)
{
	enum wm_status r = WM_OK;

	for (size_t i = 0; i < WM_PASS_COUNT && !r; i++)
		if (p->state[i] && p->ops[i]->drain)
			r = p->ops[i]->drain(p->state[i], err);
	return r;
}

enum wm_status wm_passes_finish(struct wm_passes *p, const struct wm_trace *t,
				struct wm_rank *rank, struct wm_err *err)
{
	enum wm_status r = WM_OK;

	for (size_t i = 0; i < WM_PASS_COUNT && !r; i++)
		if (p->state[i] && p->ops[i]->finish)
			r = p->ops[i]->finish(p->state[i], t, rank, err);
	return r;
}

void wm_passes_release(struct wm_passes *p)
{
	for (size_t i = 0; i < WM_PASS_COUNT; i++) {
		if (p->state[i] && p->ops[i]->release)
			p->ops[i]->release(p->state[i]);
		free(p->state[i]);
		p->state[i] = NULL;
	}
}

uint32_t wm_changes_thread(const struct wm_changes *c, size_t i)
{
	size_t n = WM_FIRST(k, c->turns, c->turn[k].at > i);

	return n ? c->turn[n - 1].thread : 0;
}
