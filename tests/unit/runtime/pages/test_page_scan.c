/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel lists pages while a thread goes on writing: each page once, in
 * order, in more runs than the kernel collects at a time (512).  A page that is
 * written between the two questions is in the second answer. */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/pages/runs.h"
#include "runtime/pages/scan.h"
#include "tests/unit/tap.h"

#define PAGE 4096u
#define PAGES 8192u
#define ROUNDS 100

/* Stub of runtime/base/pool.h, without regions. */
void *wm_pool_map(size_t bytes)
{
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int wm_buf_reserve(struct wm_buf *b, size_t more)
{
	if (b->room - b->len >= more)
		return 0;
	b->room = 2 * (b->room + more);
	b->p = realloc(b->p, b->room);
	return b->p ? 0 : -1;
}

static volatile char *memory;
static atomic_int stops;
static struct wm_buf late;

static void *write_on(void *arg)
{
	unsigned i = 1;

	(void)arg;
	while (!atomic_load(&stops)) {
		i = i * 1103515245u + 12345u;
		memory[(i >> 8) % (PAGES / 2) * 2 * PAGE] = 1;
	}
	return NULL;
}

static int watch(void)
{
	struct uffdio_api api = { .api = UFFD_API,
				  .features = 1u << 12 | 1u << 13 | 1u << 15 };
	struct uffdio_register r = { .range = { .len = PAGES * PAGE },
				     .mode = UFFDIO_REGISTER_MODE_WP };
	int fd = (int)syscall(SYS_userfaultfd, O_CLOEXEC | 1);

	memory = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	r.range.start = (uintptr_t)memory;
	return fd < 0 || memory == MAP_FAILED || wm_scan_open() ||
	       ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &r);
}

static bool is_at(const struct wm_buf *b, size_t i, unsigned page)
{
	const struct wm_page_run *r = wm_runs(b) + i;

	return r->first == (uintptr_t)memory / PAGE + page &&
	       r->end == r->first + 1;
}

static bool is_in_order(const struct wm_buf *b)
{
	for (size_t i = 1; i < wm_runs_count(b); i++)
		if (wm_runs(b)[i].first < wm_runs(b)[i - 1].end)
			return false;
	return true;
}

static int scan(struct wm_buf *b, bool written)
{
	uint64_t start = (uintptr_t)memory, end = start + PAGES * PAGE;

	b->len = 0;
	late.len = 0;
	return written ? wm_scan_written(start, end, b) :
			 wm_scan_accessed(start, end, b, &late);
}

/* Page 1, which is not touched again, and page 3, which is read afterwards. */
static void test_between(struct wm_buf *runs)
{
	int failed = scan(runs, true) | scan(runs, false);

	for (unsigned i = 0; i < 5; i++)
		memory[i * PAGE] = 1;
	failed |= scan(runs, true);
	memory[PAGE]++;
	memory[3 * PAGE]++;
	failed |= scan(runs, false);
	ok(!failed && wm_runs_pages(runs) == 5 && wm_runs_pages(&late) == 2 &&
		   is_at(&late, 0, 1) && is_at(&late, 1, 3),
	   "written between the questions");
	failed = memory[3 * PAGE] != 2 || scan(runs, true);
	ok(!failed && !runs->len, "and not once more when it is read");
	memory[3 * PAGE]++;
	failed = scan(runs, true);
	ok(!failed && wm_runs_count(runs) == 1 && is_at(runs, 0, 3),
	   "but when it is written again");
}

int main(void)
{
	static struct wm_buf runs;
	int failed = 0, mixed = 0, most = 0;
	pthread_t thread;

	tap_plan(6);
	if (watch()) {
		for (int i = 0; i < 6; i++)
			ok(true, "# SKIP the kernel cannot tell");
		return tap_done();
	}
	failed = scan(&runs, true); /* tells nothing: it only protects */
	for (unsigned i = 0; i < PAGES; i += 2)
		memory[i * PAGE] = 1;
	failed |= scan(&runs, true);
	ok(!failed && wm_runs_pages(&runs) == PAGES / 2 && is_in_order(&runs),
	   "all that was written, none twice");
	pthread_create(&thread, NULL, write_on, NULL);
	for (int i = 0; i < ROUNDS; i++) {
		usleep(2000);
		failed |= scan(&runs, i & 1);
		mixed += !is_in_order(&runs);
		if ((int)wm_runs_count(&runs) > most)
			most = (int)wm_runs_count(&runs);
	}
	atomic_store(&stops, 1);
	pthread_join(thread, NULL);
	ok(!failed && !mixed, "beside a writer: in order (%d lists are not)",
	   mixed);
	ok(most > 512, "lists were long enough (%d runs)", most);
	test_between(&runs);
	free(runs.p);
	free(late.p);
	return tap_done();
}
