/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers daemon: the child of this call continues as the program, so it is
 * traced, as all children are with WM_CHILDREN=1.
 *
 * In static programs the parent ends in libc's _exit(), which is wrapped.  In
 * dynamic programs that call would not be seen, so this file implements daemon
 * in the same way as glibc.
 */
#include "wrappers/shim.h"

#ifdef WM_DYNAMIC
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

/* <unistd.h> declares the wrapper's own name. */
extern int fork(void);
extern int setsid(void);
extern long syscall(long number, ...);
extern void _exit(int status) __attribute__((noreturn));

static int to_null_device(void)
{
	int fd = (int)syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR);
	struct stat st;

	if (fd < 0)
		return -1;
	if (syscall(SYS_fstat, fd, &st))
		goto fail;
	if (!S_ISCHR(st.st_mode) || st.st_rdev != makedev(1, 3)) {
		errno = ENODEV;
		goto fail;
	}
	for (int i = 0; i < 3; i++)
		if (i != fd)
			syscall(SYS_dup3, fd, i, 0);
	if (fd > 2)
		syscall(SYS_close, fd);
	return 0;
fail:
	syscall(SYS_close, fd);
	return -1;
}

static int real_daemon(int keep_dir, int keep_files)
{
	int pid = fork();

	if (pid < 0)
		return -1;
	if (pid)
		_exit(0);
	if (setsid() < 0)
		return -1;
	if (!keep_dir)
		syscall(SYS_chdir, "/");
	return keep_files ? 0 : to_null_device();
}

/* A program may have a function of this name. */
int WM_SHIM(daemon)(int keep_dir, int keep_files) wm_export
	__attribute__((weak));
#else
int WM_SHIM(daemon)(int keep_dir, int keep_files) wm_export;
int __real_daemon(int keep_dir, int keep_files) __attribute__((weak));
#define real_daemon __real_daemon
#endif

int WM_SHIM(daemon)(int keep_dir, int keep_files)
{
	int r;

	wm_follow_child(true);
	r = real_daemon(keep_dir, keep_files);
	wm_follow_child(false);
	return r;
}
