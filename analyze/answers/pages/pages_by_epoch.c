/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/pages/pages_by_epoch.h"

enum wm_status wm_page_epochs_open(struct wm_page_epochs *x,
				   const struct wm_analysis *a,
				   struct wm_err *err)
{
	const struct wm_rank *rank = &a->ranks[a->chosen];
	const struct wm_run_file *f = &a->run.files[rank->source];
	enum wm_status s = wm_trace_open(&x->t, f->path, f->name, WM_ALL_BLOCKS,
					 NULL, err);

	if (s)
		return s;
	wm_epochs_open(&x->e, &x->t);
	x->left = rank->page_totals.epochs;
	return WM_OK;
}

enum wm_status wm_page_epochs_next(struct wm_page_epochs *x, struct wm_err *err)
{
	if (!x->left)
		return WM_END;
	x->left--;
	return wm_epochs_next(&x->e, err);
}

void wm_page_epochs_release(struct wm_page_epochs *x)
{
	wm_epochs_release(&x->e);
	wm_trace_release(&x->t);
}
