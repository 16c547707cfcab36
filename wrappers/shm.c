/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers shmat and shmdt.  A segment of shm_open is mapped by mmap: see
 * mapping.c.
 *
 * Leaves out shmget: a segment is in no process until it is attached.
 */
#include <errno.h>
#include <stdbool.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/syscall.h>

#include "wm/trace_format.h"

#include "wrappers/forks_and_limits.h"

#ifndef WM_DYNAMIC
WM_WRAPPED(void *, shmat, int id, const void *addr, int flags);
WM_WRAPPED(int, shmdt, const void *addr);
#endif

/* Not inlined: its stack is given back before the event is recorded. */
static __attribute__((noinline)) size_t size_of(int id)
{
	struct shmid_ds ds;

	ds.shm_segsz = 0;
	wm_kernel(SYS_shmctl, id, IPC_STAT, (long)&ds, 0, 0, 0);
	return ds.shm_segsz;
}

wm_export_weak void *WM_SHIM(shmat)(int id, const void *addr, int flags)
{
	uint64_t signals;
	void *p;

	if (WM_REAL_MISSING()) {
		errno = ENOMEM;
		return (void *)-1;
	}
	if (wm_pages_before_attach(flags) < 0) {
		errno = EAGAIN;
		return (void *)-1;
	}
	if (!wm_enter_alone(&signals))
		return WM_REAL(shmat)(id, addr, flags);
	p = WM_OUTSIDE(&signals, WM_REAL(shmat)(id, addr, flags));
	wm_rec_alloc(WMT_EV_SHM, p == (void *)-1 ? NULL : p, size_of(id),
		     wm_frame());
	wm_leave_alone(&signals);
	return p;
}

wm_export_weak int WM_SHIM(shmdt)(const void *addr)
{
	struct wm_tentative release = { 0, false };
	uint64_t signals;
	int r;

	if (WM_REAL_MISSING()) {
		errno = EINVAL;
		return -1;
	}
	if (!wm_enter_alone(&signals))
		return WM_REAL(shmdt)(addr);
	wm_memory_goes(SIZE_MAX);
	if (addr)
		release = wm_rec_tentative(WMT_EV_SHM_GONE, addr, 0);
	r = WM_OUTSIDE(&signals, WM_REAL(shmdt)(addr));
	wm_rec_settled(release, r != 0);
	wm_leave_alone(&signals);
	return r;
}
