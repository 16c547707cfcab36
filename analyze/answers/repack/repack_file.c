/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/repack/repack_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analyze/lib/base/running.h"
#include "analyze/answers/repack/repack_verify.h"
#include "analyze/answers/repack/repack_write.h"
#include "input/path.h"

/* A trace without an end may still be written to, on another node, if it
 * changed within the last so many seconds. */
#define QUIET_SECONDS 600

static enum wm_status io_failed(struct wm_err *err, const char *path)
{
	return wm_err_set(err, WM_IO, "'%.300s': %s", path, strerror(errno));
}

/* ---- may the file be replaced? ---- */

/* Fails if the process of a trace without END may still write to the trace. */
static enum wm_status check_writer(const struct wm_trace *t,
				   const struct stat *st, struct wm_err *err)
{
	const struct wm_process_mark process = {
		.boot_id = t->boot_id,
		.exe = t->exe.path,
		.pid = t->pid,
		.start_ns = t->start.mono_ns,
	};
	enum wm_running running;

	if (t->ended)
		return WM_OK;
	running = wm_process_running(&process);
	if (running == WM_RUNNING_NO)
		return WM_OK;
	if (running == WM_RUNNING_YES)
		return wm_err_set(err, WM_USAGE,
				  "process %" PRIu64 " still writes "
				  "it; repack it when that has ended",
				  t->pid);
	if (time(NULL) - st->st_mtim.tv_sec >= QUIET_SECONDS)
		return WM_OK;
	return wm_err_set(err, WM_USAGE,
			  "it has no end, and process %" PRIu64 " on "
			  "'%.100s' may still write it; try again in 10 "
			  "minutes, or use --output",
			  t->pid, t->host ? t->host : "");
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
	       a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* ---- the new file ---- */

static char *temporary_name(const char *path)
{
	const char *base = wm_basename(path);
	char *s = NULL;

	if (asprintf(&s, "%.*s.%s.repack", (int)(base - path), path, base) < 0)
		return NULL;
	return s;
}

/* Opens @temp, which an earlier run may have left, as an empty file of our
 * own. */
static int open_temporary(const char *temp, struct wm_err *err)
{
	struct stat a, b;
	int fd;

	fd = open(temp, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0) {
		io_failed(err, temp);
		return -1;
	}
	/* Some file systems have no locks.  Two processes may then disturb each
	 * other, but both compare the file before they replace the original. */
	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
		wm_err_set(err, WM_IO,
			   "'%.300s': another wm-analyze --repack is "
			   "repacking it",
			   temp);
	} else if (fstat(fd, &a) || !S_ISREG(a.st_mode) || a.st_nlink != 1 ||
		   stat(temp, &b) || a.st_ino != b.st_ino) {
		wm_err_set(err, WM_IO, "'%.300s' was not made by --repack",
			   temp);
	} else if (ftruncate(fd, 0)) {
		io_failed(err, temp);
	} else {
		return fd;
	}
	close(fd);
	return -1;
}

static enum wm_status keep_attributes(int fd, const struct stat *st,
				      const char *temp, struct wm_err *err)
{
	struct timespec times[2] = { st->st_atim, st->st_mtim };
	struct stat now;

	if (fstat(fd, &now))
		return io_failed(err, temp);
	if ((now.st_uid != st->st_uid || now.st_gid != st->st_gid) &&
	    fchown(fd, st->st_uid, st->st_gid))
		return wm_err_set(err, WM_IO,
				  "'%.300s': its owner and group "
				  "cannot be kept: %s",
				  temp, strerror(errno));
	if (fchmod(fd, st->st_mode & 07777) || futimens(fd, times))
		return io_failed(err, temp);
	return WM_OK;
}

static char *parent_of(const char *path)
{
	size_t n = (size_t)(wm_basename(path) - path);

	return n ? strndup(path, n) : strdup(".");
}

static void sync_directory(const char *path, const struct stat *old)
{
	char *dir = parent_of(path);
	int fd = dir ? open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	if (fd >= 0) {
		/* the directory keeps its times, which decide which run is the
		 * newest */
		if (old) {
			struct timespec t[2] = { old->st_atim, old->st_mtim };

			futimens(fd, t);
		}
		fsync(fd);
		close(fd);
	}
	free(dir);
}

static bool directory_of(const char *path, struct stat *st)
{
	char *dir = parent_of(path);
	int r = dir ? stat(dir, st) : -1;

	free(dir);
	return r == 0;
}

/* ---- one trace ---- */

struct task {
	const char *path, *name, *to;
	char *temp;
	int fd;
	struct stat st, dir;
	bool dir_known;
	struct wm_trace t;
	struct wm_repacked *done;
};

static enum wm_status write_new(struct task *j, struct wm_err *err)
{
	struct wm_rewritten done;
	enum wm_status r = wm_repack_write(&j->t, j->fd, &done, err);

	if (!r && fsync(j->fd))
		r = io_failed(err, j->temp);
	if (!r) {
		struct wm_err why;

		r = wm_repack_verify(&j->t, j->temp, &done, &why);
		if (r)
			wm_err_set(err, r,
				   "the repacked trace was refused: "
				   "%.400s; the original stays",
				   why.text);
	}
	j->done->damage = j->t.damage;
	j->done->after = (uint64_t)lseek(j->fd, 0, SEEK_END);
	return r;
}

static enum wm_status replace_file(struct task *j, struct wm_err *err)
{
	struct stat now;
	enum wm_status r;

	r = keep_attributes(j->fd, &j->st, j->temp, err);
	if (!r && fsync(j->fd))
		r = io_failed(err, j->temp);
	if (!r && (stat(j->path, &now) || !same_file(&now, &j->st)))
		r = wm_err_set(err, WM_IO, "it changed meanwhile");
	if (r)
		return r;
	if (j->to == j->path ? rename(j->temp, j->to) :
			       link(j->temp, j->to) || unlink(j->temp))
		return io_failed(err, j->to);
	free(j->temp);
	j->temp = NULL;
	sync_directory(j->to, j->dir_known ? &j->dir : NULL);
	return WM_OK;
}

static enum wm_status do_job(struct task *j, bool in_place, struct wm_err *err)
{
	uint64_t blocks;
	enum wm_status r;

	if (stat(j->path, &j->st))
		return io_failed(err, j->path);
	j->done->before = j->done->after = (uint64_t)j->st.st_size;
	r = wm_trace_open_alone(&j->t, j->path, j->name, WM_ALL_BLOCKS, NULL,
				&blocks, err);
	if (r)
		return r;
	j->done->damage = j->t.damage;
	if (j->t.repacked) {
		j->done->skipped = true;
		return in_place ? WM_OK :
				  wm_repack_copy(AT_FDCWD, j->path, j->path,
						 j->to, err);
	}
	if (in_place) {
		r = check_writer(&j->t, &j->st, err);
		j->dir_known = directory_of(j->to, &j->dir);
	}
	if (r)
		return r;
	j->temp = temporary_name(j->to);
	if (!j->temp)
		return wm_no_memory(err, NULL);
	j->fd = open_temporary(j->temp, err);
	if (j->fd < 0) {
		free(j->temp);
		j->temp = NULL;
		return WM_IO;
	}
	r = write_new(j, err);
	if (!r && in_place && j->done->after >= j->done->before) {
		j->done->larger = true;
		j->done->after = j->done->before;
		return WM_OK;
	}
	return r ? r : replace_file(j, err);
}

enum wm_status wm_repack_file(const char *path, const char *name,
			      const char *to, struct wm_repacked *done,
			      struct wm_err *err)
{
	char *real = realpath(path, NULL);
	struct task j = {
		.path = real ? real : path, .name = name, .fd = -1, .done = done
	};
	struct wm_err why = { "" };
	enum wm_status r;

	memset(done, 0, sizeof(*done));
	j.t.src.fd = -1;
	j.to = to ? to : j.path;
	r = do_job(&j, to == NULL, &why);
	if (r)
		done->after = done->before;
	if (j.temp)
		unlink(j.temp);
	if (j.fd >= 0)
		close(j.fd);
	free(j.temp);
	wm_trace_release(&j.t);
	free(real);
	/* messages of the reader already name the file */
	if (r && strncmp(why.text, name, strlen(name)) != 0)
		return wm_err_set(err, r, "%s: %.400s", name, why.text);
	if (r)
		*err = why;
	return r;
}

/* ---- the other files of a copy ---- */

/* Opens a file without waiting, as a pipe may have taken the file's place. */
static int open_to_copy(int dir, const char *name, struct stat *st)
{
	int fd = openat(dir, name,
			O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK |
				O_NOCTTY);

	if (fd >= 0 && (fstat(fd, st) || !S_ISREG(st->st_mode))) {
		close(fd);
		errno = EINVAL;
		fd = -1;
	}
	return fd;
}

enum wm_status wm_repack_copy(int dir, const char *name, const char *from,
			      const char *to, struct wm_err *err)
{
	enum wm_status r = WM_OK;
	struct stat st;
	int in = open_to_copy(dir, name, &st), out;
	char *buf;
	ssize_t n;

	if (in < 0)
		return io_failed(err, from);
	out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	buf = malloc(1 << 20);
	if (out < 0 || !buf)
		r = io_failed(err, to);
	while (!r && (n = read(in, buf, 1 << 20)) != 0)
		if (n < 0 || write(out, buf, (size_t)n) != n)
			r = io_failed(err, n < 0 ? from : to);
	if (!r)
		r = keep_attributes(out, &st, to, err);
	if (!r && fsync(out))
		r = io_failed(err, to);
	free(buf);
	close(in);
	if (out >= 0 && close(out) && !r)
		r = io_failed(err, to);
	if (r && out >= 0)
		unlink(to);
	return r;
}
