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

/* As the kernel has it since Linux 6.7; headers of older systems do not. */
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
#define PAGE_ZERO 32 /* the one that all share until they write */

struct region {
	uint64_t start, end, categories;
};

#define REGIONS 1024 /* at a time; not above what one call lets go */

/* Not static data: that is followed itself. */
static struct {
	struct region found[REGIONS];
	struct iovec gone[REGIONS];
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

/*
 * The kernel goes on by itself when its own list of 512 is full, but leaves
 * walk_end where that was (Linux 6.18).  A list that is not full
 * was not stopped: whoever went on from walk_end would ask about the same
 * pages once more, and has them twice, out of order, when the program goes on.
 */
static bool is_done(const struct scan_arg *a, long n)
{
	return n < REGIONS || a->walk_end >= a->end;
}

/* Ascending, whatever a list that was just full makes us ask twice. */
static int add_runs(struct wm_buf *runs, size_t n)
{
	struct wm_page_run *last;
	size_t disorder = 0;

	if (wm_buf_reserve(runs, n * sizeof(*last)))
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		uint64_t first = room->found[i].start / WM_PAGE;
		uint64_t end = room->found[i].end / WM_PAGE;

		last = (void *)(runs->p + runs->len);
		if (runs->len && last[-1].end == first) {
			last[-1].end = end;
			continue;
		}
		disorder += runs->len && last[-1].end > first;
		last->first = first;
		last->end = end;
		runs->len += sizeof(*last);
	}
	if (disorder)
		wm_runs_sort(runs);
	return 0;
}

/* All of @a, into @runs; NULL: nobody is told. */
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

/* All of them in one call, where the kernel can (Linux 6.13 takes it for
 * one's own memory, 6.15 has the number for oneself). */
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
	r = wm_sys6(440 /* SYS_process_madvise */, -10001 /* PIDFD_SELF */,
		    (long)list, (long)n, MADV_DONTNEED, 0, 0);
	return r > 0 && (uint64_t)r == bytes;
}

/* What is locked stays, and counts as accessed again. */
static void let_go(size_t n)
{
	if (n > 1 && let_go_at_once(n))
		return;
	for (size_t i = 0; i < n; i++)
		WM_SYS3(SYS_madvise, room->found[i].start,
			room->found[i].end - room->found[i].start,
			MADV_DONTNEED);
}

int wm_scan_accessed(uint64_t start, uint64_t end, struct wm_buf *runs)
{
	struct scan_arg a = { .size = sizeof(a),
			      .start = start,
			      .end = end,
			      .mask = PAGE_WATCHED | PAGE_PRESENT,
			      .vec = (uintptr_t)room->found,
			      .vec_len = REGIONS,
			      .wanted = PAGE_PRESENT };
	long n;

	for (;; a.start = a.walk_end) {
		n = scan(&a);
		if (n < 0)
			return (int)n;
		if (add_runs(runs, (size_t)n))
			return -ENOMEM;
		let_go((size_t)n);
		if (is_done(&a, n))
			return 0;
	}
}
