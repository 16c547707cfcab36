/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --repack: makes the traces of a run smaller, several at a time.
 */
#include "analyze/answers/reports.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/lib/base/plain.h"
#include "analyze/lib/base/units.h"
#include "analyze/lib/base/vec.h"
#include "analyze/job/crew.h"
#include "analyze/job/run.h"
#include "analyze/render/doc.h"
#include "analyze/answers/repack/repack_file.h"
#include "analyze/answers/exit.h"
#include "analyze/answers/report.h"
#include "input/path.h"
#include "wm/window_format.h"

struct item {
	const struct wm_run_file *f;
	const char *dir; /* run directory; NULL: it was given alone */
};

struct packing {
	const struct wm_opts *o;
	struct wm_run *run; /* one for each argument: need not be one job */
	size_t run_count;
	struct item *file;
	size_t count, cap;
	pthread_mutex_t lock; /* everything below, and the output */
	size_t next, finished, failed, skipped, larger, partial;
	uint64_t before, after;
	enum wm_status status; /* of the last failure */
};

/* ---- where a copy goes ---- */

/* Makes the directories above @path that are missing. */
static enum wm_status make_directories(const char *path, struct wm_err *err)
{
	char *dir = strdup(path), *p;
	enum wm_status r = WM_OK;

	if (!dir)
		return wm_no_memory(err, NULL);
	for (p = strchr(dir + 1, '/'); p && !r; p = strchr(p + 1, '/')) {
		*p = 0;
		if (mkdir(dir, 0777) && errno != EEXIST)
			r = wm_err_set(err, WM_IO, "'%.300s': %s", dir,
				       strerror(errno));
		*p = '/';
	}
	free(dir);
	return r;
}

/* Returns the name in --output of a file of run directory @dir; NULL: of no
 * run. */
static char *output_name(const struct packing *c, const char *dir,
			 const char *path)
{
	char *real = dir ? realpath(dir, NULL) : NULL, *s = NULL;
	int n;

	if (dir && !real)
		return NULL;
	if (dir)
		n = asprintf(&s, "%s/%s/%s", c->o->output, wm_basename(real),
			     path + strlen(dir) + 1);
	else
		n = asprintf(&s, "%s/%s", c->o->output, wm_basename(path));
	free(real);
	return n < 0 ? NULL : s;
}

/*
 * Reports that a link was not copied.  A link in a run directory may lead to a
 * private file of the user who repacks, while the copy may be for other people.
 */
static void leave_link(const char *path)
{
	struct wm_err err;

	wm_err_set(&err, WM_USAGE, "'%.300s' is a link, which is not copied",
		   path);
	fprintf(stderr, "wm-analyze: %s\n", err.text);
}

/* Returns whether the file is a trace, which has been repacked already. */
static bool is_trace(const struct packing *c, const char *path)
{
	for (size_t i = 0; i < c->count; i++)
		if (strcmp(c->file[i].f->path, path) == 0)
			return true;
	return false;
}

static enum wm_status copy_others(const struct packing *c, const char *dir,
				  const char *at, int fd, struct wm_err *err);

/* Copies the file @name of folder @at, which is open as @fd. */
static enum wm_status copy_other(const struct packing *c, const char *dir,
				 const char *at, int fd, const char *name,
				 struct wm_err *err)
{
	enum wm_status r = WM_OK;
	char *from = NULL, *to;
	struct stat st;

	if (asprintf(&from, "%s/%s", at, name) < 0)
		return wm_no_memory(err, NULL);
	to = output_name(c, dir, from);
	if (!to)
		r = wm_no_memory(err, NULL);
	else if (is_trace(c, from) ||
		 fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW))
		;
	else if (S_ISLNK(st.st_mode))
		leave_link(from);
	else if (S_ISDIR(st.st_mode) && wm_is_ranks_dir(name))
		r = copy_others(c, dir, from,
				openat(fd, name,
				       O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
					       O_CLOEXEC),
				err);
	else if (S_ISREG(st.st_mode) && !(r = make_directories(to, err)))
		r = wm_repack_copy(fd, name, from, to, err);
	free(from);
	free(to);
	return r;
}

/* Copies the other files of a run directory, which is open as @fd: the bundle
 * and crash buffers. */
static enum wm_status copy_others(const struct packing *c, const char *dir,
				  const char *at, int fd, struct wm_err *err)
{
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	enum wm_status r = WM_OK;
	struct dirent *e;

	if (!d) {
		r = wm_err_set(err, WM_IO, "'%.300s': %s", at, strerror(errno));
		if (fd >= 0)
			close(fd);
		return r;
	}
	while (!r && (errno = 0, e = readdir(d)))
		if (e->d_name[0] != '.')
			r = copy_other(c, dir, at, dirfd(d), e->d_name, err);
	if (!r && errno)
		r = wm_err_set(err, WM_IO, "'%.300s': %s", at, strerror(errno));
	closedir(d);
	return r;
}

/* Copies the crash buffer of a trace that was given alone. */
static enum wm_status copy_crash_buffer(const struct packing *c,
					const char *path, struct wm_err *err)
{
	size_t n = strlen(path), m = strlen(WMT_FILE_SUFFIX);
	char *from = NULL, *to = NULL;
	enum wm_status r = WM_OK;
	struct stat st;

	if (n <= m || strcmp(path + n - m, WMT_FILE_SUFFIX) != 0)
		return WM_OK;
	if (asprintf(&from, "%.*s" WMW_FILE_SUFFIX, (int)(n - m), path) < 0)
		return wm_no_memory(err, NULL);
	to = output_name(c, NULL, from);
	if (!to)
		r = wm_no_memory(err, NULL);
	else if (lstat(from, &st) == 0 && S_ISLNK(st.st_mode))
		leave_link(from);
	else if (access(from, F_OK) == 0)
		r = wm_repack_copy(AT_FDCWD, from, from, to, err);
	free(from);
	free(to);
	return r;
}

static enum wm_status copy_rest(const struct packing *c, struct wm_err *err)
{
	enum wm_status r = WM_OK;
	size_t i, k;

	for (i = 0; i < c->run_count; i++)
		for (k = 0; !r && k < c->run[i].dir_count; k++)
			r = copy_others(c, c->run[i].dirs[k], c->run[i].dirs[k],
					open(c->run[i].dirs[k],
					     O_RDONLY | O_DIRECTORY |
						     O_CLOEXEC),
					err);
	for (i = 0; !r && i < c->count; i++)
		if (!c->file[i].dir)
			r = copy_crash_buffer(c, c->file[i].f->path, err);
	return r;
}

/* ---- the traces ---- */

static enum wm_status repack_one(struct packing *c, const struct item *it,
				 struct wm_repacked *done, struct wm_err *err)
{
	const struct wm_run_file *f = it->f;
	char *to = NULL;
	enum wm_status r = WM_OK;

	memset(done, 0, sizeof(*done));
	if (c->o->output) {
		to = output_name(c, it->dir, f->path);
		r = to ? make_directories(to, err) : wm_no_memory(err, NULL);
	}
	if (!r)
		r = wm_repack_file(f->path, f->name, to, done, err);
	free(to);
	return r;
}

/* Reports a result.  The caller holds the lock. */
static void tell_result(struct packing *c, const struct wm_run_file *f,
			const struct wm_repacked *done, enum wm_status r,
			const struct wm_err *err)
{
	bool progress = !c->o->quiet && isatty(STDERR_FILENO);

	if (progress)
		fputs("\r\033[K", stderr);
	if (r) {
		c->failed++;
		c->status = r;
		fprintf(stderr, "wm-analyze: %s\n", err->text);
	} else if (done->damage.text[0]) {
		c->partial++;
		fprintf(stderr,
			"wm-analyze: %s; the rest of that trace stays as it "
			"is\n",
			done->damage.text);
	}
	c->before += done->before;
	c->after += done->after;
	c->skipped += done->skipped && !r;
	c->larger += done->larger && !r;
	c->finished++;
	if (!r && !c->o->quiet && c->count > 1 && !done->skipped) {
		wm_put_plain(f->name, stdout);
		printf(": %" PRIu64 " to %" PRIu64 " bytes\n", done->before,
		       done->after);
	}
	if (progress && c->finished < c->count)
		fprintf(stderr, "repacking: %zu of %zu traces ", c->finished,
			c->count);
}

static void *pack_files(void *arg)
{
	struct packing *c = arg;

	for (;;) {
		struct wm_repacked done;
		struct wm_err err = { "" };
		enum wm_status r;
		size_t i;

		pthread_mutex_lock(&c->lock);
		i = c->next;
		if (i < c->count)
			c->next++;
		pthread_mutex_unlock(&c->lock);
		if (i >= c->count)
			return NULL;
		r = repack_one(c, &c->file[i], &done, &err);
		pthread_mutex_lock(&c->lock);
		tell_result(c, c->file[i].f, &done, r, &err);
		pthread_mutex_unlock(&c->lock);
	}
}

static void run_threads(struct packing *c)
{
	unsigned n = wm_load_threads(c->o->request.threads, c->count),
		 started = 0, i;
	pthread_t *thread = n > 1 ? calloc(n, sizeof(*thread)) : NULL;

	pthread_mutex_init(&c->lock, NULL);
	for (i = 0; thread && i < n; i++)
		if (pthread_create(&thread[started], NULL, pack_files, c) == 0)
			started++;
	if (!started)
		pack_files(c);
	for (i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	free(thread);
	pthread_mutex_destroy(&c->lock);
}

/* ---- the command ---- */

static enum wm_status add_files(struct packing *c, const struct wm_run *run,
				struct wm_err *err)
{
	struct item *it = WM_ROOM(c->file, c->cap, c->count + run->all_count);
	const struct wm_run_file *f = run->files, *end = f + run->all_count;

	if (!it)
		return wm_no_memory(err, NULL);
	for (it += c->count; f < end; f++, it++, c->count++)
		*it = (struct item){ f, f->dir == SIZE_MAX ?
						NULL :
						run->dirs[f->dir] };
	return WM_OK;
}

/* Lists all files, even if a later file of the same rank replaces them. */
static enum wm_status list_files(struct packing *c, struct wm_err *err)
{
	const struct wm_request *q = &c->o->request;
	size_t n = q->run_count ? q->run_count : 1;
	enum wm_status r = WM_OK;

	c->run = calloc(n, sizeof(*c->run));
	if (!c->run)
		return wm_no_memory(err, NULL);
	while (!r && c->run_count < n) {
		struct wm_run *run = &c->run[c->run_count];

		r = wm_run_find(run,
				q->run_count ? q->runs + c->run_count : NULL,
				q->run_count ? 1 : 0, err);
		if (r)
			break;
		c->run_count++;
		r = wm_run_order(run, err);
		if (!r)
			r = add_files(c, run, err);
	}
	return r;
}

static void print_total(const struct packing *c)
{
	struct wm_figure before, after;

	printf("%zu trace%s: %s before, %s after", c->count,
	       c->count == 1 ? "" : "s", wm_bytes(&before, c->before),
	       wm_bytes(&after, c->after));
	if (c->before)
		printf(", %.1f %%",
		       100.0 * (double)c->after / (double)c->before);
	if (c->skipped)
		printf("; %zu repacked before", c->skipped);
	if (c->larger)
		printf("; %zu would not shrink", c->larger);
	if (c->failed)
		printf("; %zu left as %s", c->failed,
		       c->failed == 1 ? "it was" : "they were");
	putchar('\n');
}

static int repack_main(const struct wm_opts *o, struct wm_doc *d)
{
	struct packing c = { .o = o };
	enum wm_status r;
	int status;

	r = list_files(&c, d->err);
	if (!r) {
		run_threads(&c);
		if (o->output)
			r = copy_rest(&c, d->err);
		print_total(&c);
	}
	r = wm_doc_close(d, r);
	status = wm_exit_status(r, c.failed || c.partial, d->err);
	/* each failure has been reported; if it was only too early, it is
	 * none */
	if (!r && c.failed == c.count && c.status != WM_USAGE)
		status = WM_EXIT_UNREADABLE;
	while (c.run_count)
		wm_run_release(&c.run[--c.run_count]);
	free(c.run);
	free(c.file);
	return status;
}

const struct wm_report wm_repack_report = {
	.name = "repack",
	.help = "make the traces smaller without loss (--output)",
	.alone = repack_main,
	.forms = WM_NO_JSON | WM_NO_CSV | WM_OWN_OUTPUT,
};
