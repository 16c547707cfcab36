/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/resident.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "wm/trace_format.h"

#include "runtime/base/clock.h"
#include "runtime/base/file_text.h"
#include "runtime/base/lock.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/trace/head.h"

#define LOOK_NS 100000000u /* when a block is written */
#define GOING_NS 10000000u /* when memory goes, */
#define AT_ONCE 16 /* but so many looks may come sooner: a program cleans up */
#define WALK_SHARE 50 /* pages are walked for 1/50 of the time at most */
#define STACKS 256
#define ALL ((uint64_t)1 << 47) /* more than there can be */
#define PAGE 4096u

/* What one look finds, in bytes. */
struct look {
	uint64_t mapped, rss, high, stack, file, shared, exe, lib;
	bool parted; /* file and shared are known */
	uint64_t other; /* shared, and what of file is no code */
	uint64_t thread_stacks;
	uint64_t swapped, threads;
};

static struct {
	int forks; /* the process that this is of, as lock.h counts */
	uint64_t shared, private, thread_stacks; /* the most */
	/* of what was shared when its pages were walked: each page by who maps
	 * it; in 1/1024 */
	uint64_t walked, part;
	uint64_t walk_end, walk_ns;
	/* of the last look: what was shared, and gone then */
	uint64_t floor, floor_gone;
	uint64_t most; /* private since the last wm_resident_look(), at most */
	uint64_t threads, stacks; /* then, and made until then; 0: not yet */
} seen;
static char buf[8192];
static const char *rest; /* of it, behind the last field that was found */
static _Atomic uint64_t before; /* when the last look was; 0: none */
static _Atomic uint64_t gone; /* bytes that may have been shared, unmapped */
static _Atomic uint64_t faded; /* private ones since the last
				* wm_resident_look(), without a release */
static _Atomic int at_once = AT_ONCE;

static bool read_status(const char *path)
{
	size_t n = wm_file_text(path, buf, sizeof(buf));

	rest = buf;
	return n != 0;
}

/* Field @name, in bytes, behind the one before it: fields have an order; false:
 * not there. */
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

/*
 * Pages of files are shared as well, but for code and constants of programs
 * and libraries, which batch systems count in each process: as much as twice
 * their code is taken for that.
 */
static uint64_t file_data(const struct look *l)
{
	uint64_t code = 2 * (l->exe + l->lib);

	return l->file > code ? l->file - code : 0;
}

static bool look_at_status(struct look *l)
{
	/* the main thread's has no memory once that has ended */
	if (!read_status("/proc/thread-self/status") ||
	    strncmp(buf, "Name:", 5) != 0)
		return false;
	field("\nVmPeak:", &l->mapped);
	field("\nVmHWM:", &l->high);
	field("\nVmRSS:", &l->rss);
	l->parted = field("\nRssFile:", &l->file) &&
		    field("\nRssShmem:", &l->shared);
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

/*
 * How much of what is shared is ours alone, if each page is divided among those
 * that map it: the parts of a node's ranks add up to what the node has.  The
 * smallest part counts, unless much more is shared than then: others may not
 * have touched it yet, or may have left it.
 */
static void walk(const struct look *l)
{
	uint64_t now = wm_clock_ns(CLOCK_MONOTONIC), shm, file, rss, part;

	if (l->other < PAGE || l->other < seen.shared / 4 * 3 ||
	    (seen.walk_end && now - seen.walk_end < seen.walk_ns * WALK_SHARE))
		return;
	if (read_status("/proc/self/smaps_rollup") &&
	    field("\nPss_File:", &file) && field("\nPss_Shmem:", &shm)) {
		rss = l->shared + l->file;
		/* of files the average */
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

/* ---- stacks of threads ---- */

static struct stack {
	_Atomic uint64_t at;
	uint64_t bytes;
} stacks[STACKS];
static _Atomic unsigned next_stack;
static _Atomic uint64_t largest_stack;

/* The oldest gives its place: most programs have fewer. */
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
	static uint8_t here[4096]; /* a byte a page */
	uint64_t n = 0, some;

	for (uint64_t i = 0; i < bytes; i += some) {
		some = bytes - i < sizeof(here) * PAGE ? bytes - i :
							 sizeof(here) * PAGE;
		if (WM_SYS3(SYS_mincore, at + i, some, here) < 0)
			continue; /* unmapped meanwhile */
		for (uint64_t k = 0; k < some / PAGE; k++)
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
	return n * PAGE;
}

/* ---- looks ---- */

static void raise(uint64_t *to, uint64_t v)
{
	if (v > *to)
		*to = v;
}

/*
 * The kernel knows the highest resident set, but not what of it was private.
 * What was shared at the last look, and has not been unmapped since, was shared
 * all the time between: what else was resident was less than that below the
 * highest.  @were: bytes gone when the look began.
 */
static void look_between(const struct look *l, uint64_t were)
{
	uint64_t less = were - seen.floor_gone;
	uint64_t floor = seen.floor > less ? seen.floor - less : 0;

	if (floor > l->other)
		floor = l->other; /* by a way that is not known */
	raise(&seen.most, l->high > floor ? l->high - floor : 0);
	seen.floor = l->other;
	seen.floor_gone = were;
}

static uint64_t private_of(const struct look *l)
{
	return l->rss - (l->other < l->rss ? l->other : l->rss);
}

/* Swapped or not; and what has gone since the last wm_resident_look() without a
 * release in the trace: libc gives back the stack of a thread that ends. */
static uint64_t private_with_gone(const struct look *l)
{
	uint64_t were = (seen.threads ? seen.threads : 1) +
			(atomic_load(&next_stack) - seen.stacks);
	uint64_t ended = were > l->threads ? were - l->threads : 0;

	return private_of(l) + l->swapped + atomic_load(&faded) +
	       ended * atomic_load(&largest_stack);
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
	/* of WM_PAGES: what is followed lies in a file of ours, and is shared
	 * with no process */
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

/* Children that were waited for.  At the moment of an exec the kernel counts
 * what a child still shared with its parent. */
static uint64_t child_peak(void)
{
	struct rusage u;

	if (WM_SYS2(SYS_getrusage, RUSAGE_CHILDREN, &u) < 0)
		return 0;
	return (uint64_t)u.ru_maxrss << 10;
}

void wm_resident_put(struct wm_buf *head, bool last)
{
	uint64_t then = atomic_load(&before);
	struct look l;

	if (last)
		put(head, WMT_F_CHILD_PEAK, child_peak());
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
	/* a child's trace has no release of what was its parent's */
	if (!last || wm_lock_forks)
		return;
	wm_head_uint(head, WMT_F_PRIVATE_MOST, seen.most);
	wm_head_uint(head, WMT_F_PRIVATE, private_with_gone(&l));
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
	/* what comes from now on may be there at this look, or not */
	uint64_t fades = atomic_load(&faded), made = atomic_load(&next_stack);
	struct look l;

	n->known = look(&l) && l.parted && !wm_options.pages &&
		   seen.shared >= WM_MEMORY_LEAST && !wm_lock_forks;
	if (!n->known)
		return;
	n->most = seen.most;
	n->private = private_with_gone(&l);
	seen.most = 0;
	seen.threads = l.threads;
	seen.stacks = made;
	atomic_fetch_sub(&faded, fades);
}
