/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/resident.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "wm/trace_format.h"

#include "runtime/base/clock.h"
#include "runtime/base/file_text.h"
#include "runtime/base/lock.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/trace/child_usage.h"
#include "runtime/trace/faults.h"
#include "runtime/trace/head.h"

#define LOOK_NS 100000000u /* least time between looks for blocks */
#define GOING_NS 10000000u /* likewise, when memory is unmapped */
#define AT_ONCE 16 /* looks that may come sooner, because a program cleans up */
#define WALK_SHARE 50 /* pages are walked for 1/50 of the time at most */
#define STACKS 256
#define ALL ((uint64_t)1 << 47) /* more than there can be */
#define HUGE ((uint64_t)2 << 20)

struct look {
	uint64_t mapped, rss, high, stack, file, shared, exe, lib;
	uint64_t size, data;
	bool parted; /* file and shared are known */
	uint64_t other; /* shared, and the part of file that is no code */
	uint64_t thread_stacks;
	uint64_t swapped, threads;
};

struct faults {
	uint64_t pages, huge;
};

static struct {
	int forks; /* shows which process this is, as in lock.h */
	uint64_t shared, private, thread_stacks;
	/* The bytes that were shared when their pages were walked, and the
	 * process's part of them, in 1/1024. */
	uint64_t walked, part;
	uint64_t walk_end, walk_ns;
	/* At the last look: shared bytes, and `gone`; mapped bytes that could
	 * not be private data; resident code. */
	uint64_t floor, floor_gone, others, code;
	uint64_t most; /* private since the last wm_resident_look(), at most */
	/* At that look: threads, and stacks made so far; 0: not yet. */
	uint64_t threads, stacks;
	/* When smaps was read: bytes of files; those that are not code. */
	uint64_t file, file_data, smaps_end, smaps_ns;
	/* Since wm_resident_begin(): bytes touched before it; shared bytes at
	 * the last wm_resident_look(). */
	bool began;
	uint64_t touched, shared_then;
	struct faults faults;
} seen;
static char buf[8192];
static const char *rest; /* in buf, after the last field that was found */
static _Atomic uint64_t before; /* time of the last look; 0: none */
static _Atomic uint64_t gone; /* bytes that may have been shared, unmapped */
static _Atomic uint64_t faded; /* freed since the last wm_resident_look() */
static _Atomic int at_once = AT_ONCE;
static _Atomic bool huge_pages;
static _Atomic bool maps_files; /* the program, not the loader */

static bool read_status(const char *path)
{
	size_t n = wm_file_text(path, buf, sizeof(buf));

	rest = buf;
	return n != 0;
}

/* Stores field @name, in bytes.  Fields have to be read in their order.
 * Returns false if the field is not there. */
static bool field(const char *name, uint64_t *bytes)
{
	const char *p = strstr(rest, name);
	uint64_t kib;

	*bytes = 0;
	if (!p)
		return false;
	p += strlen(name);
	while (*p == ' ' || *p == '\t')
		p++;
	if (!wm_str_uint(p, &kib))
		return false;
	*bytes = kib * 1024;
	rest = p;
	return true;
}

static uint64_t above(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Returns the bytes of files that count as shared.  Pages of files are shared,
 * except code and constants of programs and libraries, which batch systems
 * count in each process.  If the program maps files itself, code and constants
 * are read from smaps; else they are estimated as twice the code.  Reading
 * smaps takes at most 1/50 of the time, or 1/3 after much growth; between two
 * readings, growth is taken for code, and shrinking for data. */
static uint64_t file_data(const struct look *l)
{
	uint64_t now = wm_clock_ns(CLOCK_MONOTONIC);
	bool grown = l->file / 5 * 4 > seen.file;
	uint64_t code;

	if (atomic_load(&maps_files) &&
	    now - seen.smaps_end >= seen.smaps_ns * (grown ? 2 : WALK_SHARE)) {
		if (wm_resident_code(&code)) {
			seen.file = l->file;
			seen.file_data = above(l->file, code);
		}
		seen.smaps_end = wm_clock_ns(CLOCK_MONOTONIC);
		seen.smaps_ns = seen.smaps_end - now;
	}
	return seen.file ? above(seen.file_data, above(seen.file, l->file)) :
			   above(l->file, 2 * (l->exe + l->lib));
}

void wm_resident_file(void)
{
	atomic_store(&maps_files, true);
}

static bool look_at_status(struct look *l)
{
	/* After the main thread has ended, its file has no figures. */
	if (!read_status("/proc/thread-self/status") ||
	    strncmp(buf, "Name:", 5) != 0)
		return false;
	field("\nVmPeak:", &l->mapped);
	field("\nVmSize:", &l->size);
	field("\nVmHWM:", &l->high);
	field("\nVmRSS:", &l->rss);
	l->parted = field("\nRssFile:", &l->file) &&
		    field("\nRssShmem:", &l->shared);
	field("\nVmData:", &l->data);
	field("\nVmStk:", &l->stack);
	field("\nVmExe:", &l->exe);
	field("\nVmLib:", &l->lib);
	field("\nVmSwap:", &l->swapped);
	if (field("\nThreads:", &l->threads))
		l->threads /= 1024; /* not in KiB */
	if (l->parted)
		l->other = l->shared + file_data(l);
	return true;
}

/* Computes the process's part of shared memory, if each page is divided among
 * the processes that map it.  The smallest part is kept, because other
 * processes may not have touched the memory yet, or may have left it; a larger
 * part replaces it only when much more memory is shared. */
static void walk(const struct look *l)
{
	uint64_t now = wm_clock_ns(CLOCK_MONOTONIC), shm, file, rss, part;

	if (l->other < wm_kernel_page() || l->other < seen.shared / 4 * 3 ||
	    (l->other / 2 < seen.walked &&
	     now - seen.walk_end < seen.walk_ns * WALK_SHARE))
		return;
	if (read_status("/proc/self/smaps_rollup") &&
	    field("\nPss_File:", &file) && field("\nPss_Shmem:", &shm)) {
		rss = l->shared + l->file;
		/* for files, the average */
		part = shm +
		       (l->file ? (uint64_t)((__uint128_t)file *
					     (l->other - l->shared) / l->file) :
				  0);
		part = part > l->other ? 1024 : part * 1024 / l->other;
		if (rss && (!seen.walked || part < seen.part ||
			    l->other > seen.walked / 4 * 5)) {
			seen.part = part;
			seen.walked = l->other;
		}
	}
	seen.walk_end = wm_clock_ns(CLOCK_MONOTONIC);
	seen.walk_ns = seen.walk_end - now;
}

static struct stack {
	_Atomic uint64_t at;
	uint64_t bytes;
} stacks[STACKS];
static _Atomic unsigned next_stack;
static _Atomic uint64_t largest_stack;

/* Replaces the oldest stack: most programs have fewer stacks. */
void wm_resident_stack(const void *p, size_t bytes)
{
	unsigned i = atomic_fetch_add(&next_stack, 1) % STACKS;

	for (unsigned k = 0; k < STACKS; k++)
		if (atomic_load(&stacks[k].at) == (uintptr_t)p)
			i = k;
	atomic_store(&stacks[i].at, 0);
	stacks[i].bytes = bytes;
	if (bytes > atomic_load(&largest_stack))
		atomic_store(&largest_stack, bytes);
	atomic_store(&stacks[i].at, (uintptr_t)p);
}

static uint64_t resident_pages(uint64_t at, uint64_t bytes)
{
	static uint8_t here[4096]; /* a byte for each page */
	const uint64_t page = wm_kernel_page(), most = sizeof(here) * page;
	uint64_t n = 0, some;

	for (uint64_t i = 0; i < bytes; i += some) {
		some = bytes - i < most ? bytes - i : most;
		if (WM_SYS3(SYS_mincore, at + i, some, here) < 0)
			continue; /* unmapped meanwhile */
		for (uint64_t k = 0; k < some / page; k++)
			n += here[k] & 1;
	}
	return n;
}

static uint64_t look_at_stacks(void)
{
	uint64_t n = 0, at;

	for (unsigned i = 0; i < STACKS; i++) {
		at = atomic_load(&stacks[i].at);
		if (at)
			n += resident_pages(at, stacks[i].bytes);
	}
	return n * wm_kernel_page();
}

static void raise(uint64_t *to, uint64_t v)
{
	if (v > *to)
		*to = v;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t others_of(const struct look *l)
{
	return above(l->size, l->data + l->stack);
}

/* Computes a bound of the private memory since the last look, because the
 * kernel knows the highest resident set, but not how much of it was private.
 * Memory that was shared at the last look, and was not unmapped since, was
 * shared all the time.  So private memory was at most the highest resident set
 * minus these bytes.  It was also at most the code, plus the highest mapped
 * size minus the bytes that were not private data at the last look.  @were is
 * the value of `gone` when this look began. */
static void look_between(const struct look *l, uint64_t were)
{
	uint64_t less = were - seen.floor_gone;
	/* These bytes may also have been unmapped in an unknown way. */
	uint64_t floor = least(above(seen.floor, less), l->other);
	uint64_t others = least(above(seen.others, less), others_of(l));
	uint64_t code = above(l->file + l->shared, l->other);

	raise(&seen.code, code);
	raise(&seen.most, least(above(l->high, floor),
				above(l->mapped, others) + seen.code));
	seen.floor = l->other;
	seen.floor_gone = were;
	seen.others = others_of(l);
	seen.code = code;
}

static uint64_t private_of(const struct look *l)
{
	return above(l->rss, l->other);
}

/* Returns the private bytes, swapped or not, plus those that were freed since
 * the last wm_resident_look() without a release in the trace: for example, libc
 * discards the stack of a thread that ends. */
static uint64_t private_with_gone(const struct look *l)
{
	uint64_t were = (seen.threads ? seen.threads : 1) +
			(atomic_load(&next_stack) - seen.stacks);
	uint64_t ended = above(were, l->threads);

	return private_of(l) + l->swapped + atomic_load(&faded) +
	       ended * atomic_load(&largest_stack);
}

static struct faults faults_now(void)
{
	return (struct faults){ wm_faults_own(), wm_faults_huge() };
}

/* Whichever call frees memory later, it became resident by a page fault.  The
 * kernel counts huge pages only for the whole node, so if the program asks for
 * huge pages, those of other processes are counted, too. */
static uint64_t touched_until_now(void)
{
	struct faults now = faults_now();
	uint64_t pages = now.pages - seen.faults.pages;
	uint64_t huge = atomic_load(&huge_pages) ? now.huge - seen.faults.huge :
						   0;

	if (!seen.began)
		return ALL;
	if (huge > pages)
		huge = pages;
	return seen.touched + (pages - huge) * wm_kernel_page() + huge * HUGE;
}

static uint64_t shared_more(const struct look *l)
{
	return above(l->other, seen.shared_then);
}

void wm_resident_huge(void)
{
	atomic_store(&huge_pages, true);
}

void wm_resident_begin(void *unused)
{
	struct look l = { .rss = 0 };
	uint64_t were = atomic_load(&gone);

	(void)unused;
	if (wm_faults_are_huge())
		wm_resident_huge();
	seen.forks = wm_lock_forks;
	seen.faults = faults_now();
	seen.began = look_at_status(&l);
	seen.touched = l.high;
	/* Private memory may have come and gone before the first look. */
	look_between(&l, were);
	/* .shared_then remains 0: that memory has been touched, too. */
}

/* A library has mapped the shared memory by a call that we do not see.  Page
 * faults are counted since the process began, huge pages only from now on. */
static void begin_late(void)
{
	if (wm_faults_are_huge())
		wm_resident_huge();
	seen.began = !atomic_load(&huge_pages);
}

static bool look(struct look *l)
{
	uint64_t were = atomic_load(&gone);

	memset(l, 0, sizeof(*l));
	if (seen.forks != wm_lock_forks)
		memset(&seen, 0, sizeof(seen));
	seen.forks = wm_lock_forks;
	atomic_store(&before, wm_clock_ns(CLOCK_MONOTONIC));
	if (!look_at_status(l))
		return false;
	l->thread_stacks = look_at_stacks();
	raise(&seen.thread_stacks, l->thread_stacks);
	/* With WM_PAGES followed memory is in a file of ours, which no other
	 * process shares. */
	if (!l->parted || wm_options.pages)
		return true;
	walk(l);
	raise(&seen.shared, l->other);
	raise(&seen.private, private_of(l));
	look_between(l, were);
	return true;
}

static void put(struct wm_buf *head, enum wmt_field f, uint64_t v)
{
	if (v)
		wm_head_uint(head, f, v);
}

/* Returns the bytes that page faults have brought, or 0 if they are not known.
 * A child begins without such bytes, and takes a page fault for each page of
 * its parent that it writes to. */
static uint64_t faulted(void)
{
	/* Reading the settings takes a while. */
	if (!wm_child_usage_matters() || wm_options.pages ||
	    atomic_load(&huge_pages) || wm_faults_may_be_large())
		return 0;
	return wm_faults_own() * wm_kernel_page();
}

void wm_resident_put(struct wm_buf *head, bool last)
{
	uint64_t then = atomic_load(&before);
	struct look l;

	if (last)
		put(head, WMT_F_FAULTED, faulted());
	if ((!last && then && wm_clock_ns(CLOCK_MONOTONIC) - then <= LOOK_NS) ||
	    !look(&l))
		return;
	put(head, WMT_F_RSS, l.rss);
	put(head, WMT_F_PEAK_RSS, l.high);
	put(head, WMT_F_MAPPED_PEAK, l.mapped);
	put(head, WMT_F_STACK_PEAK, l.stack);
	put(head, WMT_F_THREAD_STACKS, seen.thread_stacks);
	if (!l.parted)
		return;
	wm_head_uint(head, WMT_F_RSS_FILE, l.file);
	wm_head_uint(head, WMT_F_RSS_SHARED, l.shared);
	if (wm_options.pages)
		return;
	wm_head_uint(head, WMT_F_SHARED_PEAK, seen.shared);
	if (seen.walked)
		wm_head_uint(head, WMT_F_SHARED_PART,
			     (uint64_t)((__uint128_t)seen.shared * seen.part /
					1024));
	wm_head_uint(head, WMT_F_PRIVATE_PEAK, seen.private);
	/* A child's trace has no release of its parent's memory. */
	if (!last || wm_lock_forks)
		return;
	wm_head_uint(head, WMT_F_PRIVATE_MOST, seen.most);
	wm_head_uint(head, WMT_F_PRIVATE, private_with_gone(&l));
	wm_head_uint(head, WMT_F_TOUCHED, touched_until_now());
	wm_head_uint(head, WMT_F_SHARED_MORE, shared_more(&l));
}

bool wm_resident_is_due(void)
{
	if (wm_clock_ns(CLOCK_MONOTONIC) - atomic_load(&before) > GOING_NS) {
		if (atomic_load(&at_once) < AT_ONCE)
			atomic_fetch_add(&at_once, 1);
		return true;
	}
	if (atomic_load(&at_once) <= 0)
		return false;
	atomic_fetch_sub(&at_once, 1);
	return true;
}

void wm_resident_goes(size_t bytes)
{
	atomic_fetch_add(&gone, bytes < ALL ? bytes : ALL);
}

void wm_resident_fades(size_t bytes)
{
	wm_resident_goes(bytes);
	if (atomic_load(&faded) < ALL)
		atomic_fetch_add(&faded, bytes < ALL ? bytes : ALL);
}

void wm_resident_look(void *now)
{
	struct wm_resident_now *n = now;
	/* Bytes added from now on may be counted by this look, or not. */
	uint64_t fades = atomic_load(&faded), made = atomic_load(&next_stack);
	struct faults faults = faults_now();
	struct look l;

	n->known = look(&l) && l.parted && !wm_options.pages &&
		   seen.shared >= WM_MEMORY_LEAST && !wm_lock_forks;
	if (!n->known)
		return;
	if (!seen.began)
		begin_late();
	n->most = seen.most;
	n->private = private_with_gone(&l);
	n->touched = touched_until_now();
	n->shared_more = shared_more(&l);
	seen.began = true;
	seen.touched = 0;
	seen.faults = faults;
	seen.shared_then = l.other;
	seen.most = 0;
	seen.threads = l.threads;
	seen.stacks = made;
	atomic_fetch_sub(&faded, fades);
}
