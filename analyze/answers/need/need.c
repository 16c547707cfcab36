/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/need/need.h"

#include <string.h>

#include "analyze/lib/base/whole.h"
#include "analyze/answers/need/failed_requests.h"

const char *const wm_counted_name[] = {
	[WM_COUNTED_REQUESTED] = "requested",
	[WM_COUNTED_RESIDENT] = "resident",
	[WM_COUNTED_PAGES] = "pages",
	[WM_COUNTED_FAILED] = "failed",
};

uint64_t wm_tool_of(const struct wm_rank *r)
{
	return r->tool.resident ? r->tool.resident : r->tool.memory;
}

/* Finds the parts and returns their sum without shared memory.  Requested
 * mappings and windows count as shared as far as they are resident. */
static uint64_t find_parts(struct wm_rank_need *n, const struct wm_analysis *a,
			   size_t index)
{
	const struct wm_rank *r = &a->ranks[index];
	const struct wm_census *c = wm_analysis_census(a, index);
	const struct wm_family_use *f = r->family;
	/* MPI may take memory from malloc */
	uint64_t heap = f[WM_FAMILY_heap].peak_bytes +
			f[WM_FAMILY_mpi].peak_bytes;
	uint64_t mapped = f[WM_FAMILY_shm].at_peak_bytes +
			  f[WM_FAMILY_mpi].at_peak_bytes +
			  f[WM_FAMILY_mapped].at_peak_bytes;

	n->shared = r->usage.has_shared ? r->usage.shared_peak :
					  f[WM_FAMILY_shm].peak_bytes;
	n->part = r->usage.shared_part ? r->usage.shared_part : n->shared;
	n->requested = wm_above(r->in[WM_HOST].peak_bytes,
				wm_least(mapped, n->shared));
	n->allocator = wm_above(r->footprint_peak, heap);
	n->statics = c ? c->static_bytes : 0;
	n->stack = r->usage.stack_peak;
	return n->requested + n->allocator + n->statics + n->stack;
}

/* Lowers shared memory to @bytes, the rest of the resident set, if shared
 * memory was highest at another time than the resident set.  A difference of
 * less than 1 / LATE_PART is the inaccuracy of the kernel's counters. */
#define LATE_PART 20

static void lower_shared(struct wm_rank_need *n, uint64_t bytes)
{
	if (n->shared - n->shared / LATE_PART <= bytes)
		return;
	n->shared = bytes;
	wm_lower(&n->part, bytes);
}

/* Bytes of page faults for pages that were already there. */
#define COPIES ((uint64_t)1 << 20)

/* Returns the most memory that may have been shared.  If a shared mapping was
 * unmapped between two looks, no look saw it, so all mapped memory may have
 * been shared.  A process without such memory has no count of faults. */
#define NO_FAULTS ((uint64_t)1 << 47)

static uint64_t most_shared(const struct wm_rank_need *n,
			    const struct wm_rank *r)
{
	const struct wm_family_use *f = r->family;

	if (!r->usage.has_private || r->usage.touched >= NO_FAULTS)
		return n->shared;
	return wm_most(n->shared, f[WM_FAMILY_shm].peak_bytes +
					  f[WM_FAMILY_mpi].peak_bytes +
					  f[WM_FAMILY_mapped].peak_bytes);
}

static void find_resident(struct wm_rank_need *n, const struct wm_rank *r,
			  uint64_t sum)
{
	uint64_t all = wm_above(r->peak_rss, wm_tool_of(r));
	uint64_t seen = wm_above(r->usage.private_peak, wm_tool_of(r));
	/* touched or not */
	uint64_t stacks = r->family[WM_FAMILY_stacks].peak_bytes;
	uint64_t most = wm_least(all, n->shared ? sum + stacks : all);
	const struct wm_courses *c = &r->course;
	uint64_t touched;

	n->counted = WM_COUNTED_RESIDENT;
	n->own_least = wm_most(wm_above(all, n->shared), wm_least(seen, all));
	if (c->private_most) {
		most = wm_least(most, wm_above(c->private_most, wm_tool_of(r)));
		/* the sum lacks what the program's own system calls map */
		touched = wm_least(all,
				   wm_above(c->touched_most, wm_tool_of(r)));
		n->unseen = wm_above(touched, wm_most(n->own_least, most));
		if (n->unseen < COPIES)
			n->unseen = 0;
		else
			most = touched;
	}
	n->own = wm_most(n->own_least, most);
	lower_shared(n, all - n->own_least);
	n->own_least = wm_most(wm_above(all, most_shared(n, r)),
			       wm_least(seen, all));
}

/* The epochs saw the peak if at least so many ended while the rank had 90 % of
 * its peak.  If fewer ended, the last pages of the peak may have been touched
 * and freed within one epoch. */
#define EPOCHS_AT_PEAK 8

static bool epochs_saw_peak(const struct wm_rank *r)
{
	const struct wm_page_totals *p = &r->page_totals;

	return p->epochs && !p->missing && p->resident_most &&
	       r->in[WM_HOST].peak_90_seconds * (double)p->epochs >=
		       EPOCHS_AT_PEAK * r->seconds;
}

/* Finds the need of a rank whose memory WM_PAGES watches.  Such memory lies in
 * a file of its own, from which WM_PAGES takes pages away: so the kernel counts
 * too little, but the epochs record each page. */
static bool find_watched(struct wm_rank_need *n, const struct wm_rank *r,
			 uint64_t sum)
{
	const struct wm_page_totals *p = &r->page_totals;
	uint64_t pages = p->resident_most * p->page_bytes;

	if (!epochs_saw_peak(r)) {
		/* the sum lacks code */
		n->own = wm_most(sum + r->usage.thread_stacks +
					 r->usage.file_peak,
				 wm_above(r->peak_rss, wm_tool_of(r)));
		return false;
	}
	n->own = pages + r->usage.stack_peak + r->usage.thread_stacks +
		 r->usage.file_peak;
	n->own = wm_most(n->own, wm_above(r->peak_rss, wm_tool_of(r)));
	return true;
}

/* The runtime has no hook where a thread's stack is unmapped, but looks at the
 * existing stacks now and then.  Anonymous memory that the kernel counted and
 * that is no known part belonged to stacks or, if it is less than LIBRARIES, to
 * libraries that map memory themselves. */
#define LIBRARIES ((uint64_t)2 << 20)

static void find_thread_stacks(struct wm_rank_need *n, const struct wm_rank *r,
			       uint64_t sum)
{
	uint64_t seen = wm_least(r->usage.thread_stacks, wm_above(n->own, sum));
	uint64_t left = wm_above(n->own, sum + seen + r->usage.file_peak);
	uint64_t size = r->family[WM_FAMILY_stacks].peak_bytes;

	n->thread_stacks = seen;
	left = wm_least(left, wm_above(size, seen));
	if (n->counted != WM_COUNTED_RESIDENT || !r->usage.file_peak ||
	    left < LIBRARIES)
		return;
	n->thread_stacks += left;
	n->stacks_estimated = true;
}

/* Returns whether a failed request was only a try: the rank ended well without
 * it.  If the machine has so much memory, the need may be higher than known. */
static bool is_try(struct wm_rank_need *n, const struct wm_rank *r,
		   const struct wm_failed *f, uint64_t node)
{
	if (!r->ended || r->exit_status ||
	    wm_rank_giving_up(r) != WM_GIVING_UP_NOT)
		return false;
	n->tried = f->bytes;
	n->at_least |= !node || f->bytes <= node;
	return true;
}

/* Adds the failed request to the need.  The comparison uses requested bytes:
 * resident bytes include code, so a small request would seem to have been
 * met.  A block that was to grow may do so in its place, and need not be there
 * twice. */
static void add_failed(struct wm_rank_need *n, const struct wm_analysis *a,
		       size_t index)
{
	uint64_t node = wm_analysis_origin(a, index)->limits.node_memory;
	/* ignore negative sizes, which no machine can give */
	const struct wm_failed *f = wm_failed_largest(a, index,
						      node ? 64 * node :
							     (uint64_t)1 << 47);
	uint64_t others = wm_most(n->allocator + n->statics,
				  wm_above(n->own, n->requested));
	uint64_t beside = f ? wm_above(f->live_bytes, f->old_bytes) : 0;

	if (!f ||
	    beside + f->bytes <=
		    wm_least(n->own, a->ranks[index].in[WM_HOST].peak_bytes) ||
	    is_try(n, &a->ranks[index], f, node))
		return;
	n->counted = WM_COUNTED_FAILED;
	n->failed = f->bytes;
	n->own = wm_most(n->own, f->bytes + wm_least(n->own, beside + others));
}

/* Finds how much more is needed if all requested memory is touched.  The pages
 * of code are resident, but are no part of the sum, so less of the requested
 * memory was touched than the kernel's figure suggests.  If everything was
 * touched, the figure and the sum differ by less than half of the code. */
static void find_more(struct wm_rank_need *n, const struct wm_rank *r,
		      uint64_t sum)
{
	const struct wm_family_use *f = r->family;
	uint64_t windows = f[WM_FAMILY_shm].at_peak_bytes +
			   f[WM_FAMILY_mpi].at_peak_bytes;
	uint64_t code = 0;

	if (n->counted == WM_COUNTED_RESIDENT)
		code = wm_least(n->own,
				wm_above(r->usage.file_peak, n->shared));
	n->more = wm_above(sum + code, n->own);
	if (!n->untouched && n->more < code / 2)
		n->more = 0;
	n->more_shared = wm_least(n->more, wm_above(windows, n->shared));
}

enum wm_giving_up wm_rank_giving_up(const struct wm_rank *r)
{
	if (!r->ended)
		return WM_GIVING_UP_NOT;
	if (r->end_reason && strcmp(r->end_reason, "MPI_Abort") == 0)
		return WM_GIVING_UP_ABORT;
	if (r->exit_status != WM_NO_STATUS && r->exit_status)
		return WM_GIVING_UP_STATUS;
	return r->mpi == 1 ? WM_GIVING_UP_LEFT : WM_GIVING_UP_NOT;
}

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

/* Returns an upper bound of the bytes of pages that the rank copied.  If the
 * rank writes to a page that a child has, too, a page fault copies the page.
 * Each earlier page of the rank came by a fault, too, so the faults beyond the
 * pages of the highest resident memory may have been for copies. */
static uint64_t copies_of(const struct wm_rank *r)
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

/*
 * Finds processes without a trace beside a rank that needs @own bytes.  Stores
 * the most memory that they had together in *@bytes, or 0 if it is not known.
 *
 * A page that such a process does not share with its parent came by a page
 * fault, and the kernel adds up the faults of all processes that were waited
 * for.  So these faults bound the memory of all such processes together.
 */
static enum wm_untraced find_untraced(const struct wm_rank *r, uint64_t own,
				      uint64_t *bytes)
{
	const struct wm_usage *u = &r->usage;

	*bytes = 0;
	/* traces of children record when the children ended */
	if (u->children_left ||
	    (!r->forked.count && u->forked && !u->child_peak))
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
		*bytes += copies_of(r);
	return *bytes > wm_most(own / 20, SMALL) ? WM_UNTRACED_MANY :
						   WM_UNTRACED_NOT;
}

/* Finds the need of children.  A child that outlives the rank has only copies
 * of the rank's pages; the rank's other memory is gone. */
static void find_child(struct wm_rank_need *n, const struct wm_rank *r)
{
	const struct wm_forked *f = &r->forked;
	/* A copy of the rank may still share all pages that the rank had. */
	uint64_t shared = r->usage.forked ? r->usage.rss_peak : 0;
	uint64_t other = wm_rank_misses_child(r) ?
				 r->usage.child_peak - shared :
				 0;
	uint64_t own = f->own_most + copies_of(r);

	n->child = wm_most(f->beside, wm_above(f->most, n->own));
	if (r->usage.faulted && own < n->child) {
		n->child = own;
		n->child_faults = true;
	}
	n->child_least = wm_least(f->own_least, n->child) + other;
	n->child += other;
	n->child_at_most = f->count && !other;
}

void wm_rank_need_find(struct wm_rank_need *n, const struct wm_analysis *a,
		       size_t index)
{
	const struct wm_rank *r = &a->ranks[index];
	uint64_t sum, seen = 0;

	memset(n, 0, sizeof(*n));
	sum = find_parts(n, a, index);
	n->own = sum;
	if (r->watched) {
		n->counted = find_watched(n, r, sum) ? WM_COUNTED_PAGES :
						       WM_COUNTED_REQUESTED;
	} else if (r->peak_rss > wm_tool_of(r) && r->tool.resident) {
		/* only END has the highest figures of the process */
		find_resident(n, r, sum);
	} else {
		/* a lower bound, as the process may have gone on */
		seen = wm_above(r->peak_rss, wm_tool_of(r) + n->shared);
		n->own = wm_most(sum, seen);
	}
	n->at_least = n->counted == WM_COUNTED_REQUESTED &&
		      !(r->footprint_peak && wm_analysis_census(a, index)) &&
		      !(seen && r->ended);
	find_thread_stacks(n, r, sum);
	sum += n->thread_stacks;
	add_failed(n, a, index);
	find_child(n, r);
	n->other = wm_above(n->own, sum + n->failed);
	n->untouched = wm_above(sum + n->failed, n->own);
	find_more(n, r, sum + n->failed);
	if (n->counted != WM_COUNTED_RESIDENT)
		n->own_least = 0; /* not known, as a request failed */
	n->own += n->child;
	n->bytes = n->at_once = n->own + n->shared;
	if (n->counted == WM_COUNTED_RESIDENT)
		wm_lower(&n->at_once,
			 wm_above(r->peak_rss, wm_tool_of(r)) + n->child);
	/* how many processes without a trace ran at one time is unknown */
	n->untraced = find_untraced(r, n->own, &n->untraced_bytes);
	n->at_least |= wm_rank_misses_child(r) || r->forked.at_least ||
		       n->untraced != WM_UNTRACED_NOT ||
		       n->counted == WM_COUNTED_FAILED ||
		       wm_rank_giving_up(r) != WM_GIVING_UP_NOT;
}

void wm_node_need_add(struct wm_node_need *node, const struct wm_rank_need *n)
{
	node->ranks++;
	node->own += n->own;
	node->whole += n->at_once;
	node->at_once = node->least_at_once = node->own;
	node->more += n->more;
	node->more_shared += n->more_shared;
	node->parts += n->part;
	node->most = wm_most(node->most, n->shared);
	/* parts are rounded, and ranks are looked at at different times */
	node->shared = wm_most(node->parts, node->most);
	node->at_least |= n->at_least;
}
