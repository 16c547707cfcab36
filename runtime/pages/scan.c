/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/pages/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/uio.h>

#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/pages/runs.h"

/* struct pm_scan_arg of Linux 6.7, which older headers lack. */
struct scan_arg {
	uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
	uint64_t inverted, mask, any, wanted;
};
#define PAGEMAP_SCAN 0xc0606610u
#define SCAN_PROTECT 1 /* PM_SCAN_WP_MATCHING */
#define PAGE_WATCHED 1 /* PAGE_IS_WPALLOWED */
#define PAGE_WRITTEN 2
#define PAGE_OF_FILE 4
#define PAGE_PRESENT 8
#define PAGE_SWAPPED 16
#define PAGE_ZERO 32 /* the page that all share until they write */

struct region {
	uint64_t start, end, categories;
};

#define REGIONS 1024 /* the most that one call returns or takes out */

#define ENTRIES 512 /* at a time */
#define ENTRY_BYTES sizeof(uint64_t)
#define ENTRY_PROTECTED (UINT64_C(1) << 57)
#define ENTRY_SWAPPED (UINT64_C(1) << 62)
#define ENTRY_PRESENT (UINT64_C(1) << 63)

/* Not static data, because static data is followed itself. */
static struct {
	struct region found[REGIONS];
	struct iovec gone[REGIONS];
	uint64_t entries[ENTRIES];
} * room;
static int pagemap = -1;

static long scan(struct scan_arg *a)
{
	return WM_SYS3(SYS_ioctl, pagemap, PAGEMAP_SCAN, a);
}

int wm_scan_open(void)
{
	struct scan_arg a = { .size = sizeof(a),
			      .mask = PAGE_PRESENT,
			      .vec_len = 1,
			      .wanted = PAGE_PRESENT };
	long r;

	room = wm_pool_map(sizeof(*room));
	if (!room)
		return -ENOMEM;
	a.vec = a.start = (uintptr_t)room;
	a.end = a.start + WM_PAGE;
	pagemap = wm_sys_open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0);
	if (pagemap < 0)
		return pagemap;
	r = scan(&a);
	return r < 0 ? (int)r : 0;
}

/* When its own list of 512 entries is full, the kernel continues, but leaves
 * walk_end there (Linux 6.18).  If our list is not full, the scan was not
 * stopped: another one from walk_end would return the same pages again, out of
 * order. */
static bool is_done(const struct scan_arg *a, long n)
{
	return n < REGIONS || a->walk_end >= a->end;
}

/* Adds a run, for which there is room.  Returns true if it begins before the
 * end of the last one. */
static bool add_run(struct wm_buf *runs, uint64_t first, uint64_t end)
{
	struct wm_page_run *last = (void *)(runs->p + runs->len);

	if (runs->len && last[-1].end == first) {
		last[-1].end = end;
		return false;
	}
	last->first = first;
	last->end = end;
	runs->len += sizeof(*last);
	return last > wm_runs(runs) && last[-1].end > first;
}

/* Keeps @runs ascending even if pages are scanned twice because a list was
 * full. */
static int add_runs(struct wm_buf *runs, size_t n)
{
	bool disorder = false;

	if (wm_buf_reserve(runs, n * sizeof(struct wm_page_run)))
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		disorder |= add_run(runs, room->found[i].start / WM_PAGE,
				    room->found[i].end / WM_PAGE);
	if (disorder)
		wm_runs_sort(runs);
	return 0;
}

/* Adds all pages of @a to @runs, unless @runs is NULL. */
static int scan_all(struct scan_arg *a, struct wm_buf *runs)
{
	long n;

	a->size = sizeof(*a);
	a->wanted = (a->mask & ~a->inverted) | a->any;
	if (runs) {
		a->vec = (uintptr_t)room->found;
		a->vec_len = REGIONS;
	}
	for (;; a->start = a->walk_end) {
		n = scan(a);
		if (n < 0)
			return (int)n;
		if (runs && add_runs(runs, (size_t)n))
			return -ENOMEM;
		if (is_done(a, n))
			return 0;
	}
}

int wm_scan_written(uint64_t start, uint64_t end, struct wm_buf *runs)
{
	struct scan_arg a = { .flags = SCAN_PROTECT,
			      .start = start,
			      .end = end,
			      .mask = PAGE_WATCHED | PAGE_WRITTEN };

	return scan_all(&a, runs);
}

int wm_scan_private_written(uint64_t start, uint64_t end, struct wm_buf *runs)
{
	struct scan_arg a = { .flags = SCAN_PROTECT,
			      .start = start,
			      .end = end,
			      .inverted = PAGE_ZERO | PAGE_OF_FILE,
			      .mask = PAGE_WATCHED | PAGE_WRITTEN | PAGE_ZERO |
				      PAGE_OF_FILE,
			      .any = PAGE_PRESENT | PAGE_SWAPPED };

	return scan_all(&a, runs);
}

int wm_scan_private_held(uint64_t start, uint64_t end, struct wm_buf *runs)
{
	struct scan_arg a = { .start = start,
			      .end = end,
			      .inverted = PAGE_ZERO,
			      .mask = PAGE_ZERO,
			      .any = PAGE_PRESENT | PAGE_SWAPPED };

	return scan_all(&a, runs);
}

int wm_scan_present(uint64_t start, uint64_t end, struct wm_buf *runs)
{
	struct scan_arg a = { .start = start,
			      .end = end,
			      .mask = PAGE_WATCHED | PAGE_PRESENT };

	return scan_all(&a, runs);
}

/* Takes out all of the pages in one call, if the kernel can (Linux 6.13 for the
 * caller's memory, 6.15 for PIDFD_SELF). */
static bool let_go_at_once(size_t n)
{
	struct iovec *list = room->gone;
	uint64_t bytes = 0;
	long r;

	for (size_t i = 0; i < n; i++) {
		list[i].iov_base = (void *)(uintptr_t)room->found[i].start;
		list[i].iov_len = room->found[i].end - room->found[i].start;
		bytes += list[i].iov_len;
	}
	r = WM_SYS6(440 /* SYS_process_madvise */, -10001 /* PIDFD_SELF */,
		    list, n, MADV_DONTNEED, 0, 0);
	return r > 0 && (uint64_t)r == bytes;
}

/* A locked page stays, and counts as accessed again. */
static void let_go(size_t n)
{
	if (n > 1 && let_go_at_once(n))
		return;
	for (size_t i = 0; i < n; i++)
		WM_SYS3(SYS_madvise, room->found[i].start,
			room->found[i].end - room->found[i].start,
			MADV_DONTNEED);
}

/* Protects pages that are in no page table, too, so that a read is not taken
 * for a write. */
static int protect(uint64_t first, uint64_t end)
{
	struct scan_arg a = { .flags = SCAN_PROTECT,
			      .start = first * WM_PAGE,
			      .end = end * WM_PAGE,
			      .mask = PAGE_WATCHED };

	return scan_all(&a, NULL);
}

/* Reads entries of the pages from @first on, below @end.  Returns their
 * number. */
static long read_entries(uint64_t first, uint64_t end)
{
	size_t n = end - first < ENTRIES ? end - first : ENTRIES;
	long r = WM_SYS4(SYS_pread64, pagemap, room->entries, n * ENTRY_BYTES,
			 first * ENTRY_BYTES);

	return r > 0 ? r / (long)ENTRY_BYTES : r < 0 ? r : -EIO;
}

/* Adds pages of @r that were written late.  room->entries: @n, from page @first
 * on. */
static int add_late(struct wm_buf *late, const struct wm_page_run *r,
		    uint64_t first, size_t n)
{
	const uint64_t protected = ENTRY_PRESENT | ENTRY_SWAPPED |
				   ENTRY_PROTECTED;
	uint64_t at = r->first > first ? r->first : first;
	uint64_t end = r->end < first + n ? r->end : first + n;
	int e = 0;

	while (at < end && e == 0) {
		uint64_t from = at;

		while (at < end && !(room->entries[at - first] & protected))
			at++;
		if (at == from) {
			at++;
			continue;
		}
		if (wm_buf_reserve(late, sizeof(*r)))
			return -ENOMEM;
		add_run(late, from, at);
		e = protect(from, at);
	}
	return e;
}

/* Finds pages of the @n removed regions that were written between the two
 * scans: a page that was taken out leaves its protection, unless it was written
 * after the first. */
static int find_late(struct wm_buf *late, size_t n)
{
	uint64_t first = 0, last = room->found[n ? n - 1 : 0].end / WM_PAGE;
	long entries = 0;
	int e = 0;

	for (size_t i = 0; i < n && e == 0; i++) {
		struct wm_page_run r = { room->found[i].start / WM_PAGE,
					 room->found[i].end / WM_PAGE };

		while (r.first < r.end && e == 0) {
			if (r.first >= first + (uint64_t)entries) {
				first = r.first;
				entries = read_entries(first, last);
				if (entries < 0)
					return (int)entries;
			}
			e = add_late(late, &r, first, (size_t)entries);
			r.first = first + (uint64_t)entries;
		}
	}
	return e;
}

int wm_scan_accessed(uint64_t start, uint64_t end, struct wm_buf *runs,
		     struct wm_buf *late)
{
	struct scan_arg a = { .size = sizeof(a),
			      .start = start,
			      .end = end,
			      .mask = PAGE_WATCHED | PAGE_PRESENT,
			      .vec = (uintptr_t)room->found,
			      .vec_len = REGIONS,
			      .wanted = PAGE_PRESENT };
	long n;
	int e;

	for (;; a.start = a.walk_end) {
		n = scan(&a);
		if (n < 0)
			return (int)n;
		if (add_runs(runs, (size_t)n))
			return -ENOMEM;
		let_go((size_t)n);
		e = find_late(late, (size_t)n);
		if (e)
			return e;
		if (is_done(&a, n))
			return 0;
	}
}
