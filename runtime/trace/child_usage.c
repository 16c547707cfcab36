/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/child_usage.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "wm/trace_format.h"

#include "runtime/base/lock.h"
#include "runtime/base/peek.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/trace/faults.h"
#include "runtime/trace/head.h"

#define WAIT_ALL 0x40000000 /* __WALL: children without SIGCHLD, too */

/* The state when the trace began: a program may replace a script, by exec, that
 * already had children. */
static struct {
	uint64_t faults, huge;
	bool had;
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

	if (faults) {
		huge = wm_faults_huge() - began.huge;
		wm_head_uint(head, WMT_F_CHILD_PEAK, peak);
		wm_head_uint(head, WMT_F_CHILD_FAULTS, faults);
		wm_head_uint(head, WMT_F_FAULT_BYTES, wm_faults_bytes());
		if (huge)
			wm_head_uint(head, WMT_F_HUGE_FAULTS, huge);
	}
	if (has_forked())
		wm_head_uint(head, WMT_F_FORKED, 1);
	if (!began.had && wm_peek_is_safe() && has_children())
		wm_head_uint(head, WMT_F_CHILDREN_LEFT, 1);
	if (wm_child_usage_matters())
		wm_head_uint(head, WMT_F_FAULTS, wm_faults_own());
}
