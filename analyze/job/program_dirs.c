/* SPDX-License-Identifier: Apache-2.0 */
/* The program of each file of a run: each program has its run directory. */
#include "analyze/job/scan_heads.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/plain.h"
#include "analyze/lib/base/vec.h"
#include "analyze/job/facts.h"
#include "input/path.h"
#include "wm/trace_format.h"

/* Returns the directory of a trace, or of its directory ranks-NNNNNN. */
static char *run_dir(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *dir = slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
	char *base;

	if (!dir)
		return NULL;
	base = strrchr(dir, '/');
	if (base && wm_is_ranks_dir(base + 1))
		*base = 0;
	return dir;
}

static enum wm_status find_program(struct wm_run *run, struct wm_run_file *f,
				   struct wm_err *err)
{
	char *dir = run_dir(f->path);

	if (!dir)
		return wm_no_memory(err, NULL);
	for (f->program = 0; f->program < run->program_count; f->program++) {
		if (strcmp(run->programs[f->program], dir) == 0) {
			free(dir);
			return WM_OK;
		}
	}
	if (WM_APPEND(run->programs, run->program_cap, run->program_count, dir))
		return WM_OK;
	free(dir);
	return wm_no_memory(err, NULL);
}

/* "lulesh.1234.0.wm" is run 1234.0 of lulesh. */
static char *id_from_dir(const char *dir, const char *program)
{
	char *full = strcmp(dir, ".") ? NULL : realpath(dir, NULL), *id = NULL;
	const char *base = strrchr(full ? full : dir, '/');
	size_t n, m = program ? strlen(program) : 0;

	base = base ? base + 1 : full ? full : dir;
	n = strlen(base);
	if (m && n > m + 4 && strncmp(base, program, m) == 0 &&
	    base[m] == '.' && strcmp(base + n - 3, WMT_DIR_SUFFIX) == 0)
		id = wm_plain(base + m + 1, n - m - 4);
	free(full);
	return id;
}

static char *id_of(const struct wm_run *run, const struct wm_run_file *f)
{
	return id_from_dir(run->programs[f->program], f->facts->program);
}

/* Returns WM_USAGE if @f is of another run than @first, whose id is @id. */
static enum wm_status check_id(const struct wm_run *run, const char *id,
			       const struct wm_run_file *first,
			       const struct wm_run_file *f, struct wm_err *err)
{
	char *other = f->world == first->world ? id_of(run, f) : NULL;
	enum wm_status r = WM_OK;

	if (other && strcmp(other, id) != 0)
		r = wm_err_set(err, WM_USAGE,
			       "two runs given: '%s' and '%s'; "
			       "name one, or use --compare, or give the "
			       "programs of one MPMD job",
			       run->programs[first->program],
			       run->programs[f->program]);
	free(other);
	return r;
}

/* Names the run after its first readable file. */
static enum wm_status name_run(struct wm_run *run, const struct wm_run_file *f,
			       struct wm_err *err)
{
	const struct wm_facts *k = f->facts;

	run->name = strdup(k->program ? k->program : "?");
	run->id = id_of(run, f);
	if (!run->id)
		run->id = strdup(k->run_id ? k->run_id : "?");
	return run->name && run->id ? WM_OK : wm_no_memory(err, NULL);
}

enum wm_status wm_run_programs(struct wm_run *run, struct wm_err *err)
{
	const struct wm_run_file *first = NULL, *before = NULL;
	enum wm_status r = WM_OK;

	for (size_t i = 0; i < run->file_count && !r; i++) {
		struct wm_run_file *f = &run->files[i];

		if (!f->facts)
			continue;
		if (before && f->dir == before->dir && f->dir != SIZE_MAX)
			f->program = before->program;
		else
			r = find_program(run, f, err);
		if (!r && !first)
			r = name_run(run, first = f, err);
		else if (!r && f->program != before->program)
			r = check_id(run, run->id, first, f, err);
		before = f;
	}
	return r;
}
