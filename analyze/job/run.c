/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/run.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/lib/base/texts.h"
#include "analyze/lib/base/vec.h"
#include "analyze/job/facts.h"
#include "analyze/passes/rank.h"
#include "wm/census_format.h"
#include "input/path.h"
#include "input/regular.h"
#include "wm/search.h"
#include "wm/trace_format.h"

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n > m && strcmp(s + n - m, end) == 0;
}

/* Reads digits at *@s, at least @min, and moves *@s behind them. */
static bool get_digits(const char **s, size_t min, uint64_t *v)
{
	size_t n = 0;

	*v = 0;
	for (; isdigit((unsigned char)**s) && n < 18; n++)
		*v = *v * 10 + (uint64_t)(*(*s)++ - '0');
	return n >= min;
}

/* Parses rank-NNNNNN.wmt.xz or rank-NNNNNN.N.wmt.xz; in a child's name,
 * .child-PID follows the rank. */
static bool parse_name(const char *name, uint64_t *rank, uint64_t *child,
		       uint64_t *copy)
{
	const char *s = name;

	*copy = 1;
	*child = 0;
	if (strncmp(s, "rank-", 5) != 0)
		return false;
	s += 5;
	if (!get_digits(&s, 6, rank))
		return false;
	if (strncmp(s, ".child-", 7) == 0) {
		s += 7;
		if (!get_digits(&s, 1, child) || !*child)
			return false;
	}
	if (s[0] == '.' && isdigit((unsigned char)s[1])) {
		s++;
		get_digits(&s, 1, copy);
	}
	return strcmp(s, WMT_FILE_SUFFIX) == 0;
}

static enum wm_status add_file(struct wm_run *run, const char *path,
			       uint64_t rank, uint64_t copy, size_t dir,
			       struct wm_err *err)
{
	const char *base = wm_basename(path);
	struct wm_run_file *f = WM_MORE(run->files, run->file_cap,
					run->all_count);

	if (!f)
		return wm_no_memory(err, NULL);
	*f = (struct wm_run_file){ .rank = rank, .copy = copy, .dir = dir };
	f->path = strdup(path);
	f->name = rank == WM_RANK_UNKNOWN ?
			  wm_text_make("'%s'", base) :
			  wm_text_make("rank %" PRIu64 ": '%s'", rank, base);
	run->all_count++;
	return f->path && f->name ? WM_OK : wm_no_memory(err, NULL);
}

static enum wm_status add_child(struct wm_run *run, const char *path,
				uint64_t rank, uint64_t pid, size_t dir,
				struct wm_err *err)
{
	struct wm_run_child c = { rank, pid, dir, strdup(path) };

	if (c.path &&
	    WM_APPEND(run->children, run->child_cap, run->child_count, c))
		return WM_OK;
	free(c.path);
	return wm_no_memory(err, NULL);
}

/* Calls @each for entries of @path whose names do not begin with a dot. */
static enum wm_status list_dir(const char *path,
			       enum wm_status (*each)(void *, const char *,
						      const char *,
						      struct wm_err *),
			       void *context, struct wm_err *err)
{
	DIR *d = opendir(path);
	enum wm_status r = WM_OK;
	struct dirent *e;

	if (!d)
		return wm_err_set(err, WM_IO, "'%s': %s", path,
				  strerror(errno));
	while (!r && (errno = 0, e = readdir(d))) {
		char *full;

		if (e->d_name[0] == '.')
			continue;
		full = wm_text_make("%s/%s", path, e->d_name);
		r = full ? each(context, full, e->d_name, err) :
			   wm_no_memory(err, NULL);
		free(full);
	}
	if (!r && errno)
		r = wm_err_set(err, WM_IO, "'%s': %s", path, strerror(errno));
	closedir(d);
	return r;
}

struct listing {
	struct wm_run *run;
	size_t dir;
	unsigned int depth;
};

static enum wm_status take_entry(void *context, const char *path,
				 const char *name, struct wm_err *err)
{
	struct listing *s = context;
	struct listing below = { s->run, s->dir, s->depth + 1 };
	uint64_t rank, child, copy;
	struct stat st;

	if (parse_name(name, &rank, &child, &copy))
		return child ? add_child(s->run, path, rank, child, s->dir,
					 err) :
			       add_file(s->run, path, rank, copy, s->dir, err);
	if (s->depth == 0 && wm_is_ranks_dir(name) && stat(path, &st) == 0 &&
	    S_ISDIR(st.st_mode))
		return list_dir(path, take_entry, &below, err);
	return WM_OK;
}

struct newest {
	char *path;
	struct timespec time;
};

static enum wm_status found_file(void *context, const char *path,
				 const char *name, struct wm_err *err)
{
	uint64_t rank, child, copy;

	(void)context;
	(void)path;
	(void)err;
	return parse_name(name, &rank, &child, &copy) || wm_is_ranks_dir(name) ?
		       WM_END :
		       WM_OK;
}

static enum wm_status look_at(void *context, const char *path, const char *name,
			      struct wm_err *err)
{
	struct newest *n = context;
	struct stat st;
	int order;
	char *p;

	if (!ends_with(name, WMT_DIR_SUFFIX) || stat(path, &st) ||
	    !S_ISDIR(st.st_mode) ||
	    list_dir(path, found_file, NULL, NULL) != WM_END)
		return WM_OK;
	if (n->path) {
		order = WM_KEYS(WM_ORDER(st.st_mtim.tv_sec, n->time.tv_sec),
				WM_ORDER(st.st_mtim.tv_nsec, n->time.tv_nsec),
				strcmp(path, n->path));
		if (order < 0)
			return WM_OK;
	}
	p = strdup(path);
	if (!p)
		return wm_no_memory(err, NULL);
	free(n->path);
	n->path = p;
	n->time = st.st_mtim;
	return WM_OK;
}

/* Reports that @path holds no trace, and a run directory in it, if any. */
static enum wm_status no_run(const char *path, struct wm_err *err)
{
	struct newest n = { 0 };
	enum wm_status r = list_dir(path, look_at, &n, err);

	if (!r && n.path)
		r = wm_err_set(err, WM_NOT_FOUND,
			       "'%.150s' is not a run "
			       "directory, but holds some: name one, as "
			       "'%.150s'",
			       path, n.path);
	else if (!r)
		r = wm_err_set(err, WM_NOT_FOUND,
			       "'%s' is not a run directory: it holds no file "
			       "rank-NNNNNN" WMT_FILE_SUFFIX,
			       path);
	free(n.path);
	return r;
}

static enum wm_status add_dir(struct wm_run *run, const char *path,
			      struct wm_err *err)
{
	struct listing s = { .run = run, .dir = run->dir_count };
	size_t before = run->all_count, n = strlen(path);
	enum wm_status r;
	char **d = WM_MORE(run->dirs, run->dir_cap, run->dir_count);

	if (!d)
		return wm_no_memory(err, NULL);
	while (n > 1 && path[n - 1] == '/')
		n--;
	*d = strndup(path, n);
	if (!*d)
		return wm_no_memory(err, NULL);
	path = *d;
	run->dir_count++;
	r = list_dir(path, take_entry, &s, err);
	return !r && run->all_count == before ? no_run(path, err) : r;
}

static enum wm_status add_newest(struct wm_run *run, struct wm_err *err)
{
	struct newest n = { 0 };
	enum wm_status r;

	r = list_dir(".", look_at, &n, err);
	if (!r && !n.path)
		r = wm_err_set(
			err, WM_NOT_FOUND,
			"no run directory *" WMT_DIR_SUFFIX " here; name one: "
			"wm-analyze RUN (no program *" WMT_DIR_SUFFIX " "
			"either? wmcc must link the program: CC, or LINK, LD, "
			"LINKER)");
	if (!r)
		r = add_dir(run, strncmp(n.path, "./", 2) ? n.path : n.path + 2,
			    err);
	free(n.path);
	return r;
}

/* Returns WM_USAGE if argument number @n, with @st, repeats an earlier one. */
static enum wm_status given_before(char **args, size_t n, const struct stat *st,
				   struct wm_err *err)
{
	struct stat before;

	for (size_t i = 0; i < n; i++)
		if (stat(args[i], &before) == 0 &&
		    before.st_ino == st->st_ino && before.st_dev == st->st_dev)
			return wm_err_set(err, WM_USAGE, "'%s' is given twice",
					  args[n]);
	return WM_OK;
}

/* Returns WM_USAGE if @arg is an executable, named by mistake for its run. */
static enum wm_status check_program(const char *arg, struct wm_err *err)
{
	char magic[4] = "";
	int fd = wm_regular_open(arg);
	ssize_t n = fd < 0 ? 0 : read(fd, magic, 4);

	if (fd >= 0)
		close(fd);
	if (n < 4 || memcmp(magic, "\177ELF", 4) != 0)
		return WM_OK;
	return wm_err_set(err, WM_USAGE,
			  "'%s' is a program, not a run: run "
			  "it first, and name the run directory that it makes "
			  "(for its static memory: wm-analyze --static-report "
			  "%s)",
			  arg, arg);
}

static enum wm_status add_argument(struct wm_run *run, char **args, size_t n,
				   struct wm_err *err)
{
	const char *arg = args[n];
	uint64_t rank, child, copy;
	struct stat st;

	if (stat(arg, &st))
		return wm_err_set(err, WM_IO, "'%s': %s", arg, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return given_before(args, n, &st, err) ? WM_USAGE :
							 add_dir(run, arg, err);
	if (check_program(arg, err))
		return WM_USAGE;
	if (!parse_name(wm_basename(arg), &rank, &child, &copy))
		rank = WM_RANK_UNKNOWN;
	return add_file(run, arg, rank, 1, SIZE_MAX, err);
}

static int by_fate_and_rank(const void *a, const void *b)
{
	const struct wm_run_file *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->fate, y->fate), WM_ORDER(x->rank, y->rank),
		       WM_ORDER(x->dir, y->dir), WM_ORDER(y->copy, x->copy),
		       strcmp(x->path, y->path));
}

static int by_rank_and_pid(const void *a, const void *b)
{
	const struct wm_run_child *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->rank, y->rank), WM_ORDER(x->pid, y->pid),
		       strcmp(x->path, y->path));
}

void wm_run_set_apart(struct wm_run *run)
{
	WM_SORT(run->files, run->all_count, by_fate_and_rank);
	for (run->file_count = 0; run->file_count < run->all_count;
	     run->file_count++)
		if (run->files[run->file_count].fate != WM_FILE_COUNTS)
			break;
}

static const char *argument_of(const struct wm_run *run,
			       const struct wm_run_file *f)
{
	return f->dir == SIZE_MAX ? f->path : run->dirs[f->dir];
}

static enum wm_status two_runs(const struct wm_run *run,
			       const struct wm_run_file *a,
			       const struct wm_run_file *b, struct wm_err *err)
{
	if (a->rank_told || b->rank_told)
		return wm_err_set(err, WM_USAGE,
				  "two traces of rank %" PRIu64 " given",
				  a->rank);
	return wm_err_set(err, WM_USAGE,
			  "two runs given: '%s' and '%s' both "
			  "hold rank %" PRIu64 "; name one, or use "
			  "--compare, or give the programs of one "
			  "MPMD job",
			  argument_of(run, a), argument_of(run, b), a->rank);
}

enum wm_status wm_run_order(struct wm_run *run, struct wm_err *err)
{
	const struct wm_run_file *used = NULL;
	enum wm_status r = WM_OK;

	wm_run_set_apart(run);
	for (size_t i = 0; i < run->all_count && !r; i++) {
		struct wm_run_file *f = &run->files[i];

		if (!used || f->rank == WM_RANK_UNKNOWN ||
		    used->rank != f->rank) {
			used = f;
			continue;
		}
		f->fate = WM_FILE_OLDER;
		if (used->dir != f->dir || f->dir == SIZE_MAX)
			r = two_runs(run, used, f, err);
	}
	wm_run_set_apart(run);
	WM_SORT(run->children, run->child_count, by_rank_and_pid);
	return r;
}

static bool is_bundle(const char *path)
{
	return strcmp(wm_basename(path), WMC_FILE_NAME) == 0;
}

enum wm_status wm_run_find(struct wm_run *run, char **args, size_t count,
			   struct wm_err *err)
{
	enum wm_status r = WM_OK;

	memset(run, 0, sizeof(*run));
	if (!count)
		r = add_newest(run, err);
	for (size_t i = 0; i < count && !r; i++)
		if (count == 1 || !is_bundle(args[i]))
			r = add_argument(run, args, i, err);
	if (r)
		wm_run_release(run);
	return r;
}

void wm_run_release(struct wm_run *run)
{
	for (size_t i = 0; i < run->all_count; i++) {
		wm_facts_free(&run->files[i]);
		free(run->files[i].path);
		free(run->files[i].name);
	}
	for (size_t i = 0; i < run->child_count; i++)
		free(run->children[i].path);
	for (size_t i = 0; i < run->dir_count; i++)
		free(run->dirs[i]);
	for (size_t i = 0; i < run->program_count; i++)
		free(run->programs[i]);
	for (size_t i = 0; i < run->note_count; i++)
		free(run->notes[i]);
	free(run->files);
	free(run->children);
	free(run->dirs);
	free(run->programs);
	free(run->notes);
	free(run->name);
	free(run->id);
	memset(run, 0, sizeof(*run));
}
