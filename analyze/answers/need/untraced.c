/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/need/untraced.h"

#include "analyze/lib/base/whole.h"

#define PAGE 4096u /* the smallest of any kernel */
#define HUGE 2097152.0

/* In bytes: a trace's END is written a short time before the process ends. */
#define ENDING ((uint64_t)1 << 20)
/* Less memory is ignored: every program has as much for its libraries. */
#define SMALL ((uint64_t)2 << 20)

bool wm_rank_misses_child(const struct wm_rank *r)
{
	uint64_t seen = r->forked.count ? r->forked.largest + ENDING : 0;

	return r->usage.child_peak > wm_most(r->usage.rss_peak, seen);
}

uint64_t wm_rank_copies(const struct wm_rank *r)
{
	uint64_t had = wm_above(r->peak_rss,
				r->usage.file_peak + r->usage.shared_peak);

	return wm_above(r->usage.faulted, had);
}

/* Returns the bytes of page faults of children without a trace. */
static uint64_t faulted(const struct wm_rank *r)
{
	const struct wm_usage *u = &r->usage;
	const struct wm_forked *f = &r->forked;
	uint64_t traced = f->faults + f->count * (ENDING / PAGE);
	uint64_t faults = wm_above(u->child_faults, traced);
	uint64_t huge = wm_least(u->huge_faults, faults);

	return wm_whole((double)(faults - huge) * (double)u->fault_bytes +
			(double)huge * HUGE);
}

enum wm_untraced wm_untraced_find(const struct wm_rank *r, uint64_t own,
				  uint64_t *bytes)
{
	const struct wm_usage *u = &r->usage;

	*bytes = 0;
	/* traces of children record when the children ended */
	if (!r->forked.count &&
	    (u->children_left || (u->forked && !u->child_peak)))
		return WM_UNTRACED_LEFT;
	*bytes = faulted(r);
	if (!*bytes)
		return WM_UNTRACED_NOT;
	/* pages of the rank that a child keeps after the rank wrote to them */
	if (u->forked && !u->faulted) {
		*bytes = 0;
		return WM_UNTRACED_COPIES;
	}
	if (u->forked)
		*bytes += wm_rank_copies(r);
	return *bytes > wm_most(own / 20, SMALL) ? WM_UNTRACED_MANY :
						   WM_UNTRACED_NOT;
}
