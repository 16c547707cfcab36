/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run directory.  The order is that of docs/trace-format.md, section 8: at
 * no time, here or there, is a trace without its crash buffer.  There the crash
 * buffer comes first; here the trace goes first, after all of it is there.
 */
#include "scripts/collect/collect.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "wm/census_format.h"
#include "wm/path.h"
#include "wm/trace_format.h"
#include "wm/window_format.h"

#define MAX_COPIES 1000

/* What is there, and goes from here in this order. */
struct done {
	char name[NAME_MAX + 1];
	int dir; /* of a crash buffer elsewhere, to be closed; or -1 */
	struct stat seen;
};

/* The traces of one directory, on their way to another one. */
struct transfer {
	struct wm_collect *c;
	int from, to; /* the directory here and there; -1: not made yet */
	char **names;
	size_t count;
	struct done *done;
	size_t done_count, done_cap;
	int left;
};

/* rank-NNNNNN[.child-PID][.N] and @suffix. */
static bool is_of_rank(const char *name, const char *suffix)
{
	size_t n = strlen(name), m = strlen(suffix);
	const char *p = name + 5;

	if (n <= m || n > 100 || strcmp(name + n - m, suffix) != 0 ||
	    strncmp(name, "rank-", 5) != 0 || !isdigit((unsigned char)*p))
		return false;
	for (; p < name + n - m; p++)
		if (!isdigit((unsigned char)*p) && *p != '.' &&
		    !strchr("child-", *p))
			return false;
	return true;
}

/* The name without number and suffix; the number. */
static unsigned split_name(const char *name, const char *suffix, char *stem)
{
	size_t n = strlen(name) - strlen(suffix), k;

	memcpy(stem, name, n);
	stem[n] = 0;
	for (k = n; k && isdigit((unsigned char)stem[k - 1]); k--)
		;
	if (k == n || k < 2 || stem[k - 1] != '.' || n - k > 4)
		return 1;
	stem[k - 1] = 0;
	return (unsigned)strtoul(stem + k, NULL, 10);
}

static void join_name(char *name, const char *stem, unsigned number,
		      const char *suffix)
{
	if (number > 1)
		snprintf(name, NAME_MAX, "%.120s.%u%s", stem, number, suffix);
	else
		snprintf(name, NAME_MAX, "%.120s%s", stem, suffix);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int list_names(struct transfer *p)
{
	int fd = openat(p->from, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;
	size_t cap = 0;

	if (!d) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	while (errno = 0, (e = readdir(d))) {
		char **n = p->names;

		if (p->count == cap) {
			cap = cap ? 2 * cap : 64;
			n = realloc(n, cap * sizeof(*n));
			if (!n)
				break;
			p->names = n;
		}
		n[p->count] = strdup(e->d_name);
		if (!n[p->count])
			break;
		p->count++;
	}
	if (e || errno) {
		int saved = errno;

		closedir(d);
		errno = saved;
		return -1;
	}
	closedir(d);
	if (p->count)
		qsort(p->names, p->count, sizeof(*p->names), by_name);
	return 0;
}

/* true: noted.  What is not noted stays, and a later call finds it there. */
static bool note_done(struct transfer *p, int dir, const char *name,
		      const struct stat *seen)
{
	if (!p->c->remove)
		return false;
	if (p->done_count == p->done_cap) {
		size_t cap = p->done_cap ? 2 * p->done_cap : 64;
		struct done *d = realloc(p->done, cap * sizeof(*d));

		if (!d)
			return false;
		p->done = d;
		p->done_cap = cap;
	}
	snprintf(p->done[p->done_count].name, NAME_MAX + 1, "%s", name);
	p->done[p->done_count].dir = -1;
	if (dir != p->from) {
		p->done[p->done_count].dir = fcntl(dir, F_DUPFD_CLOEXEC, 0);
		if (p->done[p->done_count].dir < 0)
			return false;
	}
	p->done[p->done_count++].seen = *seen;
	return true;
}

static int open_here(const struct transfer *p, const char *name)
{
	return openat(p->from, name,
		      O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

/* What open() says is there, and cannot be read: told, and it stays.  A link
 * is none of ours. */
static bool is_refused(struct transfer *p, const char *name)
{
	if (errno == ENOENT || errno == ELOOP || errno == ENOTDIR)
		return false;
	wm_collect_say(p->c, "'%s' stays: %s", name, strerror(errno));
	p->left = WM_LEFT_FAILED;
	return true;
}

/* The crash buffer of a killed process that lies elsewhere: its directory and
 * name.
 * -1: none that belongs to the trace, or it is refused. */
static int open_elsewhere(struct transfer *p, int trace, char *path,
			  const char **name)
{
	char *slash = strrchr(path, '/');
	int dir, fd;

	if (path[0] != '/' || !slash[1])
		return -1;
	*slash = 0;
	*name = slash + 1;
	dir = open(slash == path ? "/" : path,
		   O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fd = dir < 0 ? -1 :
		       openat(dir, *name,
			      O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		is_refused(p, *name);
	if (fd < 0 || !wm_collect_crash_buffer_fits(trace, fd)) {
		if (dir >= 0)
			close(dir);
		dir = -1;
	}
	if (fd >= 0)
		close(fd);
	return dir;
}

/*
 * The first number from that of the file on whose names there are free, or
 * those of the same files already (of a call that was killed, or of one that
 * did not remove).
 */
static unsigned find_number(const struct transfer *p, const char *trace,
			    int crash_buffer_dir, const char *crash_buffer)
{
	char stem[NAME_MAX + 1], t[NAME_MAX + 1], w[NAME_MAX + 1];
	unsigned n = split_name(trace, WMT_FILE_SUFFIX, stem);

	for (; n < MAX_COPIES; n++) {
		join_name(t, stem, n, WMT_FILE_SUFFIX);
		join_name(w, stem, n, WMW_FILE_SUFFIX);
		if (wm_collect_look(p->from, trace, p->to, t) == WM_PUT_TAKEN)
			continue;
		/* a crash buffer without trace there is another's, or ours */
		if (wm_collect_look(crash_buffer ? crash_buffer_dir : p->from,
				    crash_buffer ? crash_buffer : trace, p->to,
				    w) == WM_PUT_TAKEN)
			continue;
		return n;
	}
	return 0;
}

static int put_file(struct transfer *p, int dir, const char *name,
		    const char *as, struct stat *seen)
{
	switch (wm_collect_put(p->c, dir, name, p->to, as, seen)) {
	case WM_PUT_DONE:
		return 0;
	case WM_PUT_TAKEN: /* since we looked: by another node's */
	case WM_PUT_GONE:
		return -1;
	default:
		p->left = wm_worse(p->left, WM_LEFT_FAILED);
		return -1;
	}
}

/* The pair of files of a process that does not run any more. */
static void take_pair(struct transfer *p, const char *trace,
		      int crash_buffer_dir, const char *crash_buffer)
{
	char stem[NAME_MAX + 1], as[NAME_MAX + 1];
	struct stat seen, crash_buffer_seen;
	unsigned n;

	for (int tries = 0; tries < 3 && p->left != WM_LEFT_FAILED; tries++) {
		n = find_number(p, trace, crash_buffer_dir, crash_buffer);
		if (!n) {
			wm_collect_say(p->c, "'%s' stays: its name is taken",
				       trace);
			p->left = wm_worse(p->left, WM_LEFT_SOME);
			return;
		}
		split_name(trace, WMT_FILE_SUFFIX, stem);
		join_name(as, stem, n, WMW_FILE_SUFFIX);
		if (crash_buffer && put_file(p, crash_buffer_dir, crash_buffer,
					     as, &crash_buffer_seen))
			continue;
		join_name(as, stem, n, WMT_FILE_SUFFIX);
		if (put_file(p, p->from, trace, as, &seen))
			continue;
		/* both go, or both stay */
		if (note_done(p, p->from, trace, &seen) && crash_buffer &&
		    !note_done(p, crash_buffer_dir, crash_buffer,
			       &crash_buffer_seen))
			p->done_count--;
		return;
	}
	if (p->left == WM_LEFT_FAILED)
		return;
	wm_collect_say(p->c, "'%s' stays: it changes, or others take its name",
		       trace);
	p->left = WM_LEFT_SOME;
}

static void take_trace(struct transfer *p, const char *name)
{
	char stem[NAME_MAX + 1], crash_buffer[NAME_MAX + 1], place[PATH_MAX];
	const char *other = NULL;
	int fd = open_here(p, name), w = -1, dir = -1;
	enum wm_alive alive;
	struct stat st;

	if (fd < 0) {
		is_refused(p, name);
		return;
	}
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		wm_collect_say(p->c, "'%s' stays: it is no file", name);
		p->left = wm_worse(p->left, WM_LEFT_SOME);
		goto out;
	}
	snprintf(stem, sizeof(stem), "%.*s",
		 (int)(strlen(name) - strlen(WMT_FILE_SUFFIX)), name);
	join_name(crash_buffer, stem, 1, WMW_FILE_SUFFIX);
	w = open_here(p, crash_buffer);
	if (w < 0 && is_refused(p, crash_buffer))
		goto out;
	alive = wm_collect_alive(fd, w, place, sizeof(place));
	if (alive == WM_ALIVE_RUNS && !p->c->ended) {
		wm_collect_say(p->c, "'%s' stays: its process still runs",
			       name);
		p->left = wm_worse(p->left, WM_LEFT_SOME);
	} else if (alive == WM_ALIVE_ENDED || w < 0) {
		if (alive != WM_ALIVE_ENDED && place[0])
			dir = open_elsewhere(p, fd, place, &other);
		if (p->left == WM_LEFT_FAILED)
			goto out;
		take_pair(p, name, dir, dir < 0 ? NULL : other);
		/* a crash buffer beside END does not count: the process was
		 * killed before it could remove it */
		if (w >= 0 && fstat(w, &st) == 0)
			note_done(p, p->from, crash_buffer, &st);
	} else {
		take_pair(p, name, p->from, crash_buffer);
	}
out:
	if (dir >= 0)
		close(dir);
	if (w >= 0)
		close(w);
	close(fd);
}

static bool has_name(const struct transfer *p, const char *name)
{
	return p->count && bsearch(&name, p->names, p->count, sizeof(*p->names),
				   by_name) != NULL;
}

/* A crash buffer without its trace: an earlier call removed that, and was
 * killed. */
static void take_crash_buffer(struct transfer *p, const char *name)
{
	char stem[NAME_MAX + 1], as[NAME_MAX + 1];
	struct stat st;
	unsigned n;

	snprintf(stem, sizeof(stem), "%.*s",
		 (int)(strlen(name) - strlen(WMW_FILE_SUFFIX)), name);
	join_name(as, stem, 1, WMT_FILE_SUFFIX);
	if (has_name(p, as))
		return;
	for (n = split_name(name, WMW_FILE_SUFFIX, stem); n < MAX_COPIES; n++) {
		join_name(as, stem, n, WMW_FILE_SUFFIX);
		switch (wm_collect_look(p->from, name, p->to, as)) {
		case WM_PUT_DONE:
			if (fstatat(p->from, name, &st, AT_SYMLINK_NOFOLLOW) ==
			    0)
				note_done(p, p->from, name, &st);
			return;
		case WM_PUT_TAKEN:
			continue;
		default:
			break;
		}
		break;
	}
	wm_collect_say(p->c, "'%s' stays: it has no trace", name);
	p->left = wm_worse(p->left, WM_LEFT_SOME);
}

static void take_bundle(struct transfer *p)
{
	struct stat seen;

	switch (wm_collect_put(p->c, p->from, WMC_FILE_NAME, p->to,
			       WMC_FILE_NAME, &seen)) {
	case WM_PUT_DONE:
		note_done(p, p->from, WMC_FILE_NAME, &seen);
		break;
	case WM_PUT_TAKEN:
		wm_collect_say(p->c,
			       "'" WMC_FILE_NAME "' stays: there is one of "
			       "another program");
		p->left = wm_worse(p->left, WM_LEFT_SOME);
		break;
	case WM_PUT_GONE:
		break;
	default:
		p->left = wm_worse(p->left, WM_LEFT_FAILED);
	}
}

/* Only what is as it was when it was copied. */
static void remove_done(struct transfer *p)
{
	if (!p->done_count)
		return;
	if (fsync(p->to)) {
		wm_collect_say(p->c, "nothing is removed: %s", strerror(errno));
		p->left = WM_LEFT_FAILED;
		return;
	}
	for (size_t i = 0; i < p->done_count; i++) {
		const struct done *d = &p->done[i];
		int dir = d->dir >= 0 ? d->dir : p->from;
		struct stat now;

		/* the names are for those that stay */
		if (p->left && strcmp(d->name, WMC_FILE_NAME) == 0)
			continue;
		if (fstatat(dir, d->name, &now, AT_SYMLINK_NOFOLLOW))
			continue;
		/* a trace that stays keeps its crash buffer, which comes after
		 * it */
		if (now.st_ino != d->seen.st_ino ||
		    now.st_size != d->seen.st_size) {
			wm_collect_say(p->c, "'%s' stays: it has changed",
				       d->name);
			p->left = wm_worse(p->left, WM_LEFT_SOME);
			break;
		}
		if (unlinkat(dir, d->name, 0)) {
			wm_collect_say(p->c, "'%s' cannot be removed: %s",
				       d->name, strerror(errno));
			p->left = WM_LEFT_FAILED;
			break;
		}
	}
}

static int collect_place(struct wm_collect *c, int from, int to, int depth);

/* A directory in @dir, made with @mode where it is missing. */
static int enter_directory(int dir, const char *name, mode_t mode)
{
	int fd;
	bool made = mkdirat(dir, name, 0700) == 0;

	if (!made && errno != EEXIST)
		return -1;
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && made && fchmod(fd, mode & 0777)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* A directory of 1,024 ranks. */
static void take_directory(struct transfer *p, const char *name)
{
	int from = openat(p->from, name,
			  O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
	    to;
	struct stat st;

	if (from < 0) {
		is_refused(p, name);
		return;
	}
	to = fstat(from, &st) ? -1 : enter_directory(p->to, name, st.st_mode);
	if (to < 0) {
		wm_collect_say(p->c, "'%s': %s", name, strerror(errno));
		p->left = wm_worse(p->left, WM_LEFT_FAILED);
	} else {
		p->left = wm_worse(p->left, collect_place(p->c, from, to, 1));
		close(to);
		if (p->c->remove)
			unlinkat(p->from, name, AT_REMOVEDIR);
	}
	close(from);
}

static int collect_place(struct wm_collect *c, int from, int to, int depth)
{
	struct transfer p = { .c = c, .from = from, .to = to };

	if (list_names(&p)) {
		wm_collect_say(c, "cannot list a directory: %s",
			       strerror(errno));
		p.left = WM_LEFT_FAILED;
	}
	if (!p.left && depth == 0 && has_name(&p, WMC_FILE_NAME))
		take_bundle(&p);
	for (size_t i = 0; i < p.count && p.left != WM_LEFT_FAILED; i++) {
		if (is_of_rank(p.names[i], WMT_FILE_SUFFIX))
			take_trace(&p, p.names[i]);
		else if (is_of_rank(p.names[i], WMW_FILE_SUFFIX))
			take_crash_buffer(&p, p.names[i]);
		else if (depth == 0 && wm_is_ranks_dir(p.names[i]))
			take_directory(&p, p.names[i]);
	}
	remove_done(&p);
	for (size_t i = 0; i < p.done_count; i++)
		if (p.done[i].dir >= 0)
			close(p.done[i].dir);
	for (size_t i = 0; i < p.count; i++)
		free(p.names[i]);
	free(p.names);
	free(p.done);
	return p.left;
}

/* There, and its parents as far as they are missing. */
static int open_there(const struct wm_collect *c, const char *name, mode_t mode)
{
	char path[PATH_MAX];
	int n = snprintf(path, sizeof(path), "%s/", c->to), to, fd;

	if (n >= (int)sizeof(path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	for (char *s = path + 1; *s; s++)
		if (*s == '/') {
			*s = 0;
			mkdir(path, 0777);
			*s = '/';
		}
	to = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fd = to < 0 ? -1 : enter_directory(to, name, mode);
	if (to >= 0)
		close(to);
	return fd;
}

/*
 * true: the directory @there belongs to whoever a file belongs to that this
 * process makes in it (a server may map users).  Somebody else could replace
 * what lies in his.
 */
static bool is_mine(const struct wm_collect *c, int there,
		    const struct stat *dir)
{
	char name[NAME_MAX + 1];
	struct stat st;
	int fd;
	bool mine;

	if (dir->st_uid == geteuid())
		return true;
	snprintf(name, sizeof(name), ".%s", c->mark);
	fd = openat(there, name,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	mine = fstat(fd, &st) == 0 && st.st_uid == dir->st_uid;
	unlinkat(there, name, 0);
	close(fd);
	return mine;
}

int wm_collect_run(struct wm_collect *c, int from, const char *name)
{
	int here = openat(from, name,
			  O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
	    there, left;
	struct stat a, b;
	char host[64], boot[64];

	if (here < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP))
		return WM_LEFT_NOTHING;
	if (here < 0) {
		wm_collect_say(c, "'%s': %s", name, strerror(errno));
		return WM_LEFT_FAILED;
	}
	/* one at a time: a second one finds nothing left to do */
	if (flock(here, LOCK_EX) || fstat(here, &a)) {
		wm_collect_say(c, "'%s': %s", name, strerror(errno));
		close(here);
		return WM_LEFT_FAILED;
	}
	if (gethostname(host, sizeof(host)))
		host[0] = 0;
	host[sizeof(host) - 1] = 0;
	/* Hosts may have one name, and file systems in memory number files
	 * alike: what two call the same, one may give its name while the other
	 * writes to it. */
	wm_collect_boot(boot, sizeof(boot));
	snprintf(c->mark, sizeof(c->mark),
		 "%.48s-%.8s-%" PRIx64 "-%" PRIx64 ".part", host, boot,
		 (uint64_t)a.st_dev, (uint64_t)a.st_ino);
	there = open_there(c, name, a.st_mode);
	if (there < 0 || fstat(there, &b)) {
		wm_collect_say(c, "'%s/%s': %s", c->to, name, strerror(errno));
		left = WM_LEFT_FAILED;
	} else if (a.st_dev == b.st_dev && a.st_ino == b.st_ino) {
		wm_collect_say(c, "'%s': from and to are the same", name);
		left = WM_LEFT_USAGE;
	} else if (!is_mine(c, there, &b)) {
		wm_collect_say(c, "'%s/%s': it belongs to another user", c->to,
			       name);
		left = WM_LEFT_FAILED;
	} else {
		left = collect_place(c, here, there, 0);
		if (c->remove)
			unlinkat(from, name, AT_REMOVEDIR);
	}
	if (there >= 0)
		close(there);
	close(here);
	return left;
}
