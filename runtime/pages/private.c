/* SPDX-License-Identifier: Apache-2.0 */
/* Makes followed memory private again, or lists it for a fork, which copies
 * it. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "runtime/base/sys.h"
#include "runtime/pages/backing.h"
#include "runtime/pages/maps.h"
#include "runtime/pages/followed.h"
#include "runtime/pages/service.h"

#define ADVICE_POPULATE_WRITE 23

#define AT_A_TIME (UINT64_C(2) << 20)

/* While all threads may use @r: a private mapping of the file has the same
 * bytes, at once and for all threads.  Then a write fault that changes nothing
 * makes a page private, and its page of the file is freed, so that few pages
 * exist twice. */
static int make_private(const struct wm_watched_range *r, int prot)
{
	uint64_t at = r->start, end;
	/* All of it is locked, or nothing. */
	uint8_t lock = wm_ranges_at(wm_ranges_from(at))->lock;

	if (wm_sys_bad(wm_backing_map(r->start, r->end, r->shift, prot,
				      MAP_PRIVATE)))
		return -ENOMEM;
	while (wm_backing_next(r, &at, &end)) {
		if (end - at > AT_A_TIME)
			end = at + AT_A_TIME;
		/* If this fails, pages stay shared with the file, which is not
		 * written. */
		if (WM_SYS3(SYS_madvise, at, end - at, ADVICE_POPULATE_WRITE) ==
		    0)
			wm_backing_hole(at, end, r->shift);
		at = end;
	}
	wm_followed_lock_again(r->start, r->end, lock);
	return 0;
}

/* Replaces @r, which is in one mapping, by anonymous memory with a copy. */
static int copy_to_anonymous(const struct wm_watched_range *r, int prot)
{
	uint64_t bytes = r->end - r->start, at = r->start, end;
	long p = wm_backing_anonymous(0, bytes, 0);

	if (wm_sys_bad(p))
		return (int)p;
	WM_SYS3(SYS_mprotect, r->start, bytes, prot | PROT_READ);
	while (wm_backing_next(r, &at, &end)) {
		memcpy((char *)p + (at - r->start), (void *)(uintptr_t)at,
		       end - at);
		at = end;
	}
	wm_followed_remember(r);
	WM_SYS3(SYS_mprotect, p, bytes, prot);
	p = WM_SYS6(SYS_mremap, p, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
		    r->start, 0);
	if (wm_sys_bad(p))
		return (int)p;
	wm_followed_lock_again(r->start, r->end, r->lock);
	return 0;
}

struct part_call {
	struct wm_watched_range range;
	int (*f)(const struct wm_watched_range *, int prot);
};

/* Calls f() for the part of the range that lies in @m. */
static int call_for_part(const struct wm_map *m, void *arg)
{
	const struct part_call *c = arg;
	struct wm_watched_range part = c->range;

	if (m->end <= part.start || m->start >= part.end)
		return m->start >= part.end;
	if (m->start > part.start)
		part.start = m->start;
	if (m->end < part.end)
		part.end = m->end;
	return c->f(&part, m->prot);
}

/* The kernel can wipe only anonymous memory. */
int wm_followed_make_anonymous(struct wm_watched_range *r, const void *unused)
{
	struct part_call c = { *r, copy_to_anonymous };
	int e = wm_maps_each(call_for_part, &c);

	(void)unused;
	return e < 0 ? e : wm_followed_drop(r, NULL);
}

static int keep_in_place(struct wm_watched_range *r, const void *unused)
{
	struct part_call c = { *r, make_private };
	int e = wm_followed_remember(r);

	(void)unused;
	if (e == 0)
		e = wm_maps_each(call_for_part, &c);
	if (e < 0)
		return e;
	wm_ranges_remove(r->start, r->end);
	return 0;
}

int wm_followed_make(uint64_t start, uint64_t bytes, bool anonymous)
{
	return wm_followed_each(start, start + wm_page_up(bytes),
				anonymous ? wm_followed_make_anonymous :
					    keep_in_place,
				NULL);
}

static int put_part(struct wm_buf *list, struct wm_pages_part part)
{
	return wm_buf_add(list, &part, sizeof(part)) ? -ENOMEM : 0;
}

static int list_extents(const struct wm_watched_range *r,
			struct wm_buf *extents)
{
	uint64_t at = r->start, end;

	for (; wm_backing_next(r, &at, &end); at = end)
		if (put_part(extents, (struct wm_pages_part){ at, end, 0 }))
			return -ENOMEM;
	return 0;
}

/* Whether @m is a mapping of the file that contains a range. */
static bool is_ours(const struct wm_map *m, struct wm_watched_range *r)
{
	*r = (struct wm_watched_range){ .start = m->start,
					.end = m->end,
					.shift = (int64_t)(m->offset -
							   m->start) };
	return m->shared && m->inode == wm_backing_inode() &&
	       wm_followed_has(m->start, m->end);
}

struct lists {
	struct wm_buf *parts, *extents;
};

static int list_one(const struct wm_map *m, void *arg)
{
	const struct lists *l = arg;
	struct wm_watched_range r;

	if (!is_ours(m, &r))
		return 0;
	return put_part(l->parts,
			(struct wm_pages_part){ m->start, m->end, m->prot }) ?
		       -ENOMEM :
		       list_extents(&r, l->extents);
}

int wm_followed_list(struct wm_buf *parts, struct wm_buf *extents)
{
	struct lists l = { parts, extents };

	parts->len = extents->len = 0;
	return wm_maps_each(list_one, &l);
}

static int end_one(const struct wm_map *m, void *all)
{
	struct wm_watched_range r;

	if (is_ours(m, &r) && make_private(&r, m->prot))
		*(bool *)all = false;
	return 0;
}

/* Private memory counts as data, but is no more than without the runtime. */
static void allow_data(struct rlimit *limit)
{
	struct rlimit most;

	if (WM_SYS4(SYS_prlimit64, 0, RLIMIT_DATA, 0, limit))
		limit->rlim_cur = limit->rlim_max;
	most = *limit;
	most.rlim_cur = most.rlim_max;
	if (limit->rlim_cur != limit->rlim_max)
		WM_SYS4(SYS_prlimit64, 0, RLIMIT_DATA, &most, 0);
}

/* Makes the mappings private one at a time, each as a whole: this needs no memory
 * and no further mappings. */
bool wm_followed_end(void)
{
	struct rlimit limit = { 0, 0 };
	bool all = true;

	wm_followed_ended = true;
	/* mprotect may exceed the limit on mappings; mmap may not. */
	wm_service_join_stack();
	allow_data(&limit);
	if (wm_maps_each(end_one, &all))
		all = false;
	if (limit.rlim_cur != limit.rlim_max)
		WM_SYS4(SYS_prlimit64, 0, RLIMIT_DATA, &limit, 0);
	if (all)
		wm_ranges_remove(0, UINT64_MAX);
	return all;
}
