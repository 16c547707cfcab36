/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A child must not share followed memory, because parent and child would change
 * each other's data.  So a process with one thread waits until its child has
 * made a private copy of all followed memory, and is followed further.  Before
 * that, libc and the kernel write to the storage of its thread for the child,
 * so that is private already; the stack is the runtime's own.  If other threads
 * would write meanwhile, or there is no memory for a second copy, all memory
 * becomes private before the fork, and no epochs follow.
 */
#include <errno.h>
#include <linux/wait.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "runtime/base/file_text.h"
#include "runtime/base/on_stack.h"
#include "runtime/base/pool.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/pages/backing.h"
#include "runtime/pages/epochs.h"
#include "runtime/pages/filter_epochs.h"
#include "runtime/pages/followed.h"
#include "runtime/pages/maps.h"
#include "runtime/pages/page_hooks.h"
#include "runtime/pages/page_mode.h"
#include "runtime/pages/page_ranges.h"
#include "runtime/pages/service.h"

#define COPY_AT_A_TIME (1u << 20)

/* Written before the fork, and read in the child before the child has its
 * copy. */
static struct {
	struct wm_buf parts, extents;
	void *aside; /* COPY_AT_A_TIME bytes, private */
	_Atomic uint32_t *copied; /* shared; NULL: nothing is to be copied */
	uint64_t storage, storage_end; /* of the thread that forks */
	uint8_t kind, lock; /* of the range with the storage */
} forking;

/* Returns the number at the start of a file, or after @key.  Returns UINT64_MAX
 * if there is none. */
static uint64_t read_number(const char *path, const char *key)
{
	static char text[4096];
	const char *s;
	uint64_t v;

	wm_file_text(path, text, sizeof(text));
	s = *key ? strstr(text, key) : text;
	if (!s)
		return UINT64_MAX;
	s += strlen(key);
	while (*s == ' ' || *s == '\t')
		s++;
	return wm_str_uint(s, &v) ? v : UINT64_MAX;
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* The files of one version of control groups. */
struct groups {
	const char *line; /* of /proc/self/cgroup: before the path */
	const char *mount, *most, *now;
};
static const struct groups versions[] = {
	{ "0::", "/sys/fs/cgroup", "/memory.max", "/memory.current" },
	{ ":memory:", "/sys/fs/cgroup/memory", "/memory.limit_in_bytes",
	  "/memory.usage_in_bytes" },
};

static uint64_t number_of_group(const struct groups *g, const char *path,
				const char *name)
{
	static char file[WM_PATH_MAX];
	struct wm_text t = wm_text_on(file, sizeof(file));

	wm_text_add(&t, g->mount);
	wm_text_add(&t, path);
	wm_text_add(&t, name);
	return read_number(file, "");
}

/* Returns the room left in the control group at @path and in those above it. */
static uint64_t room_in_groups(const struct groups *g, struct wm_text *path)
{
	uint64_t room = UINT64_MAX, most, now;

	for (;;) {
		most = number_of_group(g, path->s, g->most);
		now = most == UINT64_MAX ? 0 :
					   number_of_group(g, path->s, g->now);
		if (now != UINT64_MAX && less(most, now) < room)
			room = less(most, now);
		if (!path->len)
			return room;
		while (path->len && path->s[--path->len] != '/')
			;
		path->s[path->len] = 0;
	}
}

static uint64_t room_for_copies(void)
{
	static char text[WM_PATH_MAX], line[WM_PATH_MAX];
	uint64_t room = read_number("/proc/meminfo", "MemAvailable:"), more;

	wm_file_text("/proc/self/cgroup", text, sizeof(text));
	if (room != UINT64_MAX)
		room *= 1024;
	for (size_t i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		struct wm_text path = wm_text_on(line, sizeof(line));
		const char *s = strstr(text, versions[i].line);

		s = s ? s + strlen(versions[i].line) : "";
		for (; *s && *s != '\n'; s++)
			wm_text_char(&path, *s);
		more = room_in_groups(&versions[i], &path);
		if (more < room)
			room = more;
	}
	return room;
}

/* Each mapping of the program stays one; a few more exist for a while. */
#define MAPS_SPARE 64

static uint64_t maps_limit(void)
{
	static uint64_t limit;

	if (!limit)
		limit = read_number("/proc/sys/vm/max_map_count", "");
	return limit;
}

/* Whether a device or the kernel writes to pages (RDMA, io_uring): the program
 * would see other pages when memory became private. */
static bool is_pinned(void)
{
	uint64_t kib = read_number("/proc/self/status", "\nVmPin:");

	return kib && kib != UINT64_MAX;
}

static const char *why_not_copied(void)
{
	uint64_t bytes = wm_backing_resident() * WM_PAGE;

	/* The child may get a part of later writes of other threads. */
	if (wm_service_threads() != 2 && !is_pinned())
		return "the process has forked while it had several threads";
	if (wm_maps_count() + MAPS_SPARE > maps_limit())
		return "the process has forked, and has as many mappings as "
		       "it may have";
	if (bytes + bytes / 4 > room_for_copies())
		return "the process has forked, and there was no memory for a "
		       "second copy";
	return NULL;
}

long wm_pages_end_all(void *why)
{
	wm_epochs_end(why);
	wm_filter_epochs_end(why);
	/* Another thread may have been first, and have closed the
	 * descriptors. */
	if (!atomic_load(&wm_pages_on))
		return 0;
	if (!wm_followed_end())
		return -EAGAIN;
	atomic_store(&wm_pages_on, 0);
	return 0;
}

static void cut_storage(void)
{
	size_t i = wm_ranges_from(forking.storage);
	const struct wm_watched_range *r = wm_ranges_at(i);

	if (i == wm_ranges_count() || r->start >= forking.storage_end) {
		forking.storage = forking.storage_end = 0;
		return;
	}
	forking.kind = r->kind;
	forking.lock = r->lock;
	if (forking.storage < r->start)
		forking.storage = r->start;
	if (forking.storage_end > r->end)
		forking.storage_end = r->end;
}

static long prepare(void *unused)
{
	const char *why;
	long p;

	(void)unused;
	forking.copied = NULL;
	if (!atomic_load(&wm_pages_on))
		return 0;
	why = why_not_copied();
	if (why)
		return wm_pages_end_all((void *)(uintptr_t)why);
	cut_storage();
	if (!forking.aside)
		forking.aside = wm_pool_map(COPY_AT_A_TIME);
	p = WM_SYS6(SYS_mmap, 0, WM_PAGE, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (wm_sys_bad(p) || !forking.aside ||
	    wm_followed_make(forking.storage,
			     forking.storage_end - forking.storage, true) ||
	    wm_followed_list(&forking.parts, &forking.extents)) {
		static char no_memory[] = "the process has forked, and there "
					  "was no memory";

		return wm_pages_end_all(no_memory);
	}
	forking.copied = (void *)p;
	return 0;
}

static long retake_storage(void *unused)
{
	uint64_t start = forking.storage, end = forking.storage_end;
	long e;

	(void)unused;
	if (!end)
		return 0;
	e = wm_followed_retake(start, end, forking.kind);
	wm_followed_lock_again(start, end, forking.lock);
	if (forking.lock)
		wm_followed_lock(start, end - start, forking.lock);
	return e;
}

/*
 * ---- in the child ----
 *
 * The child must not store to shared memory until all of it is copied; all
 * static data is shared, the runtime's too.
 */

static void __attribute__((noreturn)) die(void)
{
	/* as if there had been no memory for a page */
	for (;;)
		WM_SYS2(SYS_kill, wm_sys_getpid(), 9);
}

/* Maps private zero memory in place, which needs no further addresses. */
static void map_anew(uint64_t start, uint64_t end)
{
	if (end > start &&
	    wm_sys_bad(wm_backing_anonymous(start, end - start,
					    MAP_FIXED | MAP_NORESERVE)))
		die();
}

/* Copies whole pages.  memcpy may be in memory that is unmapped now. */
static void copy_pages(void *to, const void *from, size_t bytes)
{
	uint64_t *t = to;
	const uint64_t *f = from;

	for (size_t i = 0; i < bytes / sizeof(*t); i += 4) {
		t[i] = f[i];
		t[i + 1] = f[i + 1];
		t[i + 2] = f[i + 2];
		t[i + 3] = f[i + 3];
		/* The compiler must not make the loop a call of memcpy,
		 * either. */
		__asm__ volatile("" ::: "memory");
	}
}

/* A piece is unmapped for a moment, and the range may be all static data, so
 * @aside is an argument. */
static void copy_in_place(void *aside, uint64_t start, uint64_t end)
{
	while (start < end) {
		uint64_t left = end - start;
		size_t n = left < COPY_AT_A_TIME ? left : COPY_AT_A_TIME;
		void *p = (void *)(uintptr_t)start;

		copy_pages(aside, p, n);
		map_anew(start, start + n);
		copy_pages(p, aside, n);
		start += n;
	}
}

struct copying {
	const struct wm_pages_part *x, *x_end;
	void *aside;
};

static void copy_part(struct copying *c, const struct wm_pages_part *part)
{
	uint64_t at = part->start, bytes = part->end - part->start;

	if (!(part->prot & PROT_READ))
		WM_SYS3(SYS_mprotect, at, bytes, PROT_READ);
	for (; c->x < c->x_end && c->x->start < part->end; c->x++) {
		map_anew(at, c->x->start);
		copy_in_place(c->aside, c->x->start, c->x->end);
		at = c->x->end;
	}
	map_anew(at, part->end);
	if (part->prot != (PROT_READ | PROT_WRITE))
		WM_SYS3(SYS_mprotect, part->start, bytes, part->prot);
}

static void go_on_in_child(void)
{
	const struct wm_pages_part *part = (const void *)forking.parts.p;
	const struct wm_pages_part *end = part +
					  forking.parts.len / sizeof(*part);
	const struct wm_pages_part *x = (const void *)forking.extents.p;
	struct copying c = { .x = x,
			     .x_end = x + forking.extents.len / sizeof(*x),
			     .aside = forking.aside };
	_Atomic uint32_t *copied = forking.copied;

	if (copied) {
		for (; part < end; part++)
			copy_part(&c, part);
		atomic_store(copied, 1);
		WM_SYS3(SYS_futex, copied, 1 /* FUTEX_WAKE */, 1);
		WM_SYS2(SYS_munmap, copied, WM_PAGE);
	}
	atomic_store(&wm_pages_on, 0);
	wm_service_forget();
}

/* The program may not have waited for the child. */
static bool is_dead(int pid)
{
	char info[128] = { 0 }; /* siginfo_t */
	long r = WM_SYS6(SYS_waitid, 1 /* P_PID */, pid, info,
			 WEXITED | WNOHANG | WNOWAIT | 0x40000000 /* __WALL */,
			 0, 0);

	return r < 0 || info[0];
}

static void wait_for_copy(int pid)
{
	const struct timespec t = { 0, 20000000 };

	while (!atomic_load(forking.copied)) {
		WM_SYS4(SYS_futex, forking.copied, 0 /* FUTEX_WAIT */, 0, &t);
		if (!atomic_load(forking.copied) && is_dead(pid))
			break;
	}
}

static void go_on_in_parent(int pid)
{
	if (forking.copied) {
		if (pid > 0)
			wait_for_copy(pid);
		WM_SYS2(SYS_munmap, forking.copied, WM_PAGE);
		wm_service_call_held(retake_storage, NULL);
	}
	wm_service_resume();
}

struct fork_call {
	int (*real)(void);
	int pid;
};

static void fork_aside(void *arg)
{
	struct fork_call *c = arg;
	int pid;

	wm_service_storage(&forking.storage, &forking.storage_end);
	forking.storage &= ~(uint64_t)(WM_PAGE - 1);
	forking.storage_end = wm_page_up(forking.storage_end);
	pid = (int)wm_service_call_and_hold(prepare, NULL);
	if (pid == 0)
		pid = c->real();
	if (pid == 0)
		go_on_in_child();
	else
		go_on_in_parent(pid);
	/* Stored last: the caller's stack may have been shared with the other
	 * process. */
	c->pid = pid;
}

int wm_pages_fork(int (*real)(void))
{
	struct fork_call c = { real, 0 };

	wm_aside(fork_aside, &c);
	return c.pid;
}

long wm_pages_end(const char *why)
{
	return wm_service_call(wm_pages_end_all, (void *)(uintptr_t)why);
}

bool wm_pages_before_fork(void)
{
	static char why[] = "the process has made a copy of itself in a way "
			    "that pages cannot follow";

	return wm_pages_end(why) == 0;
}
