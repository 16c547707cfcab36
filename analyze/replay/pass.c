/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/replay/pass.h"

#include <stdlib.h>

#define WM_PASS_X(name) extern const struct wm_pass_ops wm_pass_##name;
WM_PASS_LIST(WM_PASS_X)
#undef WM_PASS_X

#define WM_PASS_X(name) &wm_pass_##name,
static const struct wm_pass_ops *const passes[] = { WM_PASS_LIST(WM_PASS_X) };
#undef WM_PASS_X

enum wm_status wm_passes_init(struct wm_passes *p, unsigned needs,
			      const struct wm_trace *t, struct wm_err *err)
{
	enum wm_status r = WM_OK;
	int i;

	*p = (struct wm_passes){ .needs = needs };
	for (i = 0; i < WM_PASS_COUNT && !r; i++) {
		if (!(needs & 1u << i))
			continue;
		p->births |= passes[i]->births || passes[i]->left;
		p->state[i] = calloc(1, passes[i]->state_size);
		if (!p->state[i])
			r = wm_err_set(err, WM_NO_MEMORY, "no memory");
		else
			r = passes[i]->init(p->state[i], t, err);
	}
	if (r)
		wm_passes_release(p);
	return r;
}

enum wm_status wm_passes_take(struct wm_passes *p, const struct wm_changes *c,
			      struct wm_err *err)
{
	enum wm_status r = WM_OK;
	int i;

	for (i = 0; i < WM_PASS_COUNT && !r; i++)
		if (p->state[i])
			r = passes[i]->take(p->state[i], c, err);
	return r;
}

void wm_passes_left(struct wm_passes *p, enum wm_family family, uint32_t path,
		    uint64_t bytes, uint64_t born)
{
	int i;

	for (i = 0; i < WM_PASS_COUNT; i++)
		if (p->state[i] && passes[i]->left)
			passes[i]->left(p->state[i], family, path, bytes, born);
}

enum wm_status wm_passes_finish(struct wm_passes *p, const struct wm_trace *t,
				struct wm_rank *rank, struct wm_err *err)
{
	enum wm_status r = WM_OK;
	int i;

	for (i = 0; i < WM_PASS_COUNT && !r; i++)
		if (p->state[i])
			r = passes[i]->finish(p->state[i], t, rank, err);
	return r;
}

void wm_passes_release(struct wm_passes *p)
{
	int i;

	for (i = 0; i < WM_PASS_COUNT; i++) {
		if (p->state[i])
			passes[i]->release(p->state[i]);
		free(p->state[i]);
		p->state[i] = NULL;
	}
}
