/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers calls that change the rights of a process (setuid, setgid, seteuid,
 * setegid, setreuid, setregid, setresuid, setresgid, setgroups, capset, prctl),
 * bind all its threads (prctl and syscall with a filter of system calls), or
 * need it to have a single thread (unshare, setns), in static programs of
 * glibc.  None of these calls is an event.  They matter while page accesses are
 * followed, because a thread of ours, which libc does not know, also has
 * rights.
 *
 * Leaves out setfsuid and setfsgid, which affect one thread.
 */
#ifndef WM_DYNAMIC
#include <grp.h>
#include <sched.h>
#include <unistd.h>

#include "wrappers/forks_and_limits.h"

/* Called after the real call, when the caller has the new rights. */
#define WM_RIGHTS(name, declared, given)                                       \
	int __wrap_##name declared wm_export;                                  \
	int __real_##name declared __attribute__((weak));                      \
	int __wrap_##name declared                                             \
	{                                                                      \
		int r = __real_##name given;                                   \
                                                                               \
		if (r == 0)                                                    \
			wm_pages_rights();                                     \
		return r;                                                      \
	}

WM_RIGHTS(setuid, (uid_t id), (id))
WM_RIGHTS(setgid, (gid_t id), (id))
WM_RIGHTS(seteuid, (uid_t id), (id))
WM_RIGHTS(setegid, (gid_t id), (id))
WM_RIGHTS(setreuid, (uid_t real, uid_t id), (real, id))
WM_RIGHTS(setregid, (gid_t real, gid_t id), (real, id))
WM_RIGHTS(setresuid, (uid_t real, uid_t id, uid_t saved), (real, id, saved))
WM_RIGHTS(setresgid, (gid_t real, gid_t id, gid_t saved), (real, id, saved))
WM_RIGHTS(setgroups, (size_t n, const gid_t *list), (n, list))
WM_RIGHTS(capset, (void *head, const void *data), (head, data))

/* CLONE_NEWTIME, which headers of older systems lack */
#define NEW_TIME 0x80

static const int needs_one_thread = CLONE_NEWUSER | CLONE_THREAD |
				    CLONE_SIGHAND | CLONE_VM;

WM_WRAPPED(int, unshare, int flags);
WM_WRAPPED(int, setns, int fd, int type);
WM_WRAPPED(int, prctl, int what, unsigned long a, unsigned long b,
	   unsigned long c, unsigned long d);

int __wrap_unshare(int flags)
{
	if (flags & needs_one_thread)
		wm_pages_confine();
	return __real_unshare(flags);
}

int __wrap_setns(int fd, int type)
{
	if (!type || type & (CLONE_NEWUSER | NEW_TIME))
		wm_pages_confine();
	return __real_setns(fd, type);
}

/* libc declares prctl with "..."; arguments that the caller does not pass are
 * garbage here, as they are in libc. */
int __wrap_prctl(int what, unsigned long a, unsigned long b, unsigned long c,
		 unsigned long d)
{
	int r;

	if (what == 22 /* PR_SET_SECCOMP */)
		wm_pages_confine();
	r = __real_prctl(what, a, b, c, d);
	/* PR_CAPBSET_DROP, PR_SET_SECUREBITS, PR_SET_NO_NEW_PRIVS,
	 * PR_CAP_AMBIENT */
	if (r == 0 && (what == 24 || what == 28 || what == 38 || what == 47))
		wm_pages_rights();
	return r;
}
#endif
