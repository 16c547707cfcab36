/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/pages/page_mode.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "wm/trace_format.h"

#include "runtime/base/env.h"
#include "runtime/base/report.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/pages/backing.h"
#include "runtime/pages/epochs.h"
#include "runtime/pages/filter.h"
#include "runtime/pages/filter_epochs.h"
#include "runtime/pages/followed.h"
#include "runtime/pages/page_hooks.h"
#include "runtime/pages/service.h"
#include "runtime/trace/bursts.h"

static int owner; /* its pid; a forked child is not followed */

static bool is_active(void)
{
	return owner && owner == wm_sys_getpid();
}

static bool is_left_out(uint64_t rank)
{
	return wm_options.pages_ranks[0] &&
	       !wm_rank_list_has(wm_options.pages_ranks, rank);
}

/* The first rank whose pages are followed reports for all. */
static bool is_first(void)
{
	for (uint64_t r = 0; r < (uint64_t)wm_identity.rank; r++)
		if (!is_left_out(r) && (!wm_options.ranks[0] ||
					wm_rank_list_has(wm_options.ranks, r)))
			return false;
	return true;
}

static void report_why(const char *what, const char *why)
{
	static char line[256];
	struct wm_text t = wm_text_on(line, sizeof(line));

	if (!is_first())
		return;
	wm_text_add(&t, what);
	wm_text_add(&t, why);
	wm_report_line(line);
}

struct beginning {
	const char *why; /* why not even writes are found */
	const char *why_written_alone;
	uint64_t storage, storage_end;
};

/* Returns 0 if nothing can be followed: then the thread ends. */
static long begin_here(void *arg)
{
	struct beginning *b = arg;

	wm_rights_begin();
	b->why = wm_backing_open_watch();
	if (b->why)
		return 0;
	if (!b->why_written_alone)
		b->why_written_alone = wm_backing_open();
	if (!b->why_written_alone) {
		b->why_written_alone = wm_followed_begin(b->storage,
							 b->storage_end);
		/* Memory that is followed already must not be shared with a
		 * child. */
		if (b->why_written_alone)
			wm_followed_end();
	}
	wm_epochs_begin(wm_options.pages_ns, wm_options.pages_reads,
			b->why_written_alone != NULL);
	return 1;
}

#ifndef WM_DYNAMIC
/* NULL unless the C library is glibc; only then all calls are wrapped that must
 * be seen. */
void *__real___sbrk(intptr_t bytes) __attribute__((weak));
#endif

/* Static data is mapped anew, and no thread may write to it meanwhile. */
static const char *why_written_alone(void)
{
#ifdef WM_DYNAMIC
	return "the program is linked dynamically";
#else
	if (!__real___sbrk)
		return "the program's C library is not glibc, and forks "
		       "cannot be seen";
	return wm_service_threads() == 1 ? NULL :
					   "there are threads before "
					   "main";
#endif
}

void wm_pages_start(void)
{
	struct beginning b = { NULL, why_written_alone(), 0, 0 };

	if (!wm_options.pages || is_left_out((uint64_t)wm_identity.rank))
		return;
	if (wm_kernel_page() != WM_PAGE)
		b.why = "the kernel's pages are not those of the runtime";
	else if (wm_options.memory)
		b.why = "WM_MEMORY leaves no memory for it";
	else if (!wm_service_start(wm_rights_pause))
		b.why = "no thread can be made for it";
	wm_service_storage(&b.storage, &b.storage_end);
	if (!b.why)
		wm_service_end(begin_here, &b);
	if (b.why) {
		report_why("WM_PAGES: pages are not followed: ", b.why);
		return;
	}
	if (b.why_written_alone)
		report_why("WM_PAGES: only writes are seen, no reads: ",
			   b.why_written_alone);
	else
		atomic_store(&wm_pages_on, 1);
	owner = wm_sys_getpid();
}

static bool bursts_begun; /* the service thread's */

static uint64_t pause_of_clock(void)
{
	uint64_t ns = wm_rights_pause(), left;

	if (ns == WM_SERVICE_ENDS)
		return ns;
	left = bursts_begun ? wm_burst_clock() : wm_filter_epochs_pause();
	return left < ns ? left : ns;
}

static long begin_clock(void *unused)
{
	(void)unused;
	wm_rights_begin();
	if (wm_options.access_pages_ns) {
		wm_filter_epochs_begin(wm_options.access_pages_ns);
		return 0;
	}
	wm_bursts_begin();
	bursts_begun = true;
	return 0;
}

static void warn_no_clock(void)
{
	if (wm_options.access_pages_ns) {
		wm_filters_end(false);
		wm_options_warn("WM_ACCESS=pages: no thread can be made for "
				"it; no loads and stores are recorded");
		return;
	}
	wm_options_warn("WM_ACCESS_BURST: no thread can be made for it; all "
			"loads and stores are recorded");
}

void wm_pages_start_clock(void)
{
	static _Atomic int started;

	if ((!wm_options.access_burst_ns && !wm_options.access_pages_ns) ||
	    atomic_exchange(&started, 1))
		return;
	if (!wm_service_start(pause_of_clock)) {
		warn_no_clock();
		return;
	}
	wm_service_call(begin_clock, NULL);
	owner = wm_sys_getpid();
}

static long end_epochs(void *why)
{
	wm_epochs_end(why);
	wm_filter_epochs_end(why);
	return 0;
}

void wm_pages_rank_known(int rank)
{
	static char why[] = "WM_PAGES_RANKS leaves this rank out";

	if (is_active() && wm_options.pages && is_left_out((uint64_t)rank))
		wm_service_call(end_epochs, why);
}

void wm_pages_finish(void)
{
	if (is_active())
		wm_service_call(end_epochs, NULL);
}

void wm_pages_rights(void)
{
	int tid = (int)WM_SYS0(SYS_gettid);

	if (is_active())
		wm_service_end(wm_rights_compare, &tid);
}

void wm_pages_confine(void)
{
	static char why[] = "the process has changed its rights, or its name "
			    "spaces";

	if (is_active())
		wm_service_end(wm_pages_end_all, why);
}

void wm_pages_limit_data(void)
{
	static char why[] = "the process has limited its data (RLIMIT_DATA)";

	if (is_active() && atomic_load(&wm_pages_on))
		wm_service_end(wm_pages_end_all, why);
}

struct change {
	uint64_t start, bytes, old_bytes, want;
	int prot, flags;
	uint8_t kind;
};

#define CHANGE(name, call)                                                     \
	static long name(void *arg)                                            \
	{                                                                      \
		const struct change *c = arg;                                  \
                                                                               \
		return call;                                                   \
	}

static uint64_t address(const void *p)
{
	return (uintptr_t)p;
}

CHANGE(adopt, wm_followed_adopt(c->start, c->bytes, c->prot, c->kind))

CHANGE(left, wm_followed_left(c->start, c->bytes))

void wm_pages_mapped(const void *p, size_t bytes, int prot, int flags)
{
	const int others = MAP_SHARED | MAP_HUGETLB | MAP_LOCKED |
			   MAP_GROWSDOWN;
	struct change c = { .start = address(p),
			    .bytes = bytes,
			    .prot = prot,
			    .kind = flags & MAP_STACK ? WMT_COVERED_STACK :
							WMT_COVERED_MAPPING };

	if (flags & MAP_FIXED)
		wm_service_call(left, &c);
	if ((flags & MAP_ANONYMOUS) && !(flags & others))
		wm_service_call(adopt, &c);
}

CHANGE(leave, wm_followed_leave(c->start, c->bytes))

void wm_pages_leave(const void *p, size_t bytes)
{
	struct change c = { .start = address(p), .bytes = bytes };

	if (bytes && !(c.start & (WM_PAGE - 1)) && c.start + bytes > c.start)
		wm_service_call(leave, &c);
}

static bool pages_between(struct change *c, const void *from, const void *to)
{
	const uint64_t mask = WM_PAGE - 1;
	uint64_t end = (address(to) + mask) & ~mask;

	c->start = (address(from) + mask) & ~mask;
	c->bytes = end - c->start;
	return end > c->start;
}

void wm_pages_break_down(const void *from, const void *to)
{
	struct change c = { .start = 0 };

	if (pages_between(&c, to, from))
		wm_service_call(leave, &c);
}

void wm_pages_break_moved(const void *from, const void *to)
{
	struct change c = { .prot = PROT_READ | PROT_WRITE,
			    .kind = WMT_COVERED_BREAK };

	if (pages_between(&c, from, to))
		wm_service_call(adopt, &c);
	else if (pages_between(&c, to, from))
		wm_service_call(left, &c);
}

CHANGE(unmap, wm_followed_unmap(c->start, c->bytes))

long wm_pages_unmap(const void *p, size_t bytes)
{
	struct change c = { .start = address(p), .bytes = bytes };

	return wm_service_call(unmap, &c);
}

CHANGE(remap,
       wm_followed_remap(c->start, c->old_bytes, c->bytes, c->flags, c->want))

long wm_pages_remap(const void *old, size_t old_bytes, size_t bytes, int flags,
		    const void *want)
{
	struct change c = { .start = address(old),
			    .old_bytes = old_bytes,
			    .bytes = bytes,
			    .flags = flags,
			    .want = address(want) };

	return wm_service_call(remap, &c);
}

CHANGE(advise, wm_followed_advise(c->start, c->bytes, c->flags))

long wm_pages_advise(const void *p, size_t bytes, int advice)
{
	struct change c = { .start = address(p),
			    .bytes = bytes,
			    .flags = advice };

	return wm_service_call(advise, &c);
}

CHANGE(protect, wm_followed_protect(c->start, c->bytes, c->prot))

long wm_pages_protect(const void *p, size_t bytes, int prot)
{
	struct change c = { .start = address(p), .bytes = bytes, .prot = prot };

	return wm_service_call(protect, &c);
}

CHANGE(make_private, wm_followed_make(c->start, c->bytes, c->flags))

long wm_pages_make_private(const void *p, size_t bytes, bool anonymous)
{
	struct change c = { .start = address(p) & ~(WM_PAGE - 1),
			    .bytes = bytes + (address(p) & (WM_PAGE - 1)),
			    .flags = anonymous };

	return bytes && c.start + c.bytes > c.start ?
		       wm_service_call(make_private, &c) :
		       0;
}

CHANGE(lock, wm_followed_lock(c->start, c->bytes, (uint8_t)c->flags))

void wm_pages_lock(const void *p, size_t bytes, enum wm_pages_lock how)
{
	struct change c = { .start = address(p),
			    .bytes = bytes,
			    .flags = (int)how };

	if (bytes && c.start + bytes > c.start)
		wm_service_call(lock, &c);
}

static long lock_all(void *flags)
{
	static uint8_t before; /* the last call */
	int which = *(int *)flags;
	uint8_t how = which & 4 /* MCL_ONFAULT */ ? WM_PAGES_LOCK_ON_FAULT :
						    WM_PAGES_LOCK;

	if (which == WM_PAGES_LOCK_REFUSED) {
		wm_followed_future_lock = before;
		which = 0;
	} else {
		before = wm_followed_future_lock;
		wm_followed_future_lock = which & MCL_FUTURE ? how :
							       WM_PAGES_UNLOCK;
	}
	if (!which)
		how = WM_PAGES_UNLOCK;
	else if (!(which & MCL_CURRENT))
		return 0;
	return wm_followed_lock(0, WM_BACKING_IDENTITY, how);
}

void wm_pages_lock_all(int flags)
{
	wm_service_call(lock_all, &flags);
}
