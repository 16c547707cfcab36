/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/dirs.h"

#include <errno.h>
#include <fcntl.h>

#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"

#define MODE_BITS 0777u
/* All our files are opened with these flags, which the kernel reports for a
 * descriptor later.  A program hardly opens a file with both. */
#define OUR_FLAGS (O_NOFOLLOW | O_NONBLOCK)

/* Readers of files may also search their directories. */
static unsigned dir_mode(void)
{
	unsigned mode = wm_options.mode;

	return 0700 | mode | (mode & 0444) >> 2;
}

long wm_fd_check(int fd, const uint64_t id[2])
{
	uint64_t is[2];
	long r = wm_sys_which(fd, "", AT_EMPTY_PATH, is);

	return r || wm_sys_is_same(is, id) ? r : -ESTALE;
}

int wm_at_open(struct wm_at *at, int dir, const char *path, int flags)
{
	long r;

	/* With O_PATH a pipe or a device of this name is not really opened, so
	 * no user can make us wait (decisions.md, Other users). */
	at->fd = wm_sys_openat(dir, path,
			       O_PATH | O_DIRECTORY | O_CLOEXEC | flags, 0);
	if (at->fd < 0)
		return at->fd;
	r = wm_sys_which(at->fd, "", AT_EMPTY_PATH, at->id);
	/* The number may be another file already, so it is not closed. */
	if (r)
		at->fd = (int)r;
	return (int)(r < 0 ? r : 0);
}

int wm_at_open_known(struct wm_at *at, int dir, const char *path,
		     const uint64_t id[2])
{
	int r = wm_at_open(at, dir, path, O_NOFOLLOW);

	if (r == -ENOTDIR || r == -ELOOP)
		at->fd = r = -ESTALE;
	if (r == 0 && !wm_sys_is_same(at->id, id)) {
		wm_at_close(at);
		at->fd = r = -ESTALE;
	}
	return r;
}

/* "." cannot be reached if the umask has also removed the owner's rights. */
static void set_mode(const struct wm_at *at, unsigned mode)
{
	char path[48];
	struct wm_text t = wm_text_on(path, sizeof(path));

	if (WM_SYS3(SYS_fchmodat, at->fd, ".", mode) == 0)
		return;
	wm_text_add(&t, "/proc/self/fd/");
	wm_text_uint(&t, (uint64_t)at->fd, 1);
	WM_SYS3(SYS_fchmodat, WM_AT_FDCWD, path, mode);
}

int wm_at_enter(struct wm_at *at, int dir, const char *name, bool *made)
{
	int r = wm_at_open(at, dir, name, O_NOFOLLOW);
	struct wm_sys_file f;

	*made = false;
	if (r != -ENOENT)
		return r;
	r = (int)wm_sys_mkdirat(dir, name, (int)dir_mode());
	/* EEXIST: another rank was first */
	if (r && r != -EEXIST)
		return at->fd = r;
	*made = r == 0;
	r = wm_at_open(at, dir, name, O_NOFOLLOW);
	/* restores the bits that the umask has cleared */
	if (r == 0 && *made &&
	    wm_sys_look(at->fd, "", AT_EMPTY_PATH, &f) == 0 &&
	    wm_sys_is_same(f.id, at->id) && (f.mode & MODE_BITS) != dir_mode())
		set_mode(at, (f.mode & ~MODE_BITS & 07777) | dir_mode());
	return r;
}

void wm_at_close(struct wm_at *at)
{
	if (at->fd >= 0 && wm_fd_check(at->fd, at->id) == 0)
		wm_sys_close(at->fd);
	at->fd = -1;
}

void wm_at_unlink(const struct wm_at *at, const char *name,
		  const uint64_t id[2])
{
	uint64_t is[2];

	if (wm_sys_which(at->fd, name, AT_SYMLINK_NOFOLLOW, is) == 0 &&
	    wm_sys_is_same(is, id))
		wm_sys_unlinkat(at->fd, name, 0);
}

int wm_at_file(const struct wm_at *at, const char *name, int flags)
{
	int fd = wm_sys_openat(at->fd, name,
			       OUR_FLAGS | O_NOCTTY | O_CLOEXEC | flags, 0);

	switch (fd) {
	case -ELOOP: /* a link */
	case -ENXIO: /* a pipe, a socket */
	case -EAGAIN: /* its owner has a lease on it */
	case -EISDIR:
		return -ESTALE;
	default:
		return fd;
	}
}

int wm_at_file_known(const struct wm_at *at, const char *name, int flags,
		     const uint64_t id[2])
{
	int fd = wm_at_file(at, name, flags);

	if (fd < 0 || wm_fd_check(fd, id) != -ESTALE)
		return fd;
	wm_at_drop(fd);
	return -ESTALE;
}

int wm_at_create(const struct wm_at *at, const char *name)
{
	int fd = wm_sys_openat(at->fd, name,
			       O_RDWR | O_CREAT | O_EXCL | OUR_FLAGS |
				       O_CLOEXEC,
			       (int)wm_options.mode);
	struct wm_sys_file f, named;

	if (fd < 0)
		return fd;
	/* restores the bits that the umask has cleared, only in our file */
	if (wm_sys_look(fd, "", AT_EMPTY_PATH, &f) == 0 &&
	    (f.mode & MODE_BITS) != wm_options.mode &&
	    wm_sys_look(at->fd, name, AT_SYMLINK_NOFOLLOW, &named) == 0 &&
	    wm_sys_is_same(f.id, named.id))
		WM_SYS2(SYS_fchmod, fd, wm_options.mode);
	return fd;
}

void wm_at_drop(int fd)
{
	struct wm_sys_file f;
	long flags = WM_SYS2(SYS_fcntl, fd, F_GETFL);

	if (flags >= 0 && (flags & OUR_FLAGS) == OUR_FLAGS &&
	    wm_sys_look(fd, "", AT_EMPTY_PATH, &f) == 0)
		wm_sys_close(fd);
}

/* The owner may use the directory whatever the umask, as with mkdir -p. */
static long make_dir(const char *path)
{
	long r = wm_sys_mkdirat(WM_AT_FDCWD, path, 0777);
	struct wm_at at;
	struct wm_sys_file f;

	if (r != 0 || wm_at_open(&at, WM_AT_FDCWD, path, O_NOFOLLOW) != 0)
		return r;
	if (wm_sys_look(at.fd, "", AT_EMPTY_PATH, &f) == 0 &&
	    (f.mode & 0700) != 0700)
		set_mode(&at, (f.mode & 07777) | 0700);
	wm_at_close(&at);
	return 0;
}

int wm_dirs_make(char *path)
{
	long r = make_dir(path);

	if (r != -ENOENT)
		return r == -EEXIST ? 0 : (int)r;
	for (char *p = path + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = 0;
		r = make_dir(path);
		*p = '/';
		/* The last two may also be for an existing directory. */
		if (r < 0 && r != -EEXIST && r != -EROFS && r != -EACCES)
			return (int)r;
	}
	r = make_dir(path);
	return r == -EEXIST ? 0 : (int)r;
}

/* clang-format off */
static const struct {
	int err;
	const char *text;
} texts[] = {
	{ EACCES, "permission denied" },
	{ EBADF, "the program closed its descriptor" },
	{ EDQUOT, "disk quota exceeded" },
	{ EEXIST, "too many files of this name" },
	{ EFBIG, "file too large" },
	{ EIO, "input/output error" },
	{ EISDIR, "is a directory" },
	{ EMFILE, "too many open files" },
	{ ENAMETOOLONG, "file name too long" },
	{ ENFILE, "too many open files in the system" },
	{ ENOENT, "no such file or directory" },
	{ ENOMEM, "out of memory" },
	{ ENOSPC, "no space left on device" },
	{ ENOTDIR, "not a directory" },
	{ EPERM, "operation not permitted" },
	{ EROFS, "read-only file system" },
	{ WM_ERR_OTHERS,
	  "it belongs to another user (name a directory of your own by "
	  "WM_DIR)" },
	{ WM_ERR_WRITABLE,
	  "everybody may write into it (name a directory of your own by "
	  "WM_DIR)" },
	{ ESPIPE, "another file has taken its place" },
	{ ESTALE, "another file has taken its place" },
};
/* clang-format on */

const char *wm_errno_text(int err)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (texts[i].err == err)
			return texts[i].text;
	return "system error";
}
