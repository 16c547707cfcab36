/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers mmap, mmap64, munmap, mremap, mprotect, brk, sbrk: the calls of the
 * application and of its libraries.  Lengths are recorded in whole pages.
 *
 * Memory that malloc maps is not recorded (such calls come from inside a
 * wrapper).  Leaves out system calls made by syscall(), by which programs avoid
 * libc on purpose; madvise (advice.c) and mlock, which change no mapping; and
 * mprotect that removes access, which leaves the memory there.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/auxv.h>
/* libc declares mremap with "...", for which a compiler may save all registers
 * on the stack.  The fifth argument is passed in the same way without "...". */
#define mremap mremap_of_libc
#include <sys/mman.h>
#undef mremap
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "wm/trace_format.h"

#include "wrappers/forks_and_limits.h"
#include "wrappers/shim.h"

void *WM_SHIM(mremap)(void *old, size_t old_len, size_t len, int flags,
		      void *want) wm_export_weak;
#ifndef WM_DYNAMIC
WM_WRAPPED(void *, mmap, void *addr, size_t len, int prot, int flags, int fd,
	   off_t at);
WM_WRAPPED(void *, mmap64, void *addr, size_t len, int prot, int flags, int fd,
	   off_t at);
WM_WRAPPED(int, munmap, void *addr, size_t len);
WM_WRAPPED(int, mprotect, void *addr, size_t len, int prot);
WM_WRAPPED(int, brk, void *addr);
WM_WRAPPED(void *, sbrk, intptr_t bytes);
void *__real_mremap(void *old, size_t old_len, size_t len, int flags, ...)
	__attribute__((weak));
#else
#define __real_mmap wm_real.mmap
#define __real_mmap64 wm_real.mmap
#endif

/* flags of mremap, of which newer headers have the last */
#define REMAP_MOVES 1
#define REMAP_FIXED 2
#define REMAP_KEEP 4
/* only some processors have it */
#ifndef MAP_32BIT
#define MAP_32BIT 0
#endif

#define TMPFS 0x01021994
#define HUGETLBFS 0x958458f6

static bool is_page(const void *p)
{
	return p && ((uintptr_t)p & (getauxval(AT_PAGESZ) - 1)) == 0;
}

/* Returns whether every kernel can have mappings in all of this range.  If so,
 * their end is recorded before the call, because after the call another
 * thread's mapping may be there.  For other ranges the result of the call
 * decides: some kernels have more addresses, others refuse the call. */
static bool is_range(const void *p, size_t len)
{
	const uintptr_t end = WM_USER_END - getauxval(AT_PAGESZ);

	return is_page(p) && len && (uintptr_t)p < end &&
	       len <= end - (uintptr_t)p;
}

static void record_unmap(const void *p, size_t len)
{
	wm_rec_mark(WMT_EV_UNMAP, p, wm_round_to_pages(len));
}

static struct wm_tentative will_unmap(const void *p, size_t len)
{
	return wm_rec_tentative(WMT_EV_UNMAP, p, wm_round_to_pages(len));
}

/* Returns whether the file is in memory, as files of memfd_create are.  Not
 * inlined, so that its stack is free again before the event is recorded. */
static __attribute__((noinline)) bool is_in_memory(int fd)
{
	struct statfs fs;

	if (wm_kernel(SYS_fstatfs, fd, (long)&fs, 0, 0, 0, 0))
		return false;
	return fs.f_type == TMPFS || fs.f_type == HUGETLBFS;
}

/* Returns whether this is a shared mapping of a file in memory. */
static bool is_shm(int flags, int fd)
{
	int type = flags & 3; /* MAP_SHARED 1, MAP_SHARED_VALIDATE 3 */

	return (type & MAP_SHARED) && !(flags & MAP_ANONYMOUS) && fd >= 0 &&
	       is_in_memory(fd);
}

/* Returns whether a call for @len bytes failed for want of memory.  Other calls
 * would fail with any amount of memory.  @placed: the call admits only a part of
 * the addresses, so that ENOMEM may be for want of these. */
static bool is_want(size_t len, bool placed)
{
	return !placed &&
	       (errno == ENOMEM || errno == EAGAIN || len > WM_USER_END);
}

/* Returns whether a mapping without access will replace the mappings there. */
static bool replaces(void *addr, size_t len, int prot, int flags, int fd)
{
	return prot == PROT_NONE && (flags & MAP_FIXED) &&
	       is_range(addr, len) && (fd >= 0 || (flags & MAP_ANONYMOUS));
}

static void after_map(void *p, size_t len, int prot, int flags, int fd,
		      const uintptr_t *frame)
{
	bool shm;

	if (p == MAP_FAILED) {
		/* without access, it would have been no memory */
		if (prot != PROT_NONE && is_want(len, flags & MAP_32BIT))
			wm_rec_alloc(WMT_EV_FAILED, NULL, len, frame);
		return;
	}
	shm = is_shm(flags, fd);
	len = wm_round_to_pages(len);
	if (prot == PROT_NONE && (flags & MAP_FIXED) && !is_range(p, len))
		record_unmap(p, len);
	if (!p)
		return;
	wm_reservation_forget(p, len, WM_ANY_RESERVATION);
	if (fd >= 0 && !shm && !(flags & MAP_ANONYMOUS))
		wm_memory_file(len);
	if (flags & MAP_SHARED)
		wm_memory_comes(len);
	if (prot == PROT_NONE && wm_reservation_add(p, len))
		return;
	wm_rec_alloc(shm ? WMT_EV_SHM : WMT_EV_MAP, p, len, frame);
}

#ifdef WM_DYNAMIC
/* The loader is being asked for the real mmap. */
#define WM_MMAP_EARLY()                                                        \
	do {                                                                   \
		if (WM_REAL_MISSING())                                         \
			return (void *)wm_from_kernel(                         \
				wm_kernel(SYS_mmap, (long)addr, (long)len,     \
					  prot, flags, fd, at));               \
	} while (0)
#define WM_EARLY(failure)                                                      \
	do {                                                                   \
		if (WM_REAL_MISSING()) {                                       \
			errno = ENOMEM;                                        \
			return failure;                                        \
		}                                                              \
	} while (0)
#else
#define WM_MMAP_EARLY() ((void)0)
#define WM_EARLY(failure) ((void)0)
#endif

#define WM_MMAP(name)                                                          \
	wm_export_weak void *WM_SHIM(name)(void *addr, size_t len, int prot,   \
					   int flags, int fd, off_t at)        \
	{                                                                      \
		bool early = replaces(addr, len, prot, flags, fd);             \
		struct wm_tentative release = { 0, false };                    \
		uint64_t signals;                                              \
		void *p;                                                       \
                                                                               \
		WM_MMAP_EARLY();                                               \
		if (!wm_enter_alone(&signals)) {                               \
			if (flags & MAP_FIXED)                                 \
				wm_memory_fades_inside(len);                   \
			return wm_pages_mmap(__real_##name, addr, len, prot,   \
					     flags, fd, at);                   \
		}                                                              \
		if (flags & MAP_FIXED)                                         \
			wm_memory_goes(len);                                   \
		if (early)                                                     \
			release = will_unmap(addr, len);                       \
		p = WM_OUTSIDE(&signals,                                       \
			       wm_pages_mmap(__real_##name, addr, len, prot,   \
					     flags, fd, at));                  \
		wm_rec_settled(release, p == MAP_FAILED);                      \
		after_map(p, len, prot, flags, fd, wm_frame());                \
		wm_leave_alone(&signals);                                      \
		return p;                                                      \
	}

WM_MMAP(mmap)
WM_MMAP(mmap64)

wm_export_weak int WM_SHIM(munmap)(void *addr, size_t len)
{
	bool early = is_range(addr, len);
	struct wm_tentative release = { 0, false };
	uint64_t signals, now;
	int r;

	WM_EARLY(-1);
	if (!wm_enter_alone(&signals)) {
		wm_memory_fades_inside(len);
		return wm_pages_munmap(WM_REAL(munmap), addr, len);
	}
	wm_memory_goes(len);
	now = wm_reservation_now();
	if (early)
		release = will_unmap(addr, len);
	r = WM_OUTSIDE(&signals, wm_pages_munmap(WM_REAL(munmap), addr, len));
	if (r == 0)
		wm_reservation_forget(addr, wm_round_to_pages(len), now);
	if (!early && r == 0)
		record_unmap(addr, len);
	wm_rec_settled(release, r != 0);
	wm_leave_alone(&signals);
	return r;
}

wm_export_weak void *WM_SHIM(mremap)(void *old, size_t old_len, size_t len,
				     int flags, void *want)
{
	bool moves = !(flags & REMAP_KEEP) && is_page(old);
	struct wm_tentative release = { 0, false };
	uint64_t signals, now;
	void *p;

	if (!(flags & (REMAP_FIXED | REMAP_KEEP)))
		want = NULL; /* the caller has passed no such argument */
	WM_EARLY(MAP_FAILED);
	if (!wm_enter_alone(&signals)) {
		wm_memory_fades_inside(old_len);
		return wm_pages_mremap(WM_REAL(mremap), old, old_len, len,
				       flags, want);
	}
	now = wm_reservation_now();
	wm_memory_goes(old_len);
	if (moves)
		release = wm_rec_tentative(WMT_EV_REMAP_OUT, old,
					   wm_round_to_pages(old_len));
	p = WM_OUTSIDE(&signals, wm_pages_mremap(WM_REAL(mremap), old, old_len,
						 len, flags, want));
	if (p == MAP_FAILED) {
		if (!is_want(len, !(flags & REMAP_MOVES)))
			wm_rec_refused(release.event);
		else /* also in a pause, as its REMAP_OUT is */
			wm_rec_alloc(moves ? WMT_EV_REMAP_IN : WMT_EV_FAILED,
				     NULL, len, wm_frame());
	} else {
		wm_reservation_forget(old, wm_round_to_pages(old_len), now);
		wm_reservation_forget(p, wm_round_to_pages(len),
				      WM_ANY_RESERVATION);
		wm_rec_alloc(moves ? WMT_EV_REMAP_IN : WMT_EV_MAP, p,
			     wm_round_to_pages(len), wm_frame());
	}
	wm_rec_settled(release, false);
	wm_leave_alone(&signals);
	return p;
}

/* A reserved range becomes memory, piece by piece, when it gets access. */
wm_export_weak int WM_SHIM(mprotect)(void *addr, size_t len, int prot)
{
	uint64_t signals;
	void *piece;
	size_t bytes;
	int r;

	WM_EARLY(-1);
	r = wm_pages_mprotect(WM_REAL(mprotect), addr, len, prot);
	if (r || prot == PROT_NONE || !wm_enter_alone(&signals))
		return r;
	while (wm_reservation_take(addr, wm_round_to_pages(len),
				   WM_ANY_RESERVATION, &piece, &bytes))
		wm_rec_alloc(WMT_EV_MAP, piece, bytes, wm_frame());
	wm_leave_alone(&signals);
	return r;
}

static void *real_sbrk(intptr_t bytes)
{
	return wm_pages_are_on() ? wm_pages_sbrk(WM_REAL(sbrk), bytes) :
				   WM_REAL(sbrk)(bytes);
}

static int real_brk(void *addr)
{
	char *before;
	int r;

	if (!wm_pages_are_on())
		return WM_REAL(brk)(addr);
	before = wm_break_now();
	wm_pages_break_down(before, addr);
	r = WM_REAL(brk)(addr);
	wm_pages_break_moved(before, wm_break_now());
	return r;
}

/* Called after the call, because libc does not report that the kernel refused
 * to lower the break.  The break was at @before, and was to be raised by @more
 * bytes or, if @more is 0, not raised. */
static void record_break(char *before, size_t more, const uintptr_t *frame)
{
	char *now = wm_break_now();

	if (now > before)
		wm_rec_alloc(WMT_EV_BREAK_UP, before, (size_t)(now - before),
			     frame);
	else if (now < before)
		wm_rec_mark(WMT_EV_BREAK_DOWN, now, (size_t)(before - now));
	else if (more)
		wm_rec_alloc(WMT_EV_FAILED, NULL, more, frame);
}

wm_export_weak int WM_SHIM(brk)(void *addr)
{
	uint64_t signals;
	char *before;
	int r;

	WM_EARLY(-1);
	if (!wm_enter_alone(&signals))
		return real_brk(addr);
	before = wm_break_now();
	r = WM_OUTSIDE(&signals, real_brk(addr));
	record_break(before,
		     (uintptr_t)addr > (uintptr_t)before ?
			     (uintptr_t)addr - (uintptr_t)before :
			     0,
		     wm_frame());
	wm_leave_alone(&signals);
	return r;
}

wm_export_weak void *WM_SHIM(sbrk)(intptr_t bytes)
{
	uint64_t signals;
	char *before;
	void *p;

	WM_EARLY((void *)-1);
	if (!bytes || !wm_enter_alone(&signals))
		return real_sbrk(bytes);
	before = wm_break_now();
	p = WM_OUTSIDE(&signals, real_sbrk(bytes));
	record_break(before, bytes > 0 ? (size_t)bytes : 0, wm_frame());
	wm_leave_alone(&signals);
	return p;
}
