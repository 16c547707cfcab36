/* SPDX-License-Identifier: Apache-2.0 */
/* The memory that a process accesses in each epoch.  Unlike pass pages, this
 * pass needs no addresses of blocks, and reads the epochs after all changes. */

#include "analyze/lib/base/whole.h"
#include "analyze/pages/pages.h"
#include "analyze/passes/rank.h"
#include "analyze/lib/replay/pass.h"
#include "analyze/lib/trace/read_epochs.h"
#include "analyze/lib/trace/reader.h"

struct set {
	const struct wm_trace *t;
	struct wm_page_totals total;
};

static enum wm_status set_init(void *state, const struct wm_trace *t,
			       struct wm_err *err)
{
	struct set *p = state;

	(void)err;
	p->t = t;
	wm_page_totals_begin(&p->total, t);
	return WM_OK;
}

static enum wm_status set_drain(void *state, struct wm_err *err)
{
	struct set *p = state;
	uint64_t begin = wm_whole(p->t->begin * 1e9);
	struct wm_epochs e;
	enum wm_status s;

	wm_epochs_open(&e, p->t);
	while (!(s = wm_epochs_next(&e, err)))
		wm_page_totals_add(&p->total, &e.epoch, begin + e.epoch.end);
	wm_epochs_release(&e);
	return s == WM_END ? WM_OK : s;
}

static enum wm_status set_finish(void *state, const struct wm_trace *t,
				 struct wm_rank *rank, struct wm_err *err)
{
	struct set *p = state;

	(void)err;
	p->total.missing = t->epochs_end - p->total.epochs;
	rank->page_totals = p->total;
	return WM_OK;
}

const struct wm_pass_ops wm_pass_working_set = {
	.name = "working set",
	.state_size = sizeof(struct set),
	.idle = wm_trace_without_pages,
	.init = set_init,
	.drain = set_drain,
	.finish = set_finish,
};
