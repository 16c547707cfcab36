/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much memory a process accesses in an epoch.
 *
 * Whose that is would need addresses of all blocks (pass pages): here the
 * epochs alone are gone through, when everything else is known.
 */
#include <stdbool.h>

#include "analyze/pages/pages.h"
#include "analyze/passes/rank.h"
#include "analyze/replay/pass.h"
#include "analyze/trace/epochs.h"
#include "analyze/trace/reader.h"

static bool set_idle(const struct wm_trace *t)
{
	return !t->page_block_count;
}

static enum wm_status set_init(void *state, const struct wm_trace *t,
			       struct wm_err *err)
{
	(void)state;
	(void)t;
	(void)err;
	return WM_OK;
}

static enum wm_status set_take(void *state, const struct wm_changes *c,
			       struct wm_err *err)
{
	(void)state;
	(void)c;
	(void)err;
	return WM_OK;
}

static enum wm_status set_finish(void *state, const struct wm_trace *t,
				 struct wm_rank *rank, struct wm_err *err)
{
	struct wm_page_totals *total = &rank->page_totals;
	struct wm_epochs e;
	enum wm_status s;

	(void)state;
	total->page_bytes = UINT64_C(1) << t->page_shift;
	total->interval_ns = t->interval_ns;
	wm_epochs_open(&e, t);
	/* what comes behind damage does not count; --pages says so */
	while (!(s = wm_epochs_next(&e, NULL)))
		wm_page_totals_add(total, &e.epoch);
	wm_epochs_release(&e);
	total->missing = t->epochs_end - total->epochs;
	return s == WM_NO_MEMORY ? wm_no_memory(err, NULL) : WM_OK;
}

static void set_release(void *state)
{
	(void)state;
}

const struct wm_pass_ops wm_pass_working_set = {
	.name = "working set",
	.state_size = 1,
	.idle = set_idle,
	.init = set_init,
	.take = set_take,
	.finish = set_finish,
	.release = set_release,
};
