/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One file from here to there.  It is written under a temporary name, which
 * begins with a dot and which no reader looks at, brought to the disk, read
 * back and compared, and only then gets its name, by link(2), which fails
 * where there is one.  Whatever a process that was killed left under the
 * temporary name is written anew: the lock on the source keeps others away.
 */
#include "scripts/collect/collect.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CHUNK (1u << 20)

static char buf[CHUNK], other[CHUNK];

/* Up to CHUNK bytes at @at; short only at the end of the file. */
static ssize_t read_at(int fd, char *to, off_t at)
{
	size_t n = 0;

	while (n < CHUNK) {
		ssize_t r = pread(fd, to + n, CHUNK - n, at + (off_t)n);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return -1;
		if (r == 0)
			break;
		n += (size_t)r;
	}
	return (ssize_t)n;
}

static int write_at(int fd, const char *from, size_t n, off_t at)
{
	while (n) {
		ssize_t r = pwrite(fd, from, n, at);

		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0) {
			errno = r ? errno : ENOSPC;
			return -1;
		}
		from += r;
		at += r;
		n -= (size_t)r;
	}
	return 0;
}

static bool is_zero(const char *p, size_t n)
{
	return n && p[0] == 0 && memcmp(p, p + 1, n - 1) == 0;
}

/* What is zero, as most of a crash buffer, takes no place there either. */
static int write_all(int from, int to)
{
	off_t at = 0;
	ssize_t n;

	while ((n = read_at(from, buf, at)) > 0) {
		for (ssize_t i = 0; i < n; i += 4096) {
			size_t part = n - i < 4096 ? (size_t)(n - i) : 4096;

			if (!is_zero(buf + i, part) &&
			    write_at(to, buf + i, part, at + i))
				return -1;
		}
		at += n;
	}
	/* an empty one has nothing to bring to the disk but its name, which
	 * comes there before anything is removed here */
	return n < 0 || (at && (ftruncate(to, at) || fsync(to))) ? -1 : 0;
}

/* 1 equal, 0 not, -1 cannot be read. */
static int files_equal(int a, int b)
{
	off_t at = 0;

	for (;;) {
		ssize_t n = read_at(a, buf, at), m = read_at(b, other, at);

		if (n < 0 || m < 0)
			return -1;
		if (n != m || memcmp(buf, other, (size_t)n) != 0)
			return 0;
		if (n == 0)
			return 1;
		at += n;
	}
}

/* A regular file; no link is followed, no pipe waited for. */
static int open_file(int dir, const char *name, struct stat *st)
{
	int fd = openat(dir, name,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0 && (fstat(fd, st) || !S_ISREG(st->st_mode))) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	return fd;
}

enum wm_put wm_collect_look(int from, const char *from_name, int to,
			    const char *to_name)
{
	struct stat a, b;
	int there = open_file(to, to_name, &b), here;
	enum wm_put r = WM_PUT_TAKEN;

	if (there < 0)
		return errno == ENOENT ? WM_PUT_GONE : WM_PUT_TAKEN;
	here = open_file(from, from_name, &a);
	if (here >= 0 && a.st_size == b.st_size &&
	    files_equal(here, there) == 1)
		r = WM_PUT_DONE;
	if (here >= 0)
		close(here);
	close(there);
	return r;
}

static bool same_stat(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Written, on the disk, compared, and the source is as it was. */
static int make_copy(int from, const struct stat *seen, int to,
		     const char *temporary)
{
	int fd;
	bool ok = false;
	struct stat now;

	if (unlinkat(to, temporary, 0) && errno != ENOENT)
		return -1;
	fd = openat(to, temporary,
		    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		    seen->st_mode & 0666);
	if (fd < 0)
		return -1;
	if (write_all(from, fd) == 0) {
		ok = files_equal(from, fd) == 1 && fstat(from, &now) == 0 &&
		     same_stat(seen, &now);
		if (!ok)
			errno = EAGAIN; /* somebody writes to it */
	}
	/* whatever the umask is */
	if (ok && fchmod(fd, seen->st_mode & 0666))
		ok = false;
	if (ok) {
		struct timespec times[2] = { seen->st_mtim, seen->st_mtim };

		futimens(fd, times);
	}
	close(fd);
	return ok ? 0 : -1;
}

/* 0, or -1 with EEXIST where the name is taken. */
static int give_name(int to, const char *temporary, const char *name)
{
	if (linkat(to, temporary, to, name, 0) == 0)
		return 0;
	/* a file system without links */
	if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS)
		return -1;
	return renameat2(to, temporary, to, name, RENAME_NOREPLACE);
}

enum wm_put wm_collect_put(struct wm_collect *c, int from,
			   const char *from_name, int to, const char *to_name,
			   struct stat *seen)
{
	char temporary[NAME_MAX + 1];
	enum wm_put r;
	int fd, saved;

	fd = open_file(from, from_name, seen);
	if (fd < 0 && errno == ENOENT)
		return WM_PUT_GONE;
	if (fd < 0) {
		wm_collect_say(c, "'%s': %s", from_name, strerror(errno));
		return WM_PUT_FAILED;
	}
	r = wm_collect_look(from, from_name, to, to_name);
	snprintf(temporary, sizeof(temporary), ".%.100s.%s", to_name, c->mark);
	if (r == WM_PUT_GONE) {
		if (make_copy(fd, seen, to, temporary) == 0 &&
		    give_name(to, temporary, to_name) == 0) {
			r = WM_PUT_DONE;
			c->files++;
			c->bytes += (uint64_t)seen->st_size;
		} else {
			r = errno == EEXIST ? WM_PUT_TAKEN : WM_PUT_FAILED;
		}
	}
	saved = errno;
	/* also what a killed one has left after it gave the name */
	unlinkat(to, temporary, 0);
	if (r == WM_PUT_FAILED)
		wm_collect_say(c, "'%s' stays: %s", from_name,
			       saved == EAGAIN ? "it changes" :
						 strerror(saved));
	close(fd);
	return r;
}
