/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/history/history.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/plain.h"
#include "analyze/lib/base/vec.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/compare/pair.h"
#include "analyze/answers/summary/provenance.h"
#include "wm/search.h"

/* ---- one run ---- */

/* Returns the arguments without the program's name, which builds may change. */
static const char *arguments_of(const char *command)
{
	const char *blank = strchr(command, ' ');

	return blank ? blank + 1 : "";
}

static void add_ranks(struct wm_history_run *r, const struct wm_analysis *a)
{
	bool resident = true;

	for (size_t i = 0; i < a->rank_count; i++) {
		const struct wm_rank *k = &a->ranks[i];

		r->total += k->in[WM_HOST].peak_bytes;
		r->resident += k->peak_rss;
		resident &= k->peak_rss != 0;
		if (k->start_ns && (!r->start_ns || k->start_ns < r->start_ns))
			r->start_ns = k->start_ns;
	}
	if (!resident)
		r->resident = 0;
	r->ranks = a->job_size;
	r->peak = a->ranks[a->max].in[WM_HOST].peak_bytes;
	r->peak_rank = a->ranks[a->max].rank;
}

/*
 * Returns the reason to doubt the peak of @a, or NULL.  Missing names are no
 * reason: the program of an old run has usually been rebuilt, but the peak of
 * the run is still right.
 */
static const char *doubt(const struct wm_analysis *a)
{
	if (!a->complete)
		return a->note_count ? a->notes[0] : "incomplete";
	for (size_t i = 0; i < a->program_count; i++)
		if (a->programs[i].mixed)
			return "its traces come from different builds";
	for (size_t i = 0; i < a->rank_count; i++)
		if (a->ranks[i].jump)
			return "the clock of a rank jumped: the order of "
			       "threads may be wrong";
	return NULL;
}

static enum wm_status take_run(struct wm_history_run *r,
			       const struct wm_analysis *a, struct wm_err *err)
{
	struct wm_provenance p;
	const char *why = doubt(a);

	wm_provenance_make(&p, a);
	memcpy(r->started, p.started, sizeof(r->started));
	memcpy(r->build, p.build_id, sizeof(r->build) - 1);
	add_ranks(r, a);
	r->program = strdup(a->name);
	r->id = strdup(a->id);
	if (p.commands)
		r->command = strdup(arguments_of(p.command[0].text));
	if (why)
		r->reason = strdup(why);
	if (!r->program || !r->id || (p.commands && !r->command) ||
	    (why && !r->reason))
		return wm_no_memory(err, "the history");
	r->read = true;
	return WM_OK;
}

/* Reads a run.  Only errors that are no fault of the run end the history. */
static enum wm_status read_run(struct wm_history *h, size_t i,
			       const struct wm_request *q, struct wm_err *err)
{
	struct wm_history_run *r = &h->run[i];
	struct wm_request one = *q;
	struct wm_err why = { "" };
	struct wm_analysis a;
	enum wm_status s;

	one.runs = &r->path;
	one.run_count = 1;
	one.several = true;
	one.quiet = true;
	s = wm_analysis_read(&a, &one, &why);
	if (s == WM_NO_MEMORY) {
		*err = why;
	} else if (s) {
		r->reason = wm_plain(why.text, strlen(why.text));
		h->partial = true;
		s = r->reason ? WM_OK : wm_no_memory(err, "the history");
	} else {
		s = take_run(r, &a, err);
		h->partial |= r->reason != NULL;
	}
	wm_analysis_release(&a);
	return s;
}

/* ---- series ---- */

static int by_start(const void *a, const void *b)
{
	const struct wm_history_run *x = a, *y = b;

	return WM_KEYS(WM_ORDER(y->read, x->read),
		       WM_ORDER(x->start_ns, y->start_ns),
		       strcmp(x->path, y->path));
}

static bool is_alike(const struct wm_history_run *a,
		     const struct wm_history_run *b)
{
	return a->ranks == b->ranks && strcmp(a->program, b->program) == 0 &&
	       strcmp(a->command ? a->command : "",
		      b->command ? b->command : "") == 0;
}

static bool is_higher(const struct wm_history *h, size_t run, size_t than)
{
	return (double)h->run[run].peak >
	       (double)h->run[than].peak * (1 + h->threshold / 100);
}

static enum wm_status place_run(struct wm_history *h, size_t i,
				struct wm_err *err)
{
	struct wm_history_series *s;
	size_t k = 0;

	while (k < h->series_count &&
	       !is_alike(&h->run[h->series[k].first], &h->run[i]))
		k++;
	if (k == h->series_count) {
		s = WM_MORE(h->series, h->series_cap, h->series_count);
		if (!s)
			return wm_no_memory(err, "the history");
		h->series_count++;
		s->first = i;
		s->last = WM_NO_RUN;
		s->step.run = WM_NO_RUN;
	}
	s = &h->series[k];
	h->run[i].series = k;
	h->run[i].before = s->last;
	s->last = i;
	s->runs++;
	return WM_OK;
}

/* Returns the lowest run before @i in its series; of equal runs, the latest. */
static size_t lowest_before(const struct wm_history *h, size_t i)
{
	size_t low = h->run[i].before, k;

	for (k = low; k != WM_NO_RUN; k = h->run[k].before)
		if (h->run[k].peak < h->run[low].peak)
			low = k;
	return low;
}

/*
 * Finds the first run such that all runs from it to run @i are higher than the
 * lowest run before it.  The search goes back from run @i.  The further back,
 * the fewer runs are left before a run, and the more runs have to be higher; so
 * once the condition fails, it fails for all earlier runs.
 */
static void find_since(struct wm_history *h, size_t i)
{
	struct wm_history_run *r = &h->run[i];
	size_t least = i, k, low;

	for (k = i; k != WM_NO_RUN; k = h->run[k].before) {
		if (h->run[k].peak < h->run[least].peak)
			least = k;
		low = lowest_before(h, k);
		if (low == WM_NO_RUN || !is_higher(h, least, low))
			break;
		r->since = k;
		r->lowest = low;
	}
}

/* Finds the functions that grew between the run since which peaks are higher
 * and the run before it.  If that step is small, because peaks crept up, the
 * comparison begins with the lowest run instead. */
static enum wm_status explain(struct wm_history *h, struct wm_history_series *s,
			      const struct wm_request *q, struct wm_err *err)
{
	const struct wm_history_run *last = &h->run[s->last];
	struct wm_renames renames = { .row = NULL };
	struct wm_half half[2];
	struct wm_request two = *q;
	char *runs[2];
	enum wm_status r;

	if (last->since == WM_NO_RUN)
		return WM_OK;
	s->step.run = last->since;
	s->step.from = h->run[last->since].before;
	if (!is_higher(h, s->step.run, s->step.from))
		s->step.from = last->lowest;
	runs[0] = h->run[s->step.from].path;
	runs[1] = h->run[s->step.run].path;
	two.runs = runs;
	two.run_count = 2;
	two.quiet = true;
	r = wm_pair_read(half, &two, true, err);
	if (!r)
		r = wm_renames_find(&renames, &half[0].profile,
				    &half[1].profile, err);
	if (!r)
		r = wm_compare(&s->step.functions, &half[0].profile,
			       &half[1].profile, &renames, false, WM_AT_PEAK,
			       err);
	h->partial |= half[0].a.partial || half[1].a.partial;
	wm_renames_release(&renames);
	wm_pair_release(half);
	return r;
}

enum wm_status wm_history_read(struct wm_history *h, const struct wm_request *q,
			       double threshold, struct wm_err *err)
{
	enum wm_status s = WM_OK;

	memset(h, 0, sizeof(*h));
	h->threshold = threshold;
	for (size_t i = 0; i < q->run_count && !s; i++)
		s = wm_history_find(h, q->runs[i], err);
	if (!s && !h->count)
		return wm_err_set(err, WM_NOT_FOUND,
				  "'%.200s': no run directory *.wm here or "
				  "below",
				  q->runs[0]);
	for (size_t i = 0; i < h->count && !s; i++)
		s = read_run(h, i, q, err);
	if (s)
		return s;
	WM_SORT(h->run, h->count, by_start);
	while (h->reads < h->count && h->run[h->reads].read)
		h->reads++;
	if (!h->reads)
		return wm_err_set(err, WM_NOT_FOUND,
				  "none of %zu run director%s can be read: "
				  "%.300s",
				  h->count, h->count == 1 ? "y" : "ies",
				  h->run[0].reason);
	for (size_t i = 0; i < h->reads && !s; i++)
		s = place_run(h, i, err);
	for (size_t i = 0; i < h->reads && !s; i++)
		find_since(h, i);
	for (size_t i = 0; i < h->series_count && !s; i++)
		s = explain(h, &h->series[i], q, err);
	return s;
}

/* ---- gates ---- */

static uint64_t beyond(const struct wm_finding *v)
{
	return v->bytes > v->limit ? v->bytes - v->limit : 0;
}

enum wm_status wm_history_judge(const struct wm_history *h,
				struct wm_findings *v, const struct wm_gates *g,
				struct wm_err *err)
{
	enum wm_status s = WM_OK;

	v->gates = g;
	for (size_t i = 0; i < h->series_count && !s; i++) {
		const struct wm_history_run *last = &h->run[h->series[i].last];
		struct wm_findings one = { .gates = g };

		if (last->before == WM_NO_RUN)
			continue;
		s = wm_gates_grown(&one, g, h->run[last->before].peak,
				   last->peak, NULL, 0, err);
		for (size_t k = 0; k < g->count; k++)
			if (beyond(&one.result[k]) >= beyond(&v->result[k]))
				v->result[k] = one.result[k];
	}
	return s;
}

void wm_history_release(struct wm_history *h)
{
	for (size_t i = 0; i < h->count; i++) {
		struct wm_history_run *r = &h->run[i];

		free(r->path);
		free(r->shown);
		free(r->reason);
		free(r->program);
		free(r->id);
		free(r->command);
	}
	for (size_t i = 0; i < h->series_count; i++)
		wm_differences_release(&h->series[i].step.functions);
	free(h->run);
	free(h->series);
	memset(h, 0, sizeof(*h));
}
