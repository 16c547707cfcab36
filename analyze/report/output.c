/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/report/output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD 4096 /* of a file is looked at */

/* The first bytes of a file, as text. */
struct head {
	char text[HEAD + 1];
	size_t size;
};

static int read_head(struct head *h, FILE *f)
{
	rewind(f);
	h->size = fread(h->text, 1, HEAD, f);
	h->text[h->size] = 0;
	return !ferror(f);
}

static int begins_with(const struct head *h, const char *bytes, size_t n)
{
	return h->size >= n && memcmp(h->text, bytes, n) == 0;
}

static int is_trace(const struct head *h)
{
	return begins_with(h, "\xfd""7zXZ", 6);
}

static enum wm_status refuse(const char *path, const char *what,
			     const char *cure, struct wm_err *err)
{
	return wm_err_set(err, WM_USAGE, "'%s' is %s, not a file to write: %s",
			  path, what, cure);
}

/* What no option replaces; @old gets the beginning of what is there. */
static enum wm_status check_kind(const char *path, const struct stat *st,
				 struct head *old, struct wm_err *err)
{
	FILE *f;

	if (S_ISDIR(st->st_mode))
		return refuse(path, "a directory (a run?)", "name the file "
			      "first, then the run, as in --html FILE RUN", err);
	if (!S_ISREG(st->st_mode))
		return WM_OK;
	f = fopen(path, "r");
	if (!f)
		return wm_err_set(err, WM_IO, "'%s': %s", path,
				  strerror(errno));
	read_head(old, f);
	fclose(f);
	return is_trace(old) ? refuse(path, "a trace", "name the file first, "
				      "then the trace", err) : WM_OK;
}

enum wm_status wm_output_check(const char *path, struct wm_err *err)
{
	struct head old;
	struct stat st;

	if (!path || strcmp(path, "-") == 0 || stat(path, &st))
		return WM_OK;
	return check_kind(path, &st, &old, err);
}

enum wm_status wm_output_open(const char *path, int force, FILE **out,
			      struct wm_err *err)
{
	struct head old = { .size = 0 };
	struct stat st;

	*out = stdout;
	if (!path || strcmp(path, "-") == 0)
		return WM_OK;
	if (stat(path, &st) == 0) {
		if (check_kind(path, &st, &old, err))
			return WM_USAGE;
		/* whose it is shows when ours is written */
		if (old.size && !force && !strstr(old.text, WM_OUTPUT_MARK)) {
			*out = tmpfile();
			return *out ? WM_OK : wm_err_set(err, WM_IO, "no "
				"temporary file: %s", strerror(errno));
		}
	}
	*out = fopen(path, "w");
	if (*out)
		return WM_OK;
	return wm_err_set(err, WM_IO, "'%s': %s", path, strerror(errno));
}

/*
 * Whether both begin alike: with the same line up to a number in it, or, where
 * frames are joined by ";", with the same frame.  What has our mark is told by
 * that alone.
 */
static int begins_alike(const struct head *a, const struct head *b)
{
	size_t n = strcspn(a->text, "0123456789\n");
	size_t frame = strcspn(a->text, "; \n");

	if (strstr(a->text, WM_OUTPUT_MARK))
		return 0;
	if (a->text[frame] == ';')
		n = frame + 1;
	return n && a->size >= n && b->size >= n &&
	       memcmp(a->text, b->text, n) == 0;
}

static int copy(FILE *from, FILE *to)
{
	char buf[65536];
	size_t n;

	rewind(from);
	while ((n = fread(buf, 1, sizeof(buf), from)) > 0)
		if (fwrite(buf, 1, n, to) != n)
			return 0;
	return !ferror(from);
}

/* What was written aside takes the place of @path, if that was ours. */
static enum wm_status replace(const char *path, FILE **out, struct wm_err *err)
{
	struct head old = { .size = 0 }, new;
	FILE *f = fopen(path, "r+"), *from = *out;
	int good;

	if (!f)
		return wm_err_set(err, WM_IO, "'%s': %s", path,
				  strerror(errno));
	good = read_head(&old, f) && read_head(&new, from);
	if (good && !begins_alike(&new, &old)) {
		fclose(f);
		return wm_err_set(err, WM_USAGE, "'%s' is there, and "
				  "wm-analyze has not written it: give another "
				  "name, or --force", path);
	}
	fclose(f);
	f = good ? fopen(path, "w") : NULL;
	good = f && copy(from, f);
	if (f) {
		*out = f;
		fclose(from);
	}
	return good ? WM_OK : wm_err_set(err, WM_IO, "'%s': %s", path,
					 errno ? strerror(errno) :
						 "not written");
}

/* A file with a name, not a pipe or a device, nor one that lies aside. */
static int is_file(FILE *out, int *aside)
{
	struct stat st;

	if (fstat(fileno(out), &st) || !S_ISREG(st.st_mode))
		return 0;
	*aside = st.st_nlink == 0;
	return !*aside;
}

enum wm_status wm_output_close(const char *path, FILE *out,
			       enum wm_status status, struct wm_err *err)
{
	const char *name = out == stdout ? "output" : path;
	int aside = 0, file = out != stdout && is_file(out, &aside), bad;

	errno = 0;
	if (aside && !status && !fflush(out))
		status = replace(path, &out, err);
	bad = ferror(out) != 0;
	bad |= out == stdout ? fflush(out) != 0 : fclose(out) != 0;
	if (!status && bad)
		status = wm_err_set(err, WM_IO, "%s: %s", name,
				    errno ? strerror(errno) : "not written");
	if (status && file)
		unlink(path);
	return status;
}
