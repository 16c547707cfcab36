/* SPDX-License-Identifier: Apache-2.0 */
/* A run directory can hold traces that an earlier job with the same WM_RUN_ID
 * left, or that were copied together.  The job that began last counts; traces
 * that cannot belong to this job are set apart, with a note
 * (docs/trace-format.md, 1.7). */
#include "analyze/job/scan_heads.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "analyze/job/facts.h"

#define SHOWN 8 /* ranks in a note */

/* Without a launcher's number, the number of ranks is the rank plus one. */
static bool may_be_untold(const struct wm_facts *k)
{
	return k->ranks == k->rank + 1;
}

struct job {
	const struct wm_run_file *newest;
	uint64_t begin; /* earliest start of a file with its .copy */
};

static bool is_of_dir(const struct wm_run_file *f, size_t dir)
{
	return f->dir == dir && f->facts;
}

/* Returns the rank in directory @dir that began last, preferably one that
 * certainly knows the size of its job. */
static const struct wm_run_file *find_newest(const struct wm_run *run,
					     size_t dir)
{
	const struct wm_run_file *best = NULL;

	for (size_t i = 0; i < run->file_count; i++) {
		const struct wm_run_file *f = &run->files[i];
		bool untold, best_untold;

		if (!is_of_dir(f, dir) || !f->start.real_ns)
			continue;
		untold = may_be_untold(f->facts);
		best_untold = best && may_be_untold(best->facts);
		if (!best || untold < best_untold ||
		    (untold == best_untold &&
		     f->start.real_ns > best->start.real_ns))
			best = f;
	}
	return best;
}

static bool is_of_other_job(const struct wm_facts *k, const struct wm_facts *n)
{
	if (k->run_id && n->run_id && strcmp(k->run_id, n->run_id) != 0)
		return true;
	return k->ranks && n->ranks && k->ranks != n->ranks &&
	       !(may_be_untold(k) && k->ranks < n->ranks);
}

/* Returns whether @f, whose rank has no file in @j, is of an earlier job of the
 * same size. */
static bool is_left_over(struct wm_run_file *f, const struct job *j)
{
	return f->copy < j->newest->copy && f->start.real_ns &&
	       wm_facts_end(f) < j->begin;
}

static enum wm_status find_job(const struct wm_run *run, size_t dir,
			       struct job *j)
{
	j->newest = find_newest(run, dir);
	if (!j->newest)
		return WM_NOT_FOUND;
	j->begin = j->newest->start.real_ns;
	for (size_t i = 0; i < run->file_count; i++) {
		const struct wm_run_file *f = &run->files[i];

		if (is_of_dir(f, dir) && f->start.real_ns &&
		    f->copy == j->newest->copy &&
		    !is_of_other_job(f->facts, j->newest->facts) &&
		    f->start.real_ns < j->begin)
			j->begin = f->start.real_ns;
	}
	return WM_OK;
}

/* The ranks that are set apart, as text. */
struct list {
	char text[160];
	size_t len, count;
	const struct wm_run_file *first;
};

static void add_to_list(struct list *l, const struct wm_run_file *f)
{
	if (!l->count++)
		l->first = f;
	if (l->count <= SHOWN)
		l->len += (size_t)snprintf(l->text + l->len,
					   sizeof(l->text) - l->len,
					   "%s%" PRIu64,
					   l->count > 1 ? ", " : "", f->rank);
	else if (l->count == SHOWN + 1)
		snprintf(l->text + l->len, sizeof(l->text) - l->len,
			 " and others");
}

static enum wm_status note_foreign(struct wm_run *run, size_t dir,
				   const struct job *j, const struct list *l,
				   struct wm_err *err)
{
	const struct wm_facts *first = l->first->facts;
	double apart = (double)(int64_t)(j->newest->start.real_ns -
					 l->first->start.real_ns) *
		       1e-9;

	run->parted = true;
	return wm_run_note(run, err,
			   "'%s' holds traces of several jobs: "
			   "the one that began last, of %" PRIu64
			   " ranks, counts; "
			   "rank%s %s %s left out, of job '%s' of %" PRIu64
			   " ranks "
			   "that began %.0f s earlier",
			   run->dirs[dir], j->newest->ranks,
			   l->count > 1 ? "s" : "", l->text,
			   l->count > 1 ? "are" : "is",
			   first->run_id ? first->run_id : "?", l->first->ranks,
			   apart);
}

static enum wm_status part_dir(struct wm_run *run, size_t dir,
			       struct wm_err *err)
{
	struct list l = { .len = 0 };
	struct job j;

	if (find_job(run, dir, &j))
		return WM_OK;
	for (size_t i = 0; i < run->file_count; i++) {
		struct wm_run_file *f = &run->files[i];

		if (!is_of_dir(f, dir) ||
		    (!is_of_other_job(f->facts, j.newest->facts) &&
		     !is_left_over(f, &j)))
			continue;
		f->fate = WM_FILE_FOREIGN;
		add_to_list(&l, f);
	}
	return l.count ? note_foreign(run, dir, &j, &l, err) : WM_OK;
}

enum wm_status wm_foreign_part(struct wm_run *run, struct wm_err *err)
{
	enum wm_status r = WM_OK;

	for (size_t i = 0; i < run->dir_count && !r; i++)
		r = part_dir(run, i, err);
	wm_run_set_apart(run);
	return r;
}
