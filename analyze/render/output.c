/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/render/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/regular.h"

#define HEAD 4096 /* bytes that are compared */
#define NAMES 100 /* attempts for the file beside */

struct head {
	char text[HEAD + 1];
	size_t size;
};

static bool read_head(struct head *h, FILE *f)
{
	rewind(f);
	h->size = fread(h->text, 1, HEAD, f);
	h->text[h->size] = 0;
	return !ferror(f);
}

/* errno must have been 0 before the call that failed. */
static enum wm_status set_file_error(const char *path, struct wm_err *err)
{
	return wm_err_set(err, WM_IO, "'%s': %s", path,
			  errno ? strerror(errno) : "not written");
}

/* Reads the beginning of the regular file @path. */
static enum wm_status read_old(struct head *h, const char *path,
			       struct wm_err *err)
{
	int fd = wm_regular_open(path);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	enum wm_status s = WM_OK;

	h->size = 0;
	if (!f || (errno = 0, !read_head(h, f)))
		s = set_file_error(path, err);
	if (f)
		fclose(f);
	else if (fd >= 0)
		close(fd);
	return s;
}

static bool is_trace(const struct head *h)
{
	static const char magic[6] = "\3757zXZ";

	return h->size >= sizeof(magic) &&
	       !memcmp(h->text, magic, sizeof(magic));
}

static enum wm_status refuse_path(const char *path, const char *what,
				  const char *cure, struct wm_err *err)
{
	return wm_err_set(err, WM_USAGE, "'%s' is %s, not a file to write: %s",
			  path, what, cure);
}

/* Refuses files that no option replaces; @old gets the file's beginning. */
static enum wm_status check_kind(const char *path, const struct stat *st,
				 struct head *old, struct wm_err *err)
{
	enum wm_status s;

	if (S_ISDIR(st->st_mode))
		return refuse_path(path, "a directory (a run?)",
				   "name the file "
				   "first, then the run, as in --html FILE RUN",
				   err);
	if (!S_ISREG(st->st_mode))
		return WM_OK;
	s = read_old(old, path, err);
	if (s)
		return s;
	return is_trace(old) ? refuse_path(path, "a trace",
					   "name the file first, "
					   "then the trace",
					   err) :
			       WM_OK;
}

bool wm_output_is_dash(const char *path)
{
	return path && strcmp(path, "-") == 0;
}

static bool is_stdout(const char *path)
{
	return !path || wm_output_is_dash(path);
}

enum wm_status wm_output_check(const char *path, struct wm_err *err)
{
	struct head old;
	struct stat st;

	if (is_stdout(path) || stat(path, &st))
		return WM_OK;
	return check_kind(path, &st, &old, err);
}

/* The incomplete file, which is removed if a signal ends the process. */
static const char *volatile half;

static void end_by(int number)
{
	const char *path = half;

	if (path)
		unlink(path);
	/* the signal takes its default action after the return */
	raise(number);
}

/* Removes @path if a signal ends the process while half is not NULL.  Signals
 * that are ignored or have another handler are left unchanged. */
static void remove_if_ended(const char *path)
{
	static const int by[] = { SIGHUP, SIGINT, SIGTERM };
	struct sigaction old, new = { .sa_flags = (int)SA_RESETHAND };

	new.sa_handler = end_by;
	half = path;
	for (size_t i = 0; i < sizeof(by) / sizeof(*by); i++)
		if (sigaction(by[i], NULL, &old) == 0 &&
		    old.sa_handler == SIG_DFL)
			sigaction(by[i], &new, NULL);
}

/* Makes a file beside @o->to with the owner and mode @st; -1: failed. */
static int make_beside(struct wm_output *o, const struct stat *st)
{
	const char *base = strrchr(o->to, '/') + 1;
	struct stat own;
	int fd = -1, i;

	for (i = 0; i < NAMES && fd < 0; i++) {
		free(o->beside);
		if (asprintf(&o->beside, "%.*s.%.200s.%ld-%d",
			     (int)(base - o->to), o->to, base, (long)getpid(),
			     i) < 0) {
			o->beside = NULL;
			return -1;
		}
		fd = open(o->beside,
			  O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
			  0600);
		if (fd < 0 && errno != EEXIST)
			return -1;
	}
	if (fd < 0 || fstat(fd, &own) ||
	    ((own.st_uid != st->st_uid || own.st_gid != st->st_gid) &&
	     fchown(fd, st->st_uid, st->st_gid)) ||
	    fchmod(fd, st->st_mode & 07777)) {
		if (fd >= 0) {
			close(fd);
			unlink(o->beside);
		}
		return -1;
	}
	return fd;
}

/* Returns whether the file may be a device, or a descriptor of the shell. */
static bool is_special(const char *path)
{
	return strncmp(path, "/dev/", 5) == 0 ||
	       strncmp(path, "/proc/", 6) == 0;
}

/* Returns whether @path is /dev/stdout or the like.  Opened again, such a file
 * would be overwritten from its beginning. */
static bool is_our_stdout(const char *path, const struct stat *st)
{
	struct stat own;

	return is_special(path) && fstat(STDOUT_FILENO, &own) == 0 &&
	       own.st_dev == st->st_dev && own.st_ino == st->st_ino;
}

/* Opens a file beside the old one.  Returns false on failure. */
static bool open_beside(struct wm_output *o, const struct stat *st)
{
	int fd;

	if (is_special(o->path) || access(o->path, W_OK))
		return false;
	o->to = realpath(o->path, NULL);
	fd = o->to ? make_beside(o, st) : -1;
	if (fd < 0)
		return false;
	o->f = fdopen(fd, "w+");
	if (!o->f) {
		close(fd);
		unlink(o->beside);
		return false;
	}
	o->where = WM_OUTPUT_BESIDE;
	remove_if_ended(o->beside);
	return true;
}

static void release_output(struct wm_output *o)
{
	half = NULL;
	free(o->to);
	free(o->beside);
	o->to = o->beside = NULL;
}

enum wm_status wm_output_open(struct wm_output *o, const char *path, bool force,
			      struct wm_err *err)
{
	struct head old = { .size = 0 };
	enum wm_status s = WM_OK;
	struct stat st;

	*o = (struct wm_output){ .f = stdout, .path = path };
	if (is_stdout(path))
		return WM_OK;
	o->fresh = stat(path, &st) != 0;
	if (!o->fresh && is_our_stdout(path, &st))
		return WM_OK;
	o->where = WM_OUTPUT_ITSELF;
	if (!o->fresh) {
		s = check_kind(path, &st, &old, err);
		if (s)
			return s;
		/* the comparison follows when the new file is written */
		o->judge = old.size && !force &&
			   !strstr(old.text, WM_OUTPUT_MARK);
		if (S_ISREG(st.st_mode) && open_beside(o, &st))
			return WM_OK;
	}
	errno = 0;
	o->f = o->judge ? tmpfile() : fopen(path, "w");
	if (o->judge)
		o->where = WM_OUTPUT_ASIDE;
	if (!o->f) {
		s = o->judge ? wm_err_set(err, WM_IO, "no temporary file: %s",
					  strerror(errno)) :
			       set_file_error(path, err);
		release_output(o);
	} else if (o->fresh) {
		remove_if_ended(path);
	}
	return s;
}

/* Returns whether both files begin with the same line up to a number in it or,
 * if ";" joins frames, with the same frame.  Files with WM_OUTPUT_MARK never
 * do. */
static bool begins_alike(const struct head *a, const struct head *b)
{
	size_t n = strcspn(a->text, "0123456789\n");
	size_t frame = strcspn(a->text, "; \n");

	if (strstr(a->text, WM_OUTPUT_MARK))
		return false;
	if (a->text[frame] == ';')
		n = frame + 1;
	return n && a->size >= n && b->size >= n &&
	       memcmp(a->text, b->text, n) == 0;
}

/* Returns an error unless the new file may replace the old one. */
static enum wm_status judge_replacement(const struct wm_output *o,
					struct wm_err *err)
{
	struct head old, new;
	enum wm_status s = read_old(&old, o->path, err);

	errno = 0;
	if (!s && !read_head(&new, o->f))
		s = set_file_error(o->path, err);
	if (s || begins_alike(&new, &old))
		return s;
	return wm_err_set(err, WM_USAGE,
			  "'%s' is there, and wm-analyze has "
			  "not written it: give another name, or --force",
			  o->path);
}

/* Copies the file without a name into the file itself. */
static enum wm_status copy_into_place(const struct wm_output *o,
				      struct wm_err *err)
{
	FILE *to = fopen(o->path, "w");
	char buf[65536];
	size_t n;
	bool good = to != NULL;

	rewind(o->f);
	while (good && (n = fread(buf, 1, sizeof(buf), o->f)) > 0)
		good = fwrite(buf, 1, n, to) == n;
	good = good && !ferror(o->f);
	if (to && fclose(to))
		good = false;
	return good ? WM_OK : set_file_error(o->path, err);
}

enum wm_status wm_output_close(struct wm_output *o, enum wm_status status,
			       struct wm_err *err)
{
	bool bad;

	errno = 0;
	bad = fflush(o->f) != 0;
	if (!bad && ferror(o->f)) {
		bad = true;
		/* errno is lost: write once more to get the reason */
		putc('\n', o->f);
		fflush(o->f);
	}
	if (!status && bad)
		status = o->where == WM_OUTPUT_STDOUT ?
				 wm_err_set(err, WM_IO, "output: %s",
					    errno ? strerror(errno) :
						    "not written") :
				 set_file_error(o->path, err);
	if (!status && o->judge)
		status = judge_replacement(o, err);
	errno = 0;
	if (!status && o->where == WM_OUTPUT_ASIDE)
		status = copy_into_place(o, err);
	errno = 0;
	if (o->where != WM_OUTPUT_STDOUT && fclose(o->f) && !status)
		status = set_file_error(o->path, err);
	if (o->where == WM_OUTPUT_BESIDE) {
		if (!status && rename(o->beside, o->to))
			status = set_file_error(o->path, err);
		if (status)
			unlink(o->beside);
	}
	if (status && o->fresh)
		unlink(o->path);
	release_output(o);
	return status;
}

enum wm_status wm_output_draw(const char *path, bool force,
			      void (*draw)(const void *what, FILE *out),
			      const void *what, struct wm_err *err)
{
	struct wm_output out;
	enum wm_status s = wm_output_open(&out, path, force, err);

	if (s)
		return s;
	draw(what, out.f);
	return wm_output_close(&out, WM_OK, err);
}

enum wm_status wm_put_line(const char *text, struct wm_err *err)
{
	struct wm_output out;

	wm_output_open(&out, NULL, false, err);
	puts(text);
	return wm_output_close(&out, WM_OK, err);
}
