/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/base/pool.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/base/lock.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"

/* One mapping; this struct and its bits are in its first pages. */
struct region {
	struct region *next;
	/* pages of this struct; of the mapping; taken, with the former */
	size_t own, pages, used;
	size_t from, top; /* pages below from are taken, from top on free */
	uint64_t taken[]; /* a bit for each page */
};

static struct wm_lock lock;
static struct region *regions; /* the first one is never unmapped */
static size_t first_bytes;
static bool alone;
static _Atomic uint64_t mapped, high;

static size_t whole_pages(size_t bytes)
{
	return (bytes + WM_PAGE - 1) & ~(WM_PAGE - 1);
}

void wm_pool_count(int64_t bytes)
{
	uint64_t now = atomic_fetch_add(&mapped, (uint64_t)bytes) +
		       (uint64_t)bytes,
		 most = atomic_load(&high);

	while (now > most && !atomic_compare_exchange_weak(&high, &most, now))
		;
}

static bool is_taken(const struct region *r, size_t page)
{
	return r->taken[page / 64] >> page % 64 & 1;
}

static void mark_pages(struct region *r, size_t page, size_t n, bool taken)
{
	while (n) {
		size_t at = page % 64, some = n < 64 - at ? n : 64 - at;
		uint64_t bits = ~UINT64_C(0) >> (64 - some) << at;

		if (taken)
			r->taken[page / 64] |= bits;
		else
			r->taken[page / 64] &= ~bits;
		page += some;
		n -= some;
	}
}

/* Returns the first of @n pages, or NULL. */
static void *take_pages(struct region *r, size_t n)
{
	size_t run = 0, i;

	if (r->pages - r->used < n)
		return NULL;
	for (i = r->from; i < r->top && run < n; i++)
		run = is_taken(r, i) ? 0 : run + 1;
	/* The last hole continues above the top. */
	i -= run;
	if (r->pages - i < n)
		return NULL;
	mark_pages(r, i, n, true);
	r->used += n;
	if (i == r->from)
		r->from = i + n;
	if (i + n > r->top)
		r->top = i + n;
	return (char *)r + i * WM_PAGE;
}

/* Adds a region with @n free pages.  Returns NULL if there is no memory. */
static struct region *add_region(size_t n, bool touched)
{
	size_t own = whole_pages(sizeof(struct region) + n / 8 + 64) / WM_PAGE;
	size_t bytes = (own + n) * WM_PAGE;
	struct region *r, **end = &regions;
	long p;

	if (n > SIZE_MAX / 2 / WM_PAGE)
		return NULL;
	p = WM_SYS6(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | (touched ? MAP_POPULATE : 0),
		    -1, 0);
	if (wm_sys_bad(p))
		return NULL;
	/* A huge page could bring 511 other pages into memory. */
	if (!touched)
		WM_SYS3(SYS_madvise, p, bytes, MADV_NOHUGEPAGE);
	r = (void *)p;
	r->own = own;
	r->pages = own + n;
	mark_pages(r, 0, own, true);
	r->used = r->from = r->top = own;
	while (*end)
		end = &(*end)->next;
	*end = r;
	wm_pool_count((int64_t)bytes);
	return r;
}

bool wm_pool_start(size_t bytes, bool only)
{
	bool there;

	wm_lock_take(&lock);
	there = add_region(whole_pages(bytes) / WM_PAGE, only) != NULL;
	if (there) {
		first_bytes = bytes;
		alone = only;
	}
	wm_lock_drop(&lock);
	return there;
}

void *wm_pool_map_with(size_t bytes, size_t more)
{
	size_t n = whole_pages(bytes) / WM_PAGE;
	struct region *r;
	void *p = NULL;

	wm_lock_take(&lock);
	for (r = regions; r && !p; r = r->next)
		p = take_pages(r, n);
	if (!p && !alone) {
		r = add_region(n + whole_pages(more) / WM_PAGE, false);
		p = r ? take_pages(r, n) : NULL;
	}
	wm_lock_drop(&lock);
	return p;
}

void *wm_pool_map(size_t bytes)
{
	return wm_pool_map_with(bytes, 0);
}

/* Unmaps a region whose last page was given back, unless it is the first. */
static void give_back(struct region **link)
{
	struct region *r = *link;
	size_t bytes = r->pages * WM_PAGE;

	if (r == regions || r->used != r->own)
		return;
	*link = r->next;
	WM_SYS2(SYS_munmap, r, bytes);
	wm_pool_count(-(int64_t)bytes);
}

void wm_pool_unmap(void *p, size_t bytes)
{
	size_t n = whole_pages(bytes) / WM_PAGE, page;
	struct region **link = &regions, *r;

	wm_lock_take(&lock);
	while ((r = *link) && ((char *)p < (char *)r ||
			       (char *)p >= (char *)r + r->pages * WM_PAGE))
		link = &r->next;
	if (r) { /* else the pages are the parent's */
		page = (size_t)((char *)p - (char *)r) / WM_PAGE;
		/* Pages are zeroed for their next user.  The kernel does not
		 * discard pages that mlockall() has locked. */
		if (alone ||
		    WM_SYS3(SYS_madvise, p, n * WM_PAGE, MADV_DONTNEED))
			memset(p, 0, n * WM_PAGE);
		mark_pages(r, page, n, false);
		r->used -= n;
		if (page < r->from)
			r->from = page;
		give_back(link);
	}
	wm_lock_drop(&lock);
}

bool wm_pool_wipe(void *p, size_t bytes)
{
	return WM_SYS3(SYS_madvise, p, whole_pages(bytes),
		       18 /* MADV_WIPEONFORK */) == 0;
}

uint64_t wm_pool_high(void)
{
	return atomic_load_explicit(&high, memory_order_relaxed);
}

/* @fd is /proc/self/pagemap.  Without it mincore(2) is asked, which also counts
 * pages of a file that are only in the kernel's cache. */
static uint64_t count_resident(int fd, const char *p, size_t n, size_t page)
{
	static uint64_t here[512];
	uint64_t sum = 0;

	for (size_t i = 0, some; i < n; i += some) {
		const char *at = p + i * page;
		const uint8_t *byte = (const uint8_t *)here;

		some = n - i < 512 ? n - i : 512;
		if (WM_SYS4(SYS_pread64, fd, here, some * sizeof(*here),
			    (uintptr_t)at / page * sizeof(*here)) ==
		    (long)(some * sizeof(*here)))
			for (size_t k = 0; k < some; k++)
				sum += here[k] >> 63;
		else if (WM_SYS3(SYS_mincore, at, some * page, here) == 0)
			for (size_t k = 0; k < some; k++)
				sum += byte[k] & 1;
	}
	return sum;
}

uint64_t wm_pool_resident(void)
{
	int fd = wm_sys_open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0);
	const size_t page = wm_kernel_page();
	uint64_t n = 0;

	wm_lock_take(&lock);
	/* Memory above the top is untouched. */
	for (const struct region *r = regions; r; r = r->next)
		n += count_resident(fd, (const char *)r,
				    (alone ? r->pages : r->top) *
					    (WM_PAGE / page),
				    page);
	wm_lock_drop(&lock);
	if (fd >= 0)
		wm_sys_close(fd);
	return n * page;
}

bool wm_pool_region_from(uint64_t at, uint64_t *start, uint64_t *end)
{
	bool found = false;

	wm_lock_take(&lock);
	for (const struct region *r = regions; r; r = r->next) {
		uint64_t from = (uintptr_t)r, to = from + r->pages * WM_PAGE;

		if (to <= at || (found && to >= *end))
			continue;
		found = true;
		*start = from;
		*end = to;
	}
	wm_lock_drop(&lock);
	return found;
}

void wm_pool_forget(void)
{
	regions = NULL;
	atomic_store(&mapped, 0);
	atomic_store(&high, 0);
	/* If there is no first region, memory is mapped on demand. */
	if (first_bytes && !wm_pool_start(first_bytes, alone))
		alone = false;
}

int wm_buf_reserve(struct wm_buf *b, size_t more)
{
	size_t room;
	uint8_t *p;

	if (b->room - b->len >= more)
		return 0;
	room = whole_pages(b->len + more + b->room / 2);
	p = wm_pool_map(room);
	if (!p)
		return -1;
	if (b->p) {
		memcpy(p, b->p, b->len);
		wm_pool_unmap(b->p, b->room);
	}
	b->p = p;
	b->room = room;
	return 0;
}

int wm_buf_add(struct wm_buf *b, const void *p, size_t n)
{
	if (wm_buf_reserve(b, n))
		return -1;
	if (n)
		memcpy(b->p + b->len, p, n);
	b->len += n;
	return 0;
}
