/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the program's calls that change mappings (followed.h). */
#include <errno.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "runtime/base/sys.h"
#include "runtime/pages/backing.h"
#include "runtime/pages/followed.h"
#include "runtime/pages/maps.h"

/* Headers of older systems do not define these numbers. */
#define ADVICE_FREE 8
#define ADVICE_REMOVE 9
#define ADVICE_DONT_FORK 10
#define ADVICE_WIPE_ON_FORK 18
#define ADVICE_DONT_NEED_LOCKED 24
#define ADVICE_GUARD 102 /* _INSTALL */
#define REMAP_KEEP 4 /* MREMAP_DONTUNMAP */
#define REMAP_ALL (MREMAP_MAYMOVE | MREMAP_FIXED | REMAP_KEEP)

long wm_followed_unmap(uint64_t start, uint64_t bytes)
{
	uint64_t end = start + wm_page_up(bytes);
	bool ours = !(start % WM_PAGE) && bytes && end > start &&
		    wm_followed_has(start, end);
	long r;

	if (ours && !wm_ranges_reserve())
		return -ENOMEM;
	if (ours)
		wm_followed_leave(start, bytes);
	/* The call may fail, and then all memory stays. */
	r = WM_SYS2(SYS_munmap, start, bytes);
	if (ours && r == 0)
		wm_followed_left(start, bytes);
	return r;
}

/* Makes the pages of a range zero, or fails, as the kernel would. */
static int empty_one(struct wm_watched_range *r, const void *advice)
{
	int e = wm_followed_remember(r);
	/* The kernel refuses MADV_FREE for files, and for locked memory both
	 * MADV_FREE and MADV_DONTNEED. */
	int how = *(const int *)advice == ADVICE_FREE ? MADV_DONTNEED :
							*(const int *)advice;

	if (e == 0)
		e = (int)WM_SYS3(SYS_madvise, r->start, r->end - r->start, how);
	if (e)
		return e;
	wm_backing_hole(r->start, r->end, r->shift);
	return r->state == WM_RANGE_ARMED ? wm_followed_arm(r) : 0;
}

static long advise_others(uint64_t start, uint64_t end, int advice)
{
	long worst = 0;

	while (start < end) {
		size_t i = wm_ranges_from(start);
		uint64_t next = i < wm_ranges_count() ? wm_ranges_at(i)->start :
							end;
		long r = 0;

		if (next > end)
			next = end;
		if (next > start)
			r = WM_SYS3(SYS_madvise, start, next - start, advice);
		worst = worst ? worst : r;
		start = i < wm_ranges_count() && next < end ?
				wm_ranges_at(i)->end :
				end;
	}
	return worst;
}

long wm_followed_advise(uint64_t start, uint64_t bytes, int advice)
{
	uint64_t end = start + wm_page_up(bytes);
	int r;

	if (start % WM_PAGE || end <= start || !wm_followed_has(start, end))
		return WM_SYS3(SYS_madvise, start, bytes, advice);
	switch (advice) {
	case MADV_DONTNEED:
	case ADVICE_FREE:
	case ADVICE_DONT_NEED_LOCKED:
		r = wm_followed_each(start, end, empty_one, &advice);
		return r ? r : advise_others(start, end, advice);
	case ADVICE_REMOVE:
		return -EINVAL; /* as for private memory */
	case ADVICE_DONT_FORK:
	case ADVICE_WIPE_ON_FORK:
	case ADVICE_GUARD:
		/* A child inherits the advice in another way. */
		r = wm_followed_each(start, end, wm_followed_make_anonymous,
				     &start);
		return r ? r : WM_SYS3(SYS_madvise, start, bytes, advice);
	default:
		return WM_SYS3(SYS_madvise, start, bytes, advice);
	}
}

long wm_followed_protect(uint64_t start, uint64_t bytes, int prot)
{
	uint64_t end = start + wm_page_up(bytes);
	bool arms = prot != PROT_NONE && !(start % WM_PAGE) && end > start &&
		    wm_followed_has(start, end);

	if (arms)
		wm_followed_each(start, end, wm_followed_open, &prot);
	return WM_SYS3(SYS_mprotect, start, bytes, prot);
}

/* ---- mremap ---- */

struct moving {
	uint64_t old, end; /* the present mapping, in whole pages */
	uint64_t bytes;
	int flags;
	uint64_t want;
	int prot;
	uint8_t kind, lock;
};

/* The kernel refuses such a call for any mapping. */
static bool is_wrong(const struct moving *m)
{
	bool fixed = m->flags & MREMAP_FIXED, keep = m->flags & REMAP_KEEP;

	return m->flags & ~REMAP_ALL || m->old % WM_PAGE || !m->bytes ||
	       m->end <= m->old ||
	       ((fixed || keep) && !(m->flags & MREMAP_MAYMOVE)) ||
	       (keep && m->bytes != m->end - m->old) ||
	       (fixed && (m->want % WM_PAGE || m->want + m->bytes <= m->want ||
			  (m->want < m->end && m->old < m->want + m->bytes)));
}

/* Finds whether all mappings up to m->end have one protection.  Splits ranges
 * at the ends of mappings. */
static int look_at(const struct wm_map *map, void *arg)
{
	struct moving *m = arg;

	if (map->end <= m->old)
		return 0;
	if (map->start > m->old || (m->prot >= 0 && m->prot != map->prot))
		return 1;
	if (!wm_ranges_split(map->end))
		return 1;
	m->prot = map->prot;
	m->old = map->end;
	return m->old >= m->end;
}

/* Returns whether the memory is one mapping for the program; else it cannot
 * move. */
static bool is_one(struct moving *m)
{
	struct moving seen = *m;

	seen.prot = -1;
	wm_maps_each(look_at, &seen);
	m->prot = seen.prot;
	return seen.old >= seen.end;
}

static int move_one(struct wm_watched_range *old, const void *by)
{
	struct wm_watched_range r = *old;
	uint64_t bytes = r.end - r.start, to = r.start + *(const uint64_t *)by;
	long e = wm_followed_ask(&r, &wm_pages_gone.accessed,
				 &wm_pages_gone.written);

	if (e == 0)
		e = WM_SYS6(SYS_mremap, r.start, bytes, bytes,
			    MREMAP_MAYMOVE | MREMAP_FIXED, to, 0);
	if (wm_sys_bad(e))
		return (int)e;
	wm_ranges_remove(r.start, r.end);
	r.shift += (int64_t)(r.start - to);
	r.start = to;
	r.end = to + bytes;
	wm_followed_moved = true;
	return wm_followed_enter(&r);
}

/* Finds addresses for the moved memory, and removes the mappings there. */
static long find_place(const struct moving *m)
{
	bool fixed = m->flags & MREMAP_FIXED;
	long p;

	if (fixed)
		wm_followed_leave(m->want, m->bytes);
	p = wm_backing_anonymous(fixed ? m->want : 0, m->bytes,
				 MAP_NORESERVE | (fixed ? MAP_FIXED : 0));
	if (wm_sys_bad(p))
		return p;
	if (fixed)
		wm_followed_left(m->want, m->bytes);
	if (m->prot != (PROT_READ | PROT_WRITE))
		WM_SYS3(SYS_mprotect, p, m->bytes, m->prot);
	return p;
}

static long move_away(struct moving *m)
{
	uint64_t bytes, by, back;
	long p;

	if (!is_one(m))
		return -EFAULT;
	p = find_place(m);
	if (wm_sys_bad(p))
		return p;
	if (m->end - m->old > m->bytes) {
		wm_followed_unmap(m->old + m->bytes,
				  m->end - m->old - m->bytes);
		m->end = m->old + m->bytes;
	}
	bytes = m->end - m->old;
	by = (uint64_t)p - m->old;
	back = m->old - (uint64_t)p;
	if (wm_followed_each(m->old, m->end, move_one, &by)) {
		/* The limit on the number of mappings is reached. */
		wm_followed_each((uint64_t)p, (uint64_t)p + bytes, move_one,
				 &back);
		wm_followed_unmap((uint64_t)p, m->bytes);
		return -ENOMEM;
	}
	if (m->bytes > bytes) {
		wm_followed_adopt((uint64_t)p + bytes, m->bytes - bytes,
				  m->prot, m->kind);
		wm_followed_lock_again((uint64_t)p + bytes,
				       (uint64_t)p + m->bytes, m->lock);
		wm_followed_lock((uint64_t)p + bytes, m->bytes - bytes,
				 m->lock);
	}
	if (m->flags & REMAP_KEEP &&
	    !wm_sys_bad(wm_backing_anonymous(m->old, bytes, MAP_FIXED))) {
		WM_SYS3(SYS_mprotect, m->old, bytes, m->prot);
		wm_followed_adopt(m->old, bytes, m->prot, m->kind);
	}
	return p;
}

static bool grow_in_place(const struct moving *m)
{
	const struct wm_watched_range *r = wm_ranges_at(
		wm_ranges_from(m->end - 1));
	struct wm_watched_range more = *r;
	uint64_t start = r->start > m->old ? r->start : m->old;
	uint64_t top = m->old + m->bytes, at = m->end + (uint64_t)r->shift;

	more.start = m->end;
	more.end = top;
	if (wm_followed_moved && wm_ranges_use(at, top + (uint64_t)more.shift))
		return false;
	if (wm_sys_bad(WM_SYS6(SYS_mremap, start, m->end - start, top - start,
			       0, 0, 0)))
		return false;
	if (wm_backing_watch(more.start, more.end))
		more.state = WM_RANGE_CLOSED;
	else if (more.state != WM_RANGE_CLOSED)
		more.state = WM_RANGE_FRESH;
	wm_followed_grown(&more);
	wm_ranges_add(&more); /* the caller made room */
	return true;
}

static bool is_followed(uint64_t start, uint64_t end)
{
	size_t i = wm_ranges_from(start);

	for (; i < wm_ranges_count(); i++) {
		const struct wm_watched_range *r = wm_ranges_at(i);

		if (r->start > start)
			return false;
		if (r->end >= end)
			return true;
		start = r->end;
	}
	return false;
}

/* Moves memory that is not followed, but may replace followed memory. */
static long move_others(const struct moving *m, uint64_t bytes)
{
	bool fixed = m->flags & MREMAP_FIXED;
	long r;

	if (fixed)
		wm_followed_leave(m->want, m->bytes);
	r = WM_SYS6(SYS_mremap, m->old, bytes, m->bytes, m->flags, m->want, 0);
	if (fixed && !wm_sys_bad(r))
		wm_followed_left(m->want, m->bytes);
	return r;
}

long wm_followed_remap(uint64_t old, uint64_t old_bytes, uint64_t bytes,
		       int flags, uint64_t want)
{
	uint64_t n = wm_page_up(old_bytes);
	struct moving m = { .old = old,
			    .end = old + n,
			    .bytes = wm_page_up(bytes),
			    .flags = flags,
			    .want = want };
	long e;

	if (!old_bytes)
		/* The kernel would make a second mapping of shared memory, but
		 * followed memory is shared only for the runtime. */
		return wm_followed_has(old, old + 1) ?
			       -EINVAL :
			       move_others(&m, old_bytes);
	if (is_wrong(&m) || !wm_followed_has(old, m.end))
		return is_wrong(&m) ? -EINVAL : move_others(&m, old_bytes);
	if (!is_followed(old, m.end))
		return -EFAULT;
	if (!wm_ranges_reserve())
		return -ENOMEM;
	m.kind = wm_ranges_at(wm_ranges_from(old))->kind;
	m.lock = wm_ranges_at(wm_ranges_from(old))->lock;
	if (!(flags & (MREMAP_FIXED | REMAP_KEEP))) {
		if (m.bytes <= n) {
			e = m.bytes < n ? wm_followed_unmap(old + m.bytes,
							    n - m.bytes) :
					  0;
			return wm_sys_bad(e) ? e : (long)old;
		}
		if (grow_in_place(&m))
			return (long)old;
	}
	if (flags & MREMAP_MAYMOVE)
		return move_away(&m);
	return is_one(&m) ? -ENOMEM : -EFAULT;
}
