/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/pages/followed.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>

#include "wm/trace_format.h"

#include "runtime/base/sys.h"
#include "runtime/pages/backing.h"
#include "runtime/pages/maps.h"
#include "runtime/pages/page_hooks.h"
#include "runtime/pages/runs.h"
#include "runtime/pages/scan.h"

_Atomic int wm_pages_on;
struct wm_pages_gone wm_pages_gone;
bool wm_followed_moved;

bool wm_followed_ended;
uint8_t wm_followed_future_lock;

static uint64_t file_top = WM_BACKING_IDENTITY;

/* A mapping that was moved may use the bytes of the file at shift 0. */
static int64_t choose_shift(uint64_t start, uint64_t end)
{
	int64_t shift = 0;

	if (wm_followed_moved && wm_ranges_use(start, end)) {
		shift = (int64_t)(file_top - start);
		file_top += end - start;
	}
	return shift;
}

void wm_followed_grown(const struct wm_watched_range *r)
{
	if (r->end + (uint64_t)r->shift > file_top)
		file_top = r->end + (uint64_t)r->shift;
}

int wm_followed_arm(struct wm_watched_range *r)
{
	int e = wm_scan_written(r->start, r->end, NULL);

	if (e == 0)
		r->state = WM_RANGE_ARMED;
	return e;
}

int wm_followed_enter(struct wm_watched_range *r)
{
	if (wm_backing_watch(r->start, r->end) ||
	    (r->state == WM_RANGE_ARMED && wm_followed_arm(r)))
		/* The memory is not scanned, but its bytes of the file are in
		 * use. */
		r->state = WM_RANGE_CLOSED;
	return wm_ranges_add(r) ? 0 : -ENOMEM;
}

#define SMALL (UINT64_C(64) << 20)

/* Whether watched ranges would be larger than the machine's memory.  Watching
 * takes page tables for all of a range (1/512), and time in each epoch.  A
 * mapping that is too large is used only in parts. */
static bool is_too_large(uint64_t bytes)
{
	static uint64_t memory;
	struct sysinfo info;
	uint64_t all = bytes;

	if (bytes < SMALL)
		return false;
	if (!memory && WM_SYS1(SYS_sysinfo, &info) == 0)
		memory = (uint64_t)info.totalram * info.mem_unit;
	for (size_t i = 0; i < wm_ranges_count(); i++)
		if (wm_ranges_at(i)->state != WM_RANGE_CLOSED)
			all += wm_ranges_at(i)->end - wm_ranges_at(i)->start;
	return all > memory;
}

static void give_up(const struct wm_watched_range *r, int prot)
{
	WM_SYS6(SYS_mmap, r->start, r->end - r->start, prot,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
}

/* A core file would have all pages of a shared mapping: for a reservation, its
 * whole size. */
static void leave_out_of_core(const struct wm_watched_range *r, bool on)
{
	WM_SYS3(SYS_madvise, r->start, r->end - r->start,
		on ? MADV_DONTDUMP : MADV_DODUMP);
}

int wm_followed_adopt(uint64_t start, uint64_t bytes, int prot, uint8_t kind)
{
	struct wm_watched_range r = { .start = start,
				      .end = start + wm_page_up(bytes),
				      .kind = kind,
				      .lock = wm_followed_future_lock,
				      .state = prot == PROT_NONE ?
						       WM_RANGE_CLOSED :
						       WM_RANGE_FRESH };
	long e;

	/* Page accesses may have ended while the caller waited. */
	if (wm_followed_ended || r.end > WM_BACKING_IDENTITY ||
	    (prot != PROT_NONE && is_too_large(bytes)) || !wm_ranges_reserve())
		return -ENOMEM;
	/* These ranges were unmapped by a call that was not seen. */
	wm_followed_each(r.start, r.end, wm_followed_drop, NULL);
	r.shift = choose_shift(r.start, r.end);
	e = wm_backing_map(r.start, r.end, r.shift, prot, MAP_SHARED);
	if (wm_sys_bad(e))
		return (int)e;
	e = wm_backing_watch(r.start, r.end);
	if (prot == PROT_NONE)
		leave_out_of_core(&r, true);
	if (e == 0 && !wm_ranges_add(&r))
		e = -ENOMEM;
	if (e)
		give_up(&r, prot);
	return (int)e;
}

int wm_followed_open(struct wm_watched_range *r, const void *prot)
{
	uint64_t at = r->start, end;

	if (r->state != WM_RANGE_CLOSED)
		return 0;
	leave_out_of_core(r, false);
	if (wm_backing_next(r, &at, &end))
		return wm_followed_arm(r);
	if (!is_too_large(r->end - r->start)) {
		r->state = WM_RANGE_FRESH;
		return 0;
	}
	give_up(r, *(const int *)prot);
	wm_ranges_remove(r->start, r->end);
	return 0;
}

int wm_followed_each(uint64_t start, uint64_t end,
		     int (*f)(struct wm_watched_range *, const void *),
		     const void *arg)
{
	size_t i;
	int r = 0;

	if (!wm_ranges_split(start) || !wm_ranges_split(end))
		return -ENOMEM;
	while (r == 0 && (i = wm_ranges_from(start)) < wm_ranges_count()) {
		struct wm_watched_range *range = wm_ranges_at(i);

		if (range->start >= end)
			break;
		start = range->end;
		r = f(range, arg);
	}
	return r;
}

/* New memory is armed before it is scanned.  Present pages count as accessed,
 * even if they were touched in between. */
int wm_followed_ask(struct wm_watched_range *r, struct wm_buf *accessed,
		    struct wm_buf *written)
{
	struct wm_buf *late = &wm_pages_gone.written;
	int e;

	if (r->lock)
		return 0;
	switch (r->state) {
	case WM_RANGE_FRESH:
		e = wm_followed_arm(r);
		if (e)
			return e;
		return accessed ? wm_scan_accessed(r->start, r->end, written,
						   late) :
				  wm_scan_present(r->start, r->end, written);
	case WM_RANGE_ARMED:
		e = wm_scan_written(r->start, r->end, written);
		if (e || !accessed)
			return e;
		return wm_scan_accessed(r->start, r->end, accessed, late);
	default:
		return 0;
	}
}

int wm_followed_remember(const struct wm_watched_range *r)
{
	struct wm_watched_range gone = *r;

	if (r->state == WM_RANGE_FRESH && !r->lock)
		return wm_scan_present(r->start, r->end,
				       &wm_pages_gone.written);
	return wm_followed_ask(&gone, &wm_pages_gone.accessed,
			       &wm_pages_gone.written);
}

static int remember_one(struct wm_watched_range *r, const void *unused)
{
	(void)unused;
	return wm_followed_remember(r);
}

int wm_followed_drop(struct wm_watched_range *r, const void *unused)
{
	(void)unused;
	wm_backing_hole(r->start, r->end, r->shift);
	wm_ranges_remove(r->start, r->end);
	return 0;
}

int wm_followed_leave(uint64_t start, uint64_t bytes)
{
	return wm_followed_each(start, start + wm_page_up(bytes), remember_one,
				NULL);
}

int wm_followed_left(uint64_t start, uint64_t bytes)
{
	return wm_followed_each(start, start + wm_page_up(bytes),
				wm_followed_drop, NULL);
}

bool wm_followed_has(uint64_t start, uint64_t end)
{
	size_t i = wm_ranges_from(start);

	return i < wm_ranges_count() && wm_ranges_at(i)->start < end;
}

/* Reads of locked memory cannot be found, because the kernel refuses
 * MADV_DONTNEED there. */
static int lock_one(struct wm_watched_range *r, const void *how)
{
	uint8_t lock = *(const uint8_t *)how;
	int e = lock ? wm_followed_remember(r) : 0;

	if (!lock && r->lock) {
		/* Accesses during this call belong to no epoch.  It fails if
		 * the memory is still locked, as after an mlock that failed. */
		if (WM_SYS3(SYS_madvise, r->start, r->end - r->start,
			    MADV_DONTNEED) == -EINVAL)
			return 0;
		if (r->state != WM_RANGE_CLOSED)
			wm_followed_arm(r);
	}
	r->lock = lock;
	return e;
}

int wm_followed_lock(uint64_t start, uint64_t bytes, uint8_t how)
{
	uint64_t from = start & ~(uint64_t)(WM_PAGE - 1);

	return wm_followed_each(from, wm_page_up(start + bytes), lock_one,
				&how);
}

void wm_followed_lock_again(uint64_t start, uint64_t end, uint8_t how)
{
	if (how)
		WM_SYS3(SYS_mlock2, start, end - start,
			how == WM_PAGES_LOCK_ON_FAULT);
}

/* Lists the pages of @m with contents, as runs: of a file all, because some may
 * not have been read yet. */
static int list_held(const struct wm_map *m, struct wm_buf *held)
{
	const struct wm_page_run all = { m->start / WM_PAGE, m->end / WM_PAGE };

	held->len = 0;
	if (m->name != WM_MAP_FILE)
		return wm_scan_private_held(m->start, m->end, held);
	return wm_buf_add(held, &all, sizeof(all)) ? -ENOMEM : 0;
}

static int enter_part(uint64_t start, uint64_t end, uint8_t kind, uint8_t state)
{
	struct wm_watched_range r = {
		.start = start, .end = end, .kind = kind, .state = state
	};

	return start < end ? wm_followed_enter(&r) : 0;
}

/* No thread may write to @m meanwhile. */
static int take_over(const struct wm_map *m, uint8_t kind)
{
	static struct wm_buf held;
	long e = list_held(m, &held);
	const struct wm_page_run *run = wm_runs(&held);
	const struct wm_page_run *end = run + wm_runs_count(&held);
	uint64_t at = m->start;

	for (const struct wm_page_run *r = run; r < end && e == 0; r++)
		e = wm_backing_copy(r->first * WM_PAGE, r->end * WM_PAGE);
	if (e == 0)
		e = wm_backing_map(m->start, m->end, 0, m->prot, MAP_SHARED);
	if (wm_sys_bad(e))
		return (int)e;
	/* Parts without contents are like new memory. */
	for (e = 0; run < end && e == 0; at = run++->end * WM_PAGE) {
		e = enter_part(at, run->first * WM_PAGE, kind, WM_RANGE_FRESH);
		if (e == 0)
			e = enter_part(run->first * WM_PAGE, run->end * WM_PAGE,
				       kind, WM_RANGE_ARMED);
	}
	if (e == 0)
		e = enter_part(at, m->end, kind, WM_RANGE_FRESH);
	/* Until the memory was watched, a fault also brought the pages around
	 * it. */
	WM_SYS3(SYS_madvise, m->start, m->end - m->start, MADV_DONTNEED);
	return (int)e;
}

extern char __data_start[] __attribute__((weak)), _end[];

/* Loads the address of _end from memory: large static data (-mcmodel=medium) is
 * too far for the 32-bit distance of a reference in code. */
static char *const volatile data_end = _end;

/* Static data is a private mapping of the executable, or the nameless mapping
 * after it. */
static bool is_static_data(const struct wm_map *m)
{
	uint64_t start = (uintptr_t)__data_start, end = (uintptr_t)data_end;

	return start && m->start < end && m->end > start;
}

/* The main thread's storage is in the first heap. */
static void name_storage(uint64_t start, uint64_t end)
{
	if (!wm_ranges_split(start) || !wm_ranges_split(end))
		return;
	for (size_t i = wm_ranges_from(start); i < wm_ranges_count(); i++) {
		struct wm_watched_range *r = wm_ranges_at(i);

		if (r->start >= end)
			break;
		r->kind = WMT_COVERED_TLS;
	}
}

const char *wm_followed_begin(uint64_t storage, uint64_t storage_end)
{
	static struct wm_buf maps;
	const struct wm_map *m;
	const char *why = NULL;

	if (wm_maps_read(&maps))
		return "/proc/self/maps cannot be read";
	m = (const void *)maps.p;
	for (size_t i = 0; i < maps.len / sizeof(*m) && !why; i++) {
		bool is_break = m[i].name == WM_MAP_BREAK;

		if (!(m[i].prot & PROT_WRITE) || m[i].shared ||
		    (!is_break && !is_static_data(&m[i])))
			continue;
		if (take_over(&m[i], is_break ? WMT_COVERED_BREAK :
						WMT_COVERED_STATIC))
			why = "static data cannot be mapped anew";
	}
	name_storage(storage & ~(uint64_t)(WM_PAGE - 1),
		     wm_page_up(storage_end));
	return why;
}

int wm_followed_retake(uint64_t start, uint64_t end, uint8_t kind)
{
	const struct wm_map m = { .start = start,
				  .end = end,
				  .prot = PROT_READ | PROT_WRITE };

	return take_over(&m, kind);
}
