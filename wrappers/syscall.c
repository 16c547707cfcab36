/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers syscall, process_madvise, mseal and remap_file_pages in static
 * programs of glibc, while page accesses are followed: system_calls.h lists the
 * needs of each system call.  None of these calls is an event.
 *
 * Leaves out system calls by an instruction in the program itself, which cannot
 * be seen.
 */
#ifndef WM_DYNAMIC
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/uio.h>

#include "wrappers/forks_and_limits.h"
#include "wrappers/system_calls.h"

WM_WRAPPED(long, syscall, long n, long a, long b, long c, long d, long e,
	   long f);
WM_WRAPPED(ssize_t, process_madvise, int process, const struct iovec *list,
	   size_t n, int advice, unsigned flags);
WM_WRAPPED(int, mseal, void *addr, size_t len, unsigned long flags);
WM_WRAPPED(int, remap_file_pages, void *addr, size_t len, int prot, size_t at,
	   int flags);

enum what {
	NOTHING,
	MAP,
	UNMAP,
	REMAP,
	PROTECT,
	ADVISE,
	ADVISE_LIST,
	BREAK,
	LOCK,
	UNLOCK,
	LOCK_ALL,
	UNLOCK_ALL,
	SEAL,
	ATTACH,
	END,
	COPY,
	CLONE,
	LIMIT,
	LIMIT_OF,
	CONFINE,
	PRCTL,
	RIGHTS,
};

static enum what what_of(long n)
{
	switch (n) {
#define ROW(call, what)                                                        \
	case SYS_##call:                                                       \
		return what;
		WM_SYSTEM_CALLS(ROW)
#undef ROW
	default:
		return NOTHING;
	}
}

/* A system call: its number and arguments. */
struct call {
	long n, a, b, c, d, e, f;
};

/* Returns whether the advice changes neither the contents of memory nor the
 * processes that have it. */
static bool is_harmless(int advice)
{
	switch (advice) {
	case MADV_NORMAL:
	case MADV_RANDOM:
	case MADV_SEQUENTIAL:
	case MADV_WILLNEED:
	case 20: /* MADV_COLD */
	case 21: /* MADV_PAGEOUT */
	case 22: /* MADV_POPULATE_READ */
	case 23: /* MADV_POPULATE_WRITE */
	case 25: /* MADV_COLLAPSE */
		return true;
	default:
		return false;
	}
}

/* The memory of the list may be this process's: it is made private, so that the
 * advice has its usual effect.  If an address cannot be read, the kernel will
 * refuse the call. */
static long before_advice(const struct call *c)
{
	struct iovec part, to = { &part, sizeof(part) };
	long r = 0;

	for (long i = 0; !is_harmless((int)c->d) && i < c->c && r == 0; i++) {
		struct iovec from = { (struct iovec *)c->b + i, sizeof(part) };

		if (wm_kernel(SYS_process_vm_readv,
			      wm_kernel(SYS_getpid, 0, 0, 0, 0, 0, 0),
			      (long)&to, 1, (long)&from, 1, 0) != sizeof(part))
			break;
		r = wm_pages_make_private(part.iov_base, part.iov_len, true);
	}
	return r;
}

static bool moves_break(long to)
{
	return to && to != (long)(intptr_t)wm_break_now();
}

static long map(const struct call *c)
{
	long r;

	if (c->d & MAP_FIXED)
		wm_pages_leave((void *)c->a, (size_t)c->b);
	r = wm_kernel(c->n, c->a, c->b, c->c, c->d, c->e, c->f);
	if (r >= 0 || r < -4095)
		wm_pages_mapped((void *)r, (size_t)c->b, (int)c->c, (int)c->d);
	return r;
}

/* Returns whether the runtime has made the call; *@r is the kernel's result. */
static bool is_made(enum what what, const struct call *c, long *r)
{
	void *p = (void *)c->a;

	switch (what) {
	case MAP:
		*r = map(c);
		return true;
	case UNMAP:
		*r = wm_pages_unmap(p, (size_t)c->b);
		return true;
	case REMAP:
		*r = wm_pages_remap(p, (size_t)c->b, (size_t)c->c, (int)c->d,
				    (void *)c->e);
		return true;
	case PROTECT:
		*r = wm_pages_protect(p, (size_t)c->b, (int)c->c);
		return true;
	case ADVISE:
		*r = wm_pages_advise(p, (size_t)c->b, (int)c->c);
		return true;
	default:
		return false;
	}
}

/* Called before a call that is made unchanged.  Returns less than 0 if the call
 * must not be made. */
static long before(enum what what, const struct call *c)
{
	static const char breaks[] = "the program moves its break by a system "
				     "call of its own";
	static const char pages[] = "the program asks the kernel about its "
				    "pages (userfaultfd, remap_file_pages)";

	switch (what) {
	case ADVISE_LIST:
		return before_advice(c);
	case SEAL:
		return wm_pages_make_private((void *)c->a, (size_t)c->b, false);
	case BREAK:
		return moves_break(c->a) ? wm_pages_end(breaks) : 0;
	case ATTACH:
		return wm_pages_before_attach((int)c->c);
	case END:
		return wm_pages_end(pages);
	case COPY:
		return wm_pages_before_fork() ? 0 : -EAGAIN;
	case CLONE:
		return c->a & CLONE_VM || wm_pages_before_fork() ? 0 : -EAGAIN;
	case LOCK:
		wm_pages_will_lock((void *)c->a, (size_t)c->b,
				   c->n == SYS_mlock2 ? (unsigned)c->c : 0);
		return 0;
	case LOCK_ALL:
		wm_pages_lock_all((int)c->a);
		return 0;
	default:
		return 0;
	}
}

static void after(enum what what, const struct call *c, long r)
{
	switch (what) {
	case LOCK:
		wm_pages_did_lock((void *)c->a, (size_t)c->b, r);
		break;
	case UNLOCK:
		wm_pages_did_unlock((void *)c->a, (size_t)c->b, r);
		break;
	case LOCK_ALL:
		if (r)
			wm_pages_lock_all(WM_PAGES_LOCK_REFUSED);
		break;
	case UNLOCK_ALL:
		if (!r)
			wm_pages_lock_all(0);
		break;
	default:
		break;
	}
}

/* Called even if pages are not followed, because the runtime's thread also has
 * rights (runtime/pages/rights.c). */
static void before_rights(enum what what, const struct call *c)
{
	if (what == CONFINE || (what == PRCTL && c->a == PR_SET_SECCOMP))
		wm_pages_confine();
	if ((what == LIMIT && c->a == RLIMIT_DATA && c->b) ||
	    (what == LIMIT_OF && c->b == RLIMIT_DATA && c->c))
		wm_pages_limit_data();
}

long __wrap_syscall(long n, long a, long b, long c, long d, long e, long f)
{
	const struct call call = { n, a, b, c, d, e, f };
	enum what what = what_of(n);
	bool on;
	long r;

	if (what == NOTHING)
		return __real_syscall(n, a, b, c, d, e, f);
	before_rights(what, &call);
	if (what == ADVISE)
		wm_advice_asks((int)c);
	on = wm_pages_are_on();
	if (on && is_made(what, &call, &r))
		return wm_from_kernel(r);
	r = on ? before(what, &call) : 0;
	if (r < 0)
		return wm_from_kernel(r);
	r = __real_syscall(n, a, b, c, d, e, f);
	if (on && wm_pages_are_on())
		after(what, &call, r);
	if (r == 0 && (what == RIGHTS || what == PRCTL))
		wm_pages_rights();
	return r;
}

ssize_t __wrap_process_madvise(int process, const struct iovec *list, size_t n,
			       int advice, unsigned flags)
{
	const struct call c = { .b = (long)list, .c = (long)n, .d = advice };
	long r;

	wm_advice_asks(advice);
	r = wm_pages_are_on() ? before(ADVISE_LIST, &c) : 0;
	return r < 0 ? wm_from_kernel(r) :
		       __real_process_madvise(process, list, n, advice, flags);
}

int __wrap_mseal(void *addr, size_t len, unsigned long flags)
{
	const struct call c = { .a = (long)addr, .b = (long)len };
	long r = wm_pages_are_on() ? before(SEAL, &c) : 0;

	return r < 0 ? (int)wm_from_kernel(r) : __real_mseal(addr, len, flags);
}

int __wrap_remap_file_pages(void *addr, size_t len, int prot, size_t at,
			    int flags)
{
	long r = wm_pages_are_on() ? before(END, NULL) : 0;

	return r < 0 ? (int)wm_from_kernel(r) :
		       __real_remap_file_pages(addr, len, prot, at, flags);
}
#endif
