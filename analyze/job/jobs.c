/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/base/whole.h"
#include "analyze/job/analysis.h"

#define SHOWN 8 /* ranks in a note */
/* Ranks of one job that begin farther apart are worth a note. */
#define APART_NS UINT64_C(60000000000)

static const struct wm_run_file *file_of(const struct wm_analysis *a,
					 const struct wm_rank *r)
{
	return &a->run.files[r->source];
}

static uint64_t end_ns(const struct wm_rank *r)
{
	return r->start_ns + wm_whole(r->seconds * 1e9);
}

/* Its launcher may not have told how many there are: then it is one more than
 * the rank. */
static int may_be_untold(const struct wm_rank *r)
{
	return r->ranks == r->rank + 1;
}

/* The rank of directory @dir that began last, of those that surely know the
 * size of their job if there are any. */
static const struct wm_rank *find_newest(const struct wm_analysis *a,
					 size_t dir)
{
	const struct wm_rank *best = NULL;
	size_t i;

	for (i = 0; i < a->rank_count; i++) {
		const struct wm_rank *r = &a->ranks[i];

		if (file_of(a, r)->dir != dir || !r->start_ns)
			continue;
		if (!best || may_be_untold(r) < may_be_untold(best) ||
		    (may_be_untold(r) == may_be_untold(best) &&
		     r->start_ns > best->start_ns))
			best = r;
	}
	return best;
}

/* What is known of the job that counts in a directory. */
struct job {
	const struct wm_rank *newest;
	uint64_t copy; /* number that its file has: 1, or N of rank-R.N */
	uint64_t begin; /* earliest of those with that number */
};

static int is_of_other_job(const struct wm_rank *r, const struct job *j)
{
	const struct wm_rank *n = j->newest;

	if (r->run_id && n->run_id && strcmp(r->run_id, n->run_id) != 0)
		return 1;
	return r->ranks && n->ranks && r->ranks != n->ranks &&
	       !(may_be_untold(r) && r->ranks < n->ranks);
}

/* An earlier job of the same size, whose rank this one has no file of. */
static int is_left_over(const struct wm_analysis *a, const struct wm_rank *r,
			const struct job *j)
{
	return file_of(a, r)->copy < j->copy && r->start_ns &&
	       end_ns(r) < j->begin;
}

static enum wm_status begin_job(const struct wm_analysis *a, size_t dir,
				struct job *j)
{
	size_t i;

	memset(j, 0, sizeof(*j));
	j->newest = find_newest(a, dir);
	if (!j->newest)
		return WM_NOT_FOUND;
	j->copy = file_of(a, j->newest)->copy;
	j->begin = j->newest->start_ns;
	for (i = 0; i < a->rank_count; i++) {
		const struct wm_rank *r = &a->ranks[i];

		if (file_of(a, r)->dir == dir && r->start_ns &&
		    file_of(a, r)->copy == j->copy && !is_of_other_job(r, j) &&
		    r->start_ns < j->begin)
			j->begin = r->start_ns;
	}
	return WM_OK;
}

/* Those who go, in words. */
struct list {
	char text[160];
	size_t len, count;
	const struct wm_rank *first;
};

static void add_to_list(struct list *l, const struct wm_rank *r)
{
	if (!l->count++)
		l->first = r;
	if (l->count <= SHOWN)
		l->len += (size_t)snprintf(l->text + l->len,
					   sizeof(l->text) - l->len, "%s%llu",
					   l->count > 1 ? ", " : "",
					   (unsigned long long)r->rank);
	else if (l->count == SHOWN + 1)
		snprintf(l->text + l->len, sizeof(l->text) - l->len,
			 " and others");
}

static enum wm_status note_parted(struct wm_analysis *a, size_t dir,
				  const struct job *j, const struct list *l,
				  struct wm_err *err)
{
	double apart = (double)(int64_t)(j->newest->start_ns -
					 l->first->start_ns) *
		       1e-9;

	return wm_run_note(&a->run, err,
			   "'%s' holds traces of several jobs: "
			   "the one that began last, of %llu ranks, counts; "
			   "rank%s %s %s left out, of job '%s' of %llu ranks "
			   "that began %.0f s earlier",
			   a->run.dirs[dir],
			   (unsigned long long)j->newest->ranks,
			   l->count > 1 ? "s" : "", l->text,
			   l->count > 1 ? "are" : "is",
			   l->first->run_id ? l->first->run_id : "?",
			   (unsigned long long)l->first->ranks, apart);
}

static enum wm_status part_dir(struct wm_analysis *a, size_t dir, char *out,
			       size_t *found, struct wm_err *err)
{
	struct list l = { .len = 0 };
	struct job j;
	size_t i;

	if (begin_job(a, dir, &j))
		return WM_OK;
	for (i = 0; i < a->rank_count; i++) {
		const struct wm_rank *r = &a->ranks[i];

		if (file_of(a, r)->dir != dir ||
		    (!is_of_other_job(r, &j) && !is_left_over(a, r, &j)))
			continue;
		out[r->source] = 1;
		add_to_list(&l, r);
	}
	*found += l.count;
	return l.count ? note_parted(a, dir, &j, &l, err) : WM_OK;
}

enum wm_status wm_jobs_part(struct wm_analysis *a, size_t *found,
			    struct wm_err *err)
{
	char *out = calloc(a->run.file_count + 1, 1);
	enum wm_status s = WM_OK;
	size_t i;

	*found = 0;
	if (!out)
		return wm_no_memory(err, NULL);
	for (i = 0; i < a->run.dir_count && !s; i++)
		s = part_dir(a, i, out, found, err);
	if (!s && *found)
		s = wm_run_leave_out(&a->run, out, err);
	free(out);
	return s;
}

enum wm_status wm_jobs_note_begin(struct wm_analysis *a, struct wm_err *err)
{
	const struct wm_rank *first = NULL, *last = NULL, *ended = NULL;
	int strange;
	size_t i;

	for (i = 0; i < a->rank_count; i++) {
		const struct wm_rank *r = &a->ranks[i];

		if (!r->start_ns)
			continue;
		if (!first || r->start_ns < first->start_ns)
			first = r;
		if (!last || r->start_ns > last->start_ns)
			last = r;
		if (!ended || end_ns(r) < end_ns(ended))
			ended = r;
	}
	if (!first || last->start_ns - first->start_ns < APART_NS)
		return WM_OK;
	/* one clock: it is true; several: who of them is to be believed? */
	if (first->boot_id && last->boot_id &&
	    strcmp(first->boot_id, last->boot_id) == 0)
		return wm_analysis_note(a, 0,
					"the ranks did not begin together:"
					" rank %llu %.0f s after rank %llu",
					(unsigned long long)last->rank,
					(double)(last->start_ns -
						 first->start_ns) *
						1e-9,
					(unsigned long long)first->rank) ?
			       wm_no_memory(err, NULL) :
			       WM_OK;
	strange = end_ns(ended) < last->start_ns;
	return wm_analysis_note(
		       a, strange,
		       "%s: by the clock of '%s' it began "
		       "%.0f s after rank %llu by that of '%s': the "
		       "clocks of the nodes differ%s; nothing is "
		       "compared by them",
		       last->file, last->host ? last->host : "?",
		       (double)(last->start_ns - first->start_ns) * 1e-9,
		       (unsigned long long)first->rank,
		       first->host ? first->host : "?",
		       strange ? ", or these are traces of several jobs" : "") ?
		       wm_no_memory(err, NULL) :
		       WM_OK;
}
