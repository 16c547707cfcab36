/* SPDX-License-Identifier: Apache-2.0 */
/*
 * faults [huge]: what page faults of WM_PAGES take, in ns of CPU time a page,
 * each of 100,000 pages in a row (docs/benchmarks.md).  huge: MADV_HUGEPAGE.
 * Needs Linux 6.7 and userfaultfd.
 *
 *   gcc -O2 -o faults tests/bench/faults.c && nice -n -20 ./faults
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096ul
#define PAGES 100000ul
#define BYTES (PAGES * PAGE)
#define ALIGNED ((void *)0x200000000000)
#define WATCHED_AND_WRITTEN 3
#define PROTECT 1 /* PM_SCAN_WP_MATCHING */

struct scan_arg {
	uint64_t size, flags, start, end, walk_end, vec, vec_len, max_pages;
	uint64_t inverted, mask, any, wanted;
};

static int pagemap, watch, file;
static char *memory;
static double begun;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void begin(void)
{
	begun = now();
}

static void say(const char *what)
{
	printf("%6.0f %s\n", (now() - begun) / (double)PAGES, what);
}

static void touch(int writes)
{
	volatile char *p = memory;

	for (unsigned long i = 0; i < BYTES; i += PAGE)
		if (writes)
			p[i] = 1;
		else
			(void)p[i];
}

static void touch_and_say(int writes, const char *what)
{
	begin();
	touch(writes);
	say(what);
}

/* Protect what was written; all of it, and of each page be told nothing. */
static void protect(void)
{
	struct scan_arg a = { .size = sizeof(a),
			      .flags = PROTECT,
			      .start = (uintptr_t)memory,
			      .end = (uintptr_t)memory + BYTES,
			      .mask = WATCHED_AND_WRITTEN,
			      .wanted = WATCHED_AND_WRITTEN };

	if (ioctl(pagemap, 0xc0606610u, &a) < 0)
		perror("PAGEMAP_SCAN");
}

static void take_out(void)
{
	madvise(memory, BYTES, MADV_DONTNEED);
}

/* All of it new, in the file. */
static void map_new(int registers, int huge)
{
	struct uffdio_register r = { .range = { .len = BYTES },
				     .mode = UFFDIO_REGISTER_MODE_WP };

	fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, BYTES);
	memory = mmap(ALIGNED, BYTES, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_NORESERVE | MAP_FIXED, file, 0);
	if (huge)
		madvise(memory, BYTES, MADV_HUGEPAGE);
	r.range.start = (uintptr_t)memory;
	if (registers && ioctl(watch, UFFDIO_REGISTER, &r))
		perror("UFFDIO_REGISTER");
}

static int open_all(void)
{
	struct uffdio_api api = { .api = UFFD_API,
				  .features = 1u << 12 | 1u << 13 | 1u << 15 };

	pagemap = open("/proc/self/pagemap", O_RDONLY);
	watch = (int)syscall(SYS_userfaultfd, O_CLOEXEC | 1);
	file = memfd_create("faults", 0);
	return pagemap < 0 || watch < 0 || file < 0 || ftruncate(file, BYTES) ||
	       ioctl(watch, UFFDIO_API, &api);
}

int main(int argc, char **argv)
{
	(void)argv;
	if (open_all()) {
		perror("faults");
		return 1;
	}
	memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	touch_and_say(1, "new, private memory, written");
	munmap(memory, BYTES);
	map_new(0, argc > 1);
	touch(1);
	take_out();
	touch_and_say(0, "not registered, taken out, read");
	map_new(1, argc > 1);
	touch_and_say(1, "new, of the file, not armed, written");
	take_out();
	touch_and_say(0, "taken out, not protected, read");
	map_new(1, argc > 1);
	protect();
	touch_and_say(1, "new, of the file, armed, written");
	begin();
	protect();
	say("to protect it");
	touch_and_say(1, "there, protected, written");
	protect();
	begin();
	take_out();
	say("to take it out");
	touch_and_say(0, "taken out, read");
	protect();
	take_out();
	touch_and_say(1, "taken out, written");
	return 0;
}
