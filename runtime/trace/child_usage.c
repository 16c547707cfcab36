/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/child_usage.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "wm/trace_format.h"

#include "runtime/base/file_text.h"
#include "runtime/base/lock.h"
#include "runtime/base/peek.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/trace/faults.h"
#include "runtime/trace/head.h"
#include "runtime/trace/tracefile.h"

#define WAIT_ALL 0x40000000 /* __WALL: children without SIGCHLD, too */

bool wm_child_followed;

/* The state when the trace began: a program may replace a script, by exec, that
 * already had children. */
static struct {
	uint64_t faults, huge;
	bool had;
	char pids[512]; /* of these children, as far as the kernel lists them */
	volatile char *page; /* written only at that time; NULL: no memory */
} began;

static uint64_t faults_of(int whom, uint64_t *peak)
{
	struct rusage u;

	*peak = 0;
	if (WM_SYS2(SYS_getrusage, whom, &u) < 0)
		return 0;
	/* For children at the moment of an exec, the kernel counts the memory
	 * that they still shared with their parents. */
	*peak = (uint64_t)u.ru_maxrss << 10;
	return (uint64_t)(u.ru_minflt + u.ru_majflt);
}

static bool has_children(void)
{
	siginfo_t info;

	return wm_sys6(SYS_waitid, P_ALL, 0, (long)&info,
		       WEXITED | WNOHANG | WNOWAIT | WAIT_ALL, 0, 0) == 0;
}

/* Lists the children of the first thread.  Returns false if the kernel has no
 * such lists. */
static bool list_children(char *to, size_t room)
{
	char path[64];
	struct wm_text t = wm_text_on(path, sizeof(path));
	uint64_t id[2];

	wm_text_add(&t, "/proc/self/task/");
	wm_text_uint(&t, (uint64_t)wm_sys_getpid(), 1);
	wm_text_add(&t, "/children");
	return wm_file_text(path, to, room) ||
	       wm_sys_which(WM_AT_FDCWD, path, 0, id) == 0;
}

/* Stores the next number of a list in *@pid. */
static const char *next_of(const char *list, uint64_t *pid)
{
	return wm_str_uint(list + (*list == ' '), pid);
}

static bool is_older(uint64_t pid)
{
	const char *s = began.pids;
	uint64_t other;

	while ((s = next_of(s, &other)))
		if (other == pid)
			return true;
	return false;
}

/* Returns whether the child has a trace beside this one. */
static bool is_traced(uint64_t pid)
{
	const char *name = strrchr(wm_tracefile_path, '/');
	const char *rank = name ? strchr(name, '.') : NULL;
	char path[WM_PATH_MAX];
	struct wm_text t = wm_text_on(path, sizeof(path));
	uint64_t id[2];

	if (wm_child_followed)
		return true; /* It may have no trace yet. */
	if (!rank)
		return false;
	for (const char *s = wm_tracefile_path; s < rank; s++)
		wm_text_char(&t, *s);
	wm_text_add(&t, ".child-");
	wm_text_uint(&t, pid, 1);
	wm_text_add(&t, WMT_FILE_SUFFIX);
	return wm_sys_which(WM_AT_FDCWD, path, 0, id) == 0;
}

/* Returns whether a child without a trace was not waited for. */
static bool has_left(bool forked)
{
	char now[4096];
	const char *s = now;
	bool listed = list_children(now, sizeof(now));
	uint64_t pid;

	while ((s = next_of(s, &pid)))
		if (!is_older(pid) && !is_traced(pid))
			return true;
	if (*now)
		return false;
	/* There may be children of other threads. */
	if (wm_peek_is_safe() && (listed || !began.had))
		return has_children();
	return !listed && forked;
}

/* Returns whether children end without being waited for: the kernel adds none
 * of their memory and page faults. */
static bool ignores_ends(void)
{
	unsigned long action[4]; /* handler, flags, ... */

	return wm_peek_is_safe() &&
	       WM_SYS4(SYS_rt_sigaction, SIGCHLD, 0, action, 8) == 0 &&
	       (action[0] == (unsigned long)SIG_IGN ||
		(action[1] & SA_NOCLDWAIT));
}

/* Returns whether the process has been copied by fork since .page was written:
 * after a fork, the first write to a shared page takes a page fault.  vfork,
 * posix_spawn and system copy nothing. */
static bool has_forked(void)
{
	uint64_t before, peak;

	if (!began.page)
		return false;
	(void)*began.page; /* The page may have been swapped out. */
	before = faults_of(RUSAGE_THREAD, &peak);
	*began.page = 1;
	return faults_of(RUSAGE_THREAD, &peak) > before;
}

void wm_child_usage_begin(void)
{
	uint64_t peak;

	began.page = wm_pool_map(WM_PAGE);
	if (began.page)
		*began.page = 1;
	began.faults = faults_of(RUSAGE_CHILDREN, &peak);
	began.huge = wm_faults_huge();
	began.had = has_children();
	list_children(began.pids, sizeof(began.pids));
}

bool wm_child_usage_matters(void)
{
	uint64_t peak;

	return faults_of(RUSAGE_CHILDREN, &peak) > began.faults ||
	       wm_lock_forks || wm_options.children;
}

void wm_child_usage_put(struct wm_buf *head)
{
	uint64_t peak, huge;
	uint64_t faults = faults_of(RUSAGE_CHILDREN, &peak) - began.faults;
	bool forked = has_forked();

	if (faults) {
		huge = wm_faults_huge() - began.huge;
		wm_head_uint(head, WMT_F_CHILD_PEAK, peak);
		wm_head_uint(head, WMT_F_CHILD_FAULTS, faults);
		wm_head_uint(head, WMT_F_FAULT_BYTES, wm_faults_bytes());
		if (huge)
			wm_head_uint(head, WMT_F_HUGE_FAULTS, huge);
	}
	if (forked)
		wm_head_uint(head, WMT_F_FORKED, 1);
	if (has_left(forked))
		wm_head_uint(head, WMT_F_CHILDREN_LEFT, 1);
	else if (ignores_ends())
		wm_head_uint(head, WMT_F_CHILDREN_LEFT, 2);
	if (wm_child_usage_matters())
		wm_head_uint(head, WMT_F_FAULTS, wm_faults_own());
}
