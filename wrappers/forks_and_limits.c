/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers locks (mlock, mlock2, munlock, mlockall, munlockall), limits
 * (setrlimit, setrlimit64, prlimit, prlimit64) and forks (_Fork, which is
 * fork's inner part since glibc 2.34; fork; clone), in static programs of
 * glibc.  None of these calls is an event: they matter while page accesses are
 * followed.
 *
 * Leaves out vfork, posix_spawn, system and popen, whose children share our
 * memory until they become other programs; and forks by an instruction in the
 * program itself, which cannot be seen.
 */
#ifndef WM_DYNAMIC
#include <sched.h>
#include <sys/resource.h>

#include "wrappers/forks_and_limits.h"

WM_WRAPPED(int, _Fork, void);

int __wrap__Fork(void)
{
	int r;

	if (!wm_pages_are_on())
		return __real__Fork();
	r = wm_pages_fork(__real__Fork);
	return r < -1 ? (int)wm_from_kernel(r) : r;
}

WM_WRAPPED(int, mlock, const void *addr, size_t len);
WM_WRAPPED(int, mlock2, const void *addr, size_t len, unsigned flags);
WM_WRAPPED(int, munlock, const void *addr, size_t len);
WM_WRAPPED(int, mlockall, int flags);
WM_WRAPPED(int, munlockall, void);

int __wrap_mlock(const void *addr, size_t len)
{
	wm_pages_will_lock(addr, len, 0);
	return (int)wm_pages_did_lock(addr, len, __real_mlock(addr, len));
}

int __wrap_mlock2(const void *addr, size_t len, unsigned flags)
{
	wm_pages_will_lock(addr, len, flags);
	return (int)wm_pages_did_lock(addr, len,
				      __real_mlock2(addr, len, flags));
}

int __wrap_munlock(const void *addr, size_t len)
{
	return (int)wm_pages_did_unlock(addr, len, __real_munlock(addr, len));
}

int __wrap_mlockall(int flags)
{
	int r;

	if (wm_pages_are_on())
		wm_pages_lock_all(flags);
	r = __real_mlockall(flags);
	if (r && wm_pages_are_on())
		wm_pages_lock_all(WM_PAGES_LOCK_REFUSED);
	return r;
}

int __wrap_munlockall(void)
{
	int r = __real_munlockall();

	if (r == 0 && wm_pages_are_on())
		wm_pages_lock_all(0);
	return r;
}

/* The limit may be that of another process; then this does no harm. */
static void before_limit(int what, const void *limit)
{
	if (what == RLIMIT_DATA && limit)
		wm_pages_limit_data();
}

#define WM_LIMIT(name, declared, given)                                        \
	int __wrap_##name declared wm_export;                                  \
	int __real_##name declared __attribute__((weak));                      \
	int __wrap_##name declared                                             \
	{                                                                      \
		before_limit(what, limit);                                     \
		return __real_##name given;                                    \
	}

WM_LIMIT(setrlimit, (int what, const void *limit), (what, limit))
WM_LIMIT(setrlimit64, (int what, const void *limit), (what, limit))
WM_LIMIT(prlimit, (pid_t pid, int what, const void *limit, void *old),
	 (pid, what, limit, old))
WM_LIMIT(prlimit64, (pid_t pid, int what, const void *limit, void *old),
	 (pid, what, limit, old))

static int refuse_fork(void)
{
	errno = EAGAIN;
	return -1;
}

/* A fork() that does not call _Fork() runs handlers of the program in the child
 * before the child can get its own memory. */
static bool before_fork(void)
{
	return !wm_pages_are_on() || __real__Fork || wm_pages_before_fork();
}

#define WM_FORK(name)                                                          \
	WM_WRAPPED(int, name, void);                                           \
	int __wrap_##name(void)                                                \
	{                                                                      \
		return before_fork() ? __real_##name() : refuse_fork();        \
	}

WM_FORK(fork)
WM_FORK(__fork)

static bool before_clone(unsigned long flags)
{
	return !wm_pages_are_on() || (flags & CLONE_VM) ||
	       wm_pages_before_fork();
}

#define CLONE_ARGUMENTS                                                        \
	int (*f)(void *), void *stack, int flags, void *arg, void *parent,     \
		void *tls, void *child
#define WM_CLONE(name)                                                         \
	WM_WRAPPED(int, name, CLONE_ARGUMENTS);                                \
	int __wrap_##name(CLONE_ARGUMENTS)                                     \
	{                                                                      \
		if (!before_clone((unsigned)flags))                            \
			return refuse_fork();                                  \
		return __real_##name(f, stack, flags, arg, parent, tls,        \
				     child);                                   \
	}

WM_CLONE(clone)
WM_CLONE(__clone)
#endif
