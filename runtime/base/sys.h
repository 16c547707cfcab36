/* SPDX-License-Identifier: Apache-2.0 */
/* System calls without libc: no errno, no cancellation point.  They are
 * async-signal-safe, and any thread may make them.  Results are those of the
 * kernel: a value in [-4095, -1] is a negated errno. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "runtime/arch/machine.h"
#include WM_MACHINE_HEADER(system_call.h)

#define WM_AT_FDCWD (-100)

#define WM_SYS0(n) wm_sys6(n, 0, 0, 0, 0, 0, 0)
#define WM_SYS1(n, a) wm_sys6(n, (long)(a), 0, 0, 0, 0, 0)
#define WM_SYS2(n, a, b) wm_sys6(n, (long)(a), (long)(b), 0, 0, 0, 0)
#define WM_SYS3(n, a, b, c) wm_sys6(n, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define WM_SYS4(n, a, b, c, d)                                                 \
	wm_sys6(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)
#define WM_SYS6(n, a, b, c, d, e, f)                                           \
	wm_sys6(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e),      \
		(long)(f))

static inline bool wm_sys_bad(long r)
{
	return r < 0 && r >= -4095;
}

static inline void wm_sys_close(int fd)
{
	WM_SYS1(SYS_close, fd);
}

/* struct statx of <linux/stat.h>, which old C libraries do not have. */
struct wm_sys_statx {
	uint32_t mask, blksize;
	uint64_t attributes;
	uint32_t nlink, uid, gid, mode;
	uint64_t ino, size, blocks, attributes_mask, times[8];
	uint32_t rdev_major, rdev_minor, dev_major, dev_minor;
	uint64_t spare[14];
};

/* @id: the device, and the inode number there. */
struct wm_sys_file {
	uint64_t id[2];
	uint32_t uid, mode;
};

static inline bool wm_sys_is_same(const uint64_t a[2], const uint64_t b[2])
{
	return a[0] == b[0] && a[1] == b[1];
}

/* Stores the identity of a file; returns 0 or a negated errno.  If @path is ""
 * and @flags has AT_EMPTY_PATH, the file is that of descriptor @dir.  A network
 * file system answers from its cache. */
static inline long wm_sys_look(int dir, const char *path, int flags,
			       struct wm_sys_file *f)
{
	struct stat st;
	long r = -38; /* ENOSYS */
#ifdef SYS_statx
	struct wm_sys_statx x;

	r = wm_sys6(SYS_statx, dir, (long)path,
		    flags | 0x4000 /* AT_STATX_DONT_SYNC */,
		    0x10b /* TYPE, MODE, UID, INO */, (long)&x, 0);
	if (r == 0) {
		f->id[0] = (uint64_t)x.dev_major << 32 | x.dev_minor;
		f->id[1] = x.ino;
		f->uid = x.uid;
		f->mode = x.mode;
		return 0;
	}
#endif
	/* statx is unknown, or not allowed */
	if (r != -38 && r != -1)
		return r;
	r = WM_SYS4(SYS_newfstatat, dir, path, &st, flags);
	if (r == 0) {
		f->id[0] = (uint64_t)st.st_dev;
		f->id[1] = (uint64_t)st.st_ino;
		f->uid = st.st_uid;
		f->mode = st.st_mode;
	}
	return r;
}

static inline long wm_sys_which(int dir, const char *path, int flags,
				uint64_t id[2])
{
	struct wm_sys_file f;
	long r = wm_sys_look(dir, path, flags, &f);

	if (r == 0) {
		id[0] = f.id[0];
		id[1] = f.id[1];
	}
	return r;
}

/*
 * Calls openat(2) with close-on-exec; returns a descriptor or a negated errno.
 *
 * The descriptor is moved to a high number if the limits allow this: another
 * thread may be about to close(0) and open, relying on the lowest number, or to
 * dup2() to a number of its choice.  The high number is half of the limit, but
 * not so high that the kernel's table takes more than 8 KiB.
 *
 * Before the move, the other thread may also open a file of its own at the low
 * number.  Programs use neither O_NONBLOCK nor O_PATH for files, and the
 * runtime uses one of the two, so the flags of the copy show whether it is
 * ours.  If it is not, -ESTALE is returned.
 */
#define WM_FD_ASIDE 900
static inline int wm_sys_openat(int dir, const char *path, int flags, int mode)
{
	const int ours = flags & 010000000 /* O_PATH */ ? 010000000 : 04000;
	int fd = (int)WM_SYS4(SYS_openat, dir, path, flags | ours, mode);
	uint64_t limit[2] = { 0, 0 };
	uint64_t was[2], is[2];
	int aside;

	if (fd < 0)
		return fd;
	WM_SYS4(SYS_prlimit64, 0, 7 /* RLIMIT_NOFILE */, 0, limit);
	aside = (int)WM_SYS3(SYS_fcntl, fd, 1030 /* F_DUPFD_CLOEXEC */,
			     limit[0] / 2 < WM_FD_ASIDE ? limit[0] / 2 :
							  WM_FD_ASIDE);
	if (aside < 0)
		return fd;
	if (!(WM_SYS3(SYS_fcntl, aside, 3 /* F_GETFL */, 0) & ours)) {
		wm_sys_close(aside);
		return -116; /* ESTALE */
	}
	if (wm_sys_which(fd, "", 0x1000 /* AT_EMPTY_PATH */, was) == 0 &&
	    wm_sys_which(aside, "", 0x1000, is) == 0 && wm_sys_is_same(was, is))
		wm_sys_close(fd);
	return aside;
}

static inline int wm_sys_open(const char *path, int flags, int mode)
{
	return wm_sys_openat(WM_AT_FDCWD, path, flags, mode);
}

static inline long wm_sys_read(int fd, void *buf, size_t n)
{
	long r;

	do
		r = WM_SYS3(SYS_read, fd, buf, n);
	while (r == -4); /* EINTR */
	return r;
}

static inline long wm_sys_write(int fd, const void *buf, size_t n)
{
	long r;

	do
		r = WM_SYS3(SYS_write, fd, buf, n);
	while (r == -4);
	return r;
}

static inline long wm_sys_mkdirat(int dir, const char *path, int mode)
{
	return WM_SYS3(SYS_mkdirat, dir, path, mode);
}

static inline long wm_sys_unlinkat(int dir, const char *path, int flags)
{
	return WM_SYS3(SYS_unlinkat, dir, path, flags);
}

static inline long wm_sys_readlink(const char *path, char *buf, size_t n)
{
	return WM_SYS4(SYS_readlinkat, WM_AT_FDCWD, path, buf, n);
}

static inline int wm_sys_getpid(void)
{
	return (int)WM_SYS0(SYS_getpid);
}

static inline int wm_sys_gettid(void)
{
	return (int)WM_SYS0(SYS_gettid);
}

static inline void wm_sys_yield(void)
{
	WM_SYS0(SYS_sched_yield);
}

/* Blocks every signal, also those of the threads library. */
static inline void wm_sys_block_signals(uint64_t *old)
{
	uint64_t all = ~UINT64_C(0);

	WM_SYS4(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, &all, old, 8);
}

static inline void wm_sys_restore_signals(const uint64_t *old)
{
	WM_SYS4(SYS_rt_sigprocmask, 2, old, 0, 8);
}
