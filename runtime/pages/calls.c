/* SPDX-License-Identifier: Apache-2.0 */
/* The program's calls that change mappings, done for it (followed.h). */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/base/sys.h"
#include "runtime/pages/backing.h"
#include "runtime/pages/followed.h"

/* Headers of older systems do not have them. */
#define ADVICE_FREE 8
#define ADVICE_REMOVE 9
#define ADVICE_DONT_FORK 10
#define ADVICE_WIPE_ON_FORK 18
#define ADVICE_DONT_NEED_LOCKED 24
#define MAP_AT_FREE_ADDRESS 0x100000 /* MAP_FIXED_NOREPLACE */

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
	/* it may fail, and then all stays */
	r = WM_SYS2(SYS_munmap, start, bytes);
	if (ours && r == 0)
		wm_followed_left(start, bytes);
	return r;
}

/* The same zero pages that the kernel would give. */
static int empty_one(struct wm_page_range *r, const void *unused)
{
	int e = wm_followed_remember(r);

	(void)unused;
	wm_backing_hole(r->start, r->end, r->shift);
	return e ? e : r->armed ? wm_followed_arm(r) : 0;
}

/* Between ranges of ours may be other memory. */
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
		r = wm_followed_each(start, end, empty_one, NULL);
		return r ? r : advise_others(start, end, advice);
	case ADVICE_REMOVE:
		return -EINVAL; /* as of private memory */
	case ADVICE_DONT_FORK:
	case ADVICE_WIPE_ON_FORK:
		/* a child gets it in another way */
		r = wm_followed_each(start, end, wm_followed_make_anonymous,
				     &start);
		return r ? r : WM_SYS3(SYS_madvise, start, bytes, advice);
	default:
		return WM_SYS3(SYS_madvise, start, bytes, advice);
	}
}

static int arm_one(struct wm_page_range *r, const void *unused)
{
	(void)unused;
	return r->armed ? 0 : wm_followed_arm(r);
}

long wm_followed_protect(uint64_t start, uint64_t bytes, int prot)
{
	uint64_t end = start + wm_page_up(bytes);
	/* before the program can touch it */
	bool arms = prot != PROT_NONE && !(start % WM_PAGE) && end > start &&
		    wm_followed_has(start, end);

	if (arms)
		wm_followed_each(start, end, arm_one, NULL);
	return WM_SYS3(SYS_mprotect, start, bytes, prot);
}

/* ---- mremap ---- */

/* It goes on behind its end, where nothing is mapped. */
static bool grow_in_place(const struct wm_page_range *r, uint64_t end,
			  uint64_t bytes)
{
	struct wm_page_range more = { .start = end,
				      .end = end + bytes,
				      .shift = r->shift,
				      .kind = r->kind };
	long p;

	if (r->end != end || (wm_followed_moved &&
			      wm_ranges_use(end + (uint64_t)r->shift,
					    end + bytes + (uint64_t)r->shift)))
		return false;
	p = wm_backing_anonymous(end, bytes, MAP_AT_FREE_ADDRESS);
	if (wm_sys_bad(p))
		return false;
	/* an old kernel takes the address for a wish */
	if ((uint64_t)p == end &&
	    !wm_sys_bad(wm_backing_map(more.start, more.end, more.shift,
				       PROT_READ | PROT_WRITE, MAP_SHARED)) &&
	    wm_followed_enter(&more) == 0)
		return true;
	WM_SYS2(SYS_munmap, p, bytes);
	return false;
}

/* To a new place, which is larger: its pages move as they are, and keep their
 * bytes of the file. */
static long move_away(struct wm_page_range *old, uint64_t bytes)
{
	struct wm_page_range r = *old;
	uint64_t old_bytes = r.end - r.start;
	long p = wm_backing_anonymous(0, bytes, 0), e;

	if (wm_sys_bad(p))
		return p;
	/* it keeps its bytes of the file, and becomes one range with nothing
	 * that comes to lie beside it */
	old->kind = 0;
	e = wm_followed_remember(&r);
	if (e == 0)
		e = wm_followed_adopt((uint64_t)p + old_bytes,
				      bytes - old_bytes, PROT_READ | PROT_WRITE,
				      r.kind);
	if (e == 0)
		e = wm_sys6(SYS_mremap, (long)r.start, (long)old_bytes,
			    (long)old_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, p,
			    0);
	wm_ranges_remove(r.start, r.end);
	if (wm_sys_bad(e)) {
		wm_ranges_add(&r);
		wm_followed_unmap((uint64_t)p, bytes);
		return -ENOMEM;
	}
	r.shift += (int64_t)(r.start - (uint64_t)p);
	r.start = (uint64_t)p;
	r.end = r.start + old_bytes;
	wm_followed_moved = true;
	return wm_followed_enter(&r) ? -ENOMEM : p;
}

/* All other ways, which hardly anybody goes: by copying. */
static long copy_away(uint64_t old, uint64_t old_bytes, uint64_t bytes,
		      int flags, uint64_t want)
{
	uint64_t n = old_bytes < bytes ? old_bytes : bytes;
	bool fixed = flags & MREMAP_FIXED;
	long p;

	if (!(flags & MREMAP_MAYMOVE))
		return -ENOMEM;
	if (fixed && want < old + old_bytes && old < want + bytes)
		return -EINVAL;
	if (fixed)
		wm_followed_leave(want, bytes);
	p = wm_backing_anonymous(fixed ? want : 0, bytes,
				 fixed ? MAP_FIXED : 0);
	if (wm_sys_bad(p))
		return p;
	memcpy((void *)p, (void *)(uintptr_t)old, n);
	if (flags & 4 /* MREMAP_DONTUNMAP */)
		wm_followed_advise(old, old_bytes, MADV_DONTNEED);
	else
		wm_followed_unmap(old, old_bytes);
	return p;
}

long wm_followed_remap(uint64_t old, uint64_t old_bytes, uint64_t bytes,
		       int flags, uint64_t want)
{
	uint64_t from = wm_page_up(old_bytes), to = wm_page_up(bytes), end;
	struct wm_page_range *r;
	long e;

	if (old % WM_PAGE || !from || !to ||
	    (!wm_followed_has(old, old + from) &&
	     !(flags & MREMAP_FIXED && wm_followed_has(want, want + to))))
		return wm_sys6(SYS_mremap, (long)old, (long)old_bytes,
			       (long)bytes, flags, (long)want, 0);
	if (!wm_ranges_reserve())
		return -ENOMEM;
	if (flags & ~MREMAP_MAYMOVE)
		return copy_away(old, from, to, flags, want);
	if (to <= from) {
		e = to < from ? wm_followed_unmap(old + to, from - to) : 0;
		return wm_sys_bad(e) ? e : (long)old;
	}
	if (!wm_ranges_split(old) || !wm_ranges_split(old + from))
		return -ENOMEM;
	r = wm_ranges_at(wm_ranges_from(old));
	end = old + from;
	if (r->start != old || r->end != end)
		return copy_away(old, from, to, flags, want);
	if (grow_in_place(r, end, to - from))
		return (long)old;
	return flags & MREMAP_MAYMOVE ? move_away(r, to) : -ENOMEM;
}
