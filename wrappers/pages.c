/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers madvise, limits (setrlimit, setrlimit64, prlimit, prlimit64), and what
 * forks: _Fork (fork's inner part since glibc 2.34), fork itself in older ones,
 * clone and syscall, in static programs of glibc.
 * Nothing of them is an event: they matter while page accesses are followed.
 *
 * Leaves out vfork, posix_spawn, system and popen, whose children share our
 * memory until they are other programs; and forks by an instruction in the
 * program itself, which nobody sees.
 */
#ifndef WM_DYNAMIC
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "wrappers/pages.h"

int __wrap_madvise(void *addr, size_t len, int advice) wm_export;
int __wrap___madvise(void *addr, size_t len, int advice) wm_export;
int __wrap__Fork(void) wm_export;
int __wrap_fork(void) wm_export;
int __wrap___fork(void) wm_export;
int __wrap_clone(int (*f)(void *), void *stack, int flags, void *arg,
		 void *parent, void *tls, void *child) wm_export;
int __wrap___clone(int (*f)(void *), void *stack, int flags, void *arg,
		   void *parent, void *tls, void *child) wm_export;
long __wrap_syscall(long n, long a, long b, long c, long d, long e,
		    long f) wm_export;

#define WM_WEAK __attribute__((weak))
int __real_madvise(void *addr, size_t len, int advice) WM_WEAK;
int __real___madvise(void *addr, size_t len, int advice) WM_WEAK;
int __real__Fork(void) WM_WEAK;
int __real_fork(void) WM_WEAK;
int __real___fork(void) WM_WEAK;
int __real_clone(int (*f)(void *), void *stack, int flags, void *arg,
		 void *parent, void *tls, void *child) WM_WEAK;
int __real___clone(int (*f)(void *), void *stack, int flags, void *arg,
		   void *parent, void *tls, void *child) WM_WEAK;
long __real_syscall(long n, long a, long b, long c, long d, long e,
		    long f) WM_WEAK;

static int advise(int (*real)(void *, size_t, int), void *addr, size_t len,
		  int advice)
{
	return wm_pages_are_on() ?
		       (int)wm_from_kernel(wm_pages_advise(addr, len, advice)) :
		       real(addr, len, advice);
}

int __wrap_madvise(void *addr, size_t len, int advice)
{
	return advise(__real_madvise, addr, len, advice);
}

int __wrap___madvise(void *addr, size_t len, int advice)
{
	return advise(__real___madvise, addr, len, advice);
}

int __wrap__Fork(void)
{
	int r;

	if (!wm_pages_are_on())
		return __real__Fork();
	r = wm_pages_fork(__real__Fork);
	return r < -1 ? (int)wm_from_kernel(r) : r;
}

/* ---- limits ---- */

int __wrap_setrlimit(int what, const void *limit) wm_export;
int __wrap_setrlimit64(int what, const void *limit) wm_export;
int __wrap_prlimit(pid_t pid, int what, const void *limit, void *old) wm_export;
int __wrap_prlimit64(pid_t pid, int what, const void *limit,
		     void *old) wm_export;
int __real_setrlimit(int what, const void *limit) WM_WEAK;
int __real_setrlimit64(int what, const void *limit) WM_WEAK;
int __real_prlimit(pid_t pid, int what, const void *limit, void *old) WM_WEAK;
int __real_prlimit64(pid_t pid, int what, const void *limit, void *old) WM_WEAK;

/* Of another process it may be, too: then it is for nothing. */
static void before_limit(int what, const void *limit)
{
	if (what == RLIMIT_DATA && limit)
		wm_pages_limit_data();
}

int __wrap_setrlimit(int what, const void *limit)
{
	before_limit(what, limit);
	return __real_setrlimit(what, limit);
}

int __wrap_setrlimit64(int what, const void *limit)
{
	before_limit(what, limit);
	return __real_setrlimit64(what, limit);
}

int __wrap_prlimit(pid_t pid, int what, const void *limit, void *old)
{
	before_limit(what, limit);
	return __real_prlimit(pid, what, limit, old);
}

int __wrap_prlimit64(pid_t pid, int what, const void *limit, void *old)
{
	before_limit(what, limit);
	return __real_prlimit64(pid, what, limit, old);
}

/* ---- forks ---- */

static int refuse_fork(void)
{
	errno = EAGAIN;
	return -1;
}

/* A fork() without _Fork() in it runs handlers of the program in the child
 * before anybody could give it memory of its own. */
static bool before_fork(void)
{
	return !wm_pages_are_on() || __real__Fork || wm_pages_before_fork();
}

int __wrap_fork(void)
{
	return before_fork() ? __real_fork() : refuse_fork();
}

int __wrap___fork(void)
{
	return before_fork() ? __real___fork() : refuse_fork();
}

static bool before_clone(unsigned long flags)
{
	return !wm_pages_are_on() || (flags & CLONE_VM) ||
	       wm_pages_before_fork();
}

int __wrap_clone(int (*f)(void *), void *stack, int flags, void *arg,
		 void *parent, void *tls, void *child)
{
	if (!before_clone((unsigned)flags))
		return refuse_fork();
	return __real_clone(f, stack, flags, arg, parent, tls, child);
}

int __wrap___clone(int (*f)(void *), void *stack, int flags, void *arg,
		   void *parent, void *tls, void *child)
{
	if (!before_clone((unsigned)flags))
		return refuse_fork();
	return __real___clone(f, stack, flags, arg, parent, tls, child);
}

/* What the program does behind libc's back. */
static bool is_ours(long n, long a, long b, long c, long d, long e, long f,
		    long *r)
{
	switch (n) {
	case SYS_munmap:
		*r = wm_pages_unmap((void *)a, (size_t)b);
		return true;
	case SYS_mremap:
		*r = wm_pages_remap((void *)a, (size_t)b, (size_t)c, (int)d,
				    (void *)e);
		return true;
	case SYS_madvise:
		*r = wm_pages_advise((void *)a, (size_t)b, (int)c);
		return true;
	case SYS_mprotect:
		*r = wm_pages_protect((void *)a, (size_t)b, (int)c);
		return true;
	case SYS_mmap:
		if (d & MAP_FIXED)
			wm_pages_leave((void *)a, (size_t)b);
		return false;
	case SYS_brk:
	case SYS_clone3:
		/* the flags are in memory; a break that is not libc's */
		*r = -EAGAIN;
		return !wm_pages_before_fork();
	case SYS_clone:
		*r = -EAGAIN;
		return !before_clone((unsigned long)a);
#ifdef SYS_fork
	case SYS_fork:
		*r = -EAGAIN;
		return !wm_pages_before_fork();
#endif
	default:
		(void)f;
		return false;
	}
}

/* Rights of a thread of ours (rights.c). */
static bool changes_rights(long n)
{
	switch (n) {
	case SYS_setuid:
	case SYS_setgid:
	case SYS_setreuid:
	case SYS_setregid:
	case SYS_setresuid:
	case SYS_setresgid:
	case SYS_setgroups:
	case SYS_capset:
	case SYS_prctl:
		return true;
	default:
		return false;
	}
}

static bool binds_threads(long n)
{
	return n == SYS_seccomp || n == SYS_unshare || n == SYS_setns;
}

long __wrap_syscall(long n, long a, long b, long c, long d, long e, long f)
{
	long r;

	if (binds_threads(n) || (n == SYS_prctl && a == PR_SET_SECCOMP))
		wm_pages_confine();
	if (n == SYS_prlimit64)
		before_limit((int)b, (const void *)c);
#ifdef SYS_setrlimit
	if (n == SYS_setrlimit)
		before_limit((int)a, (const void *)b);
#endif
	if (changes_rights(n)) {
		r = __real_syscall(n, a, b, c, d, e, f);
		if (r == 0)
			wm_pages_rights();
		return r;
	}
	if (wm_pages_are_on() && is_ours(n, a, b, c, d, e, f, &r))
		return wm_from_kernel(r);
	return __real_syscall(n, a, b, c, d, e, f);
}
#endif
