/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/deaths/deaths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/order.h"
#include "analyze/answers/need/failed_requests.h"
#include "analyze/answers/heap/path_frames.h"
#include "analyze/answers/heap/profile.h"

const char *const wm_ending_name[WM_ENDINGS] = {
	[WM_ENDING_ENDED] = "ended",	 [WM_ENDING_ABORTED] = "aborted",
	[WM_ENDING_GONE] = "killed",	 [WM_ENDING_RUNNING] = "running",
	[WM_ENDING_UNKNOWN] = "no end",	 [WM_ENDING_UNWRITTEN] = "not written",
	[WM_ENDING_DAMAGED] = "damaged",
};

/* A rank while groups are made. */
struct entry {
	size_t rank; /* index */
	enum wm_ending ending;
	const char *reason;
	char *path;
	double seconds; /* last event, as in struct wm_death_group */
	uint64_t status; /* of exit(); 0: that, or not known */
	bool without; /* no MPI_Finalize, though MPI was up */
	const struct wm_symbol *assertion; /* as in struct wm_deaths */
};

static enum wm_ending find_ending(const struct wm_analysis *a,
				  const struct wm_rank *r)
{
	enum wm_ending gone = WM_ENDING_UNKNOWN;

	if (r->damage)
		return WM_ENDING_DAMAGED;
	if (r->ended)
		return r->end_reason && !strcmp(r->end_reason, "MPI_Abort") ?
			       WM_ENDING_ABORTED :
			       WM_ENDING_ENDED;
	if (wm_rank_is_unwritten(r))
		return WM_ENDING_UNWRITTEN;
	/* as it was when reading began: the process may end while its trace is
	 * read */
	switch (a->run.files[r->source].running) {
	case WM_RUNNING_YES:
		return WM_ENDING_RUNNING;
	case WM_RUNNING_NO:
		gone = WM_ENDING_GONE;
		break;
	default:
		break;
	}
	return r->end_reason ? WM_ENDING_ABORTED : gone;
}

/* Returns the function that called glibc's __assert_fail(), which prints a
 * failed assertion: the last allocation of such a process is made there. */
static const struct wm_symbol *asserter(const struct wm_path_frames *whole)
{
	size_t i;

	for (i = 0; i + 1 < whole->count; i++)
		if (!strcmp(whole->frame[i].symbol->name, "__assert_fail"))
			return whole->frame[i + 1].symbol;
	return NULL;
}

static enum wm_status fill_path(struct entry *e, const struct wm_analysis *a,
				struct wm_path_frames *frames,
				struct wm_err *err)
{
	const struct wm_rank *r = &a->ranks[e->rank];
	enum wm_status s;

	if (!r->last_path.path_count || e->ending == WM_ENDING_ENDED)
		return WM_OK;
	s = wm_path_frames_fill_whole(frames, a, r->last_number, err);
	if (!s)
		e->assertion = asserter(frames);
	if (!s)
		s = wm_path_frames_fill(frames, a, r->last_number, err);
	if (s || !frames->count)
		return s;
	e->path = wm_profile_path(a, frames);
	return e->path ? WM_OK : wm_no_memory(err, "call paths");
}

static enum wm_status fill_entries(struct entry *e, const struct wm_analysis *a,
				   struct wm_err *err)
{
	struct wm_path_frames frames = { .count = 0 };
	enum wm_status s = WM_OK;
	size_t i;

	for (i = 0; i < a->rank_count && !s; i++) {
		const struct wm_rank *r = &a->ranks[i];

		e[i].rank = i;
		e[i].ending = find_ending(a, r);
		e[i].reason = e[i].ending == WM_ENDING_UNWRITTEN ?
				      r->drop_reason :
				      r->end_reason;
		e[i].seconds = wm_rank_end(r);
		e[i].without = e[i].ending == WM_ENDING_ENDED && r->mpi == 1;
		if (r->exit_status != WM_NO_STATUS)
			e[i].status = r->exit_status;
		s = fill_path(&e[i], a, &frames, err);
	}
	wm_path_frames_release(&frames);
	return s;
}

static int group_order(const struct entry *x, const struct entry *y)
{
	return WM_KEYS(WM_ORDER(x->ending, y->ending),
		       wm_text_order(x->reason, y->reason),
		       WM_ORDER(x->without, y->without),
		       WM_ORDER(x->status, y->status),
		       wm_text_order(x->path, y->path));
}

static int by_group(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return WM_KEYS(group_order(x, y), WM_ORDER(x->rank, y->rank));
}

static int by_time(const void *a, const void *b)
{
	const struct wm_death_group *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->first, y->first),
		       WM_ORDER(x->rank[0], y->rank[0]));
}

/* Makes groups of the entries @e, which are sorted by group. */
static void make_groups(struct wm_deaths *d, struct entry *e, size_t count)
{
	struct wm_death_group *g = NULL;
	size_t i;

	for (i = 0; i < count; i++) {
		d->order[i] = e[i].rank;
		if (i && group_order(&e[i - 1], &e[i]) == 0) {
			g->count++;
			g->first = e[i].seconds < g->first ? e[i].seconds :
							     g->first;
			g->last = e[i].seconds > g->last ? e[i].seconds :
							   g->last;
			continue;
		}
		g = &d->group[d->count++];
		*g = (struct wm_death_group){
			.ending = e[i].ending,
			.reason = e[i].reason,
			.status = e[i].status,
			.without = e[i].without,
			.path = e[i].path ? strdup(e[i].path) : NULL,
			.first = e[i].seconds,
			.last = e[i].seconds,
			.rank = &d->order[i],
			.count = 1,
		};
	}
	qsort(d->group, d->count, sizeof(*d->group), by_time);
}

/* Returns whether the rank no longer runs, and its trace has no end. */
static bool ended_badly(const struct entry *e)
{
	return e->ending != WM_ENDING_ENDED && e->ending != WM_ENDING_RUNNING;
}

/* Returns the request of the program that failed just before the end of rank
 * @e. */
static const struct wm_failed *refused_of(const struct wm_analysis *a,
					  const struct entry *e)
{
	const struct wm_failed *f = wm_failed_largest(a, e->rank, UINT64_MAX);

	return f && f->seconds >= e->seconds - WM_DEATH_REFUSED ? f : NULL;
}

static void find_refused(struct wm_deaths *d, const struct wm_analysis *a,
			 const struct entry *e)
{
	const struct wm_failed *f = refused_of(a, e);

	d->refused = f ? f->bytes : 0;
	d->refused_before = f ? e->seconds - f->seconds : 0;
}

/* If the program itself called abort(), nothing before that call is the
 * reason. */
bool wm_death_is_stray(const struct wm_rank *r, enum wm_ending ending)
{
	return r->strayed.what != WM_STRAYED_NONE &&
	       (ending == WM_ENDING_GONE || ending == WM_ENDING_UNKNOWN ||
		(ending == WM_ENDING_ABORTED && r->aborts_inside));
}

/* Returns whether the rank gave up: it ended without MPI_Finalize, or, if it
 * has no MPI, with a bad status. */
static bool is_left(const struct wm_analysis *a, const struct entry *e)
{
	return e->ending == WM_ENDING_ENDED &&
	       (e->without || (e->status && !a->ranks[e->rank].mpi));
}

/* Returns the function of a library that handled a fatal signal in @e, or NULL.
 * Such a function prints where the signal was raised, and then lets the signal
 * kill the process. */
static const char *handler_of(const struct entry *e)
{
	static const char *const name[] = {
		"ucs_handle_error",
		"_gfortrani_backtrace_handler",
	};
	size_t i, n;
	char *at;

	for (i = 0; i < sizeof(name) / sizeof(*name) && e->path; i++) {
		at = strstr(e->path, name[i]);
		n = strlen(name[i]);
		if (at && ended_badly(e) && (at == e->path || at[-1] == ';') &&
		    (!at[n] || at[n] == ';'))
			return name[i];
	}
	/* libc's return from a signal has no name, and neither has the
	 * handler */
	at = e->path && ended_badly(e) ? strstr(e->path, ";?? (libc.so.") :
					 NULL;
	at = at ? strchr(at + 1, ';') : NULL;
	return at && !strncmp(at + 1, "?? (libopen-pal.so", 18) ?
		       "Open MPI's show_stackframe" :
		       NULL;
}

/* Finds ranks that aborted, crashed or were refused memory; if there are none,
 * finds ranks that left. */
static void find_gave_ups(struct wm_deaths *d, const struct wm_analysis *a,
			  const struct entry *e)
{
	size_t i, turn;

	for (turn = 0; turn < 2 && !d->gave_ups; turn++)
		for (i = 0; i < a->rank_count; i++) {
			const struct wm_failed *f = refused_of(a, &e[i]);
			const char *handler = handler_of(&e[i]);
			bool caused = wm_death_is_stray(&a->ranks[i],
							e[i].ending) ||
				      d->assertion[i];
			bool in_order = e[i].ending == WM_ENDING_ENDED &&
					!is_left(a, &e[i]) &&
					a->ranks[i].mpi == 2;

			if (e[i].ending == WM_ENDING_RUNNING || in_order)
				continue;
			if (turn ? !is_left(a, &e[i]) :
				   !f && !handler && !caused &&
					    e[i].ending != WM_ENDING_ABORTED)
				continue;
			d->gave_up[d->gave_ups++] = (struct wm_gave_up){
				.rank = i,
				.ending = e[i].ending,
				.reason = e[i].reason,
				.status = e[i].status,
				.without = e[i].without,
				.seconds = e[i].seconds,
				.refused = f ? f->bytes : 0,
				.before = f ? e[i].seconds - f->seconds : 0,
				.handler = handler,
				.caused = caused,
				.left = turn == 1,
			};
		}
}

static bool gave_up(const struct wm_deaths *d, size_t rank)
{
	size_t i;

	for (i = 0; i < d->gave_ups; i++)
		if (d->gave_up[i].rank == rank)
			return true;
	return false;
}

/* Finds the other ranks that died, and which of them may have died before. */
static void find_others(struct wm_deaths *d, const struct wm_analysis *a,
			const struct entry *e, double first)
{
	double clock = d->wall ? d->doubt : WM_DEATH_CLOCK;
	size_t i, before = 0;

	for (i = 0; i < a->rank_count; i++) {
		if (!ended_badly(&e[i]) || gave_up(d, i))
			continue;
		d->others++;
		before += e[i].seconds <= first + clock;
		if (e[i].seconds >= first - d->doubt)
			continue;
		if (!d->silent++ || e[i].seconds < d->silent_seconds) {
			d->silent_first = i;
			d->silent_seconds = e[i].seconds;
		}
	}
	d->unsure = d->gave_up[0].left && before;
}

/* Puts into .first the ranks that gave up, and ranks that may have died
 * before. */
static void prefer_gave_ups(struct wm_deaths *d, const struct wm_analysis *a,
			    const struct entry *e)
{
	double clock = d->wall ? d->doubt : WM_DEATH_CLOCK, first;
	size_t i;

	if (!d->gave_ups)
		return;
	first = d->gave_up[0].seconds;
	for (i = 1; i < d->gave_ups; i++)
		if (d->gave_up[i].seconds < first)
			first = d->gave_up[i].seconds;
	find_others(d, a, e, first);
	d->firsts = 0;
	d->first_seconds = d->last_seconds = first;
	for (i = 0; i < a->rank_count; i++) {
		bool gives = gave_up(d, i);

		if (!gives && !(d->unsure && ended_badly(&e[i]) &&
				e[i].seconds <= first + clock))
			continue;
		d->first[d->firsts++] = i;
		if (e[i].seconds < d->first_seconds)
			d->first_seconds = e[i].seconds;
		if (e[i].seconds > d->last_seconds)
			d->last_seconds = e[i].seconds;
	}
}

/* Finds the ranks that were silent first, among the ranks that are dead or may
 * be, and the first rank that had ended before these. */
static void find_first(struct wm_deaths *d, const struct wm_analysis *a,
		       const struct entry *e)
{
	const struct entry *dead = NULL, *ended = NULL;
	size_t i;

	d->doubt = a->run.clock == WM_JOB_CLOCK_ONE  ? WM_DEATH_DOUBT :
		   a->run.clock == WM_JOB_CLOCK_WALL ? WM_DEATH_DOUBT_WALL :
						       (double)INFINITY;
	for (i = 0; i < a->rank_count; i++) {
		d->assertion[i] = ended_badly(&e[i]) ? e[i].assertion : NULL;
		d->dead += ended_badly(&e[i]);
		if (ended_badly(&e[i]) &&
		    (!dead || e[i].seconds < dead->seconds))
			dead = &e[i];
		if (e[i].ending == WM_ENDING_ENDED && !is_left(a, &e[i]) &&
		    (!ended || e[i].seconds < ended->seconds))
			ended = &e[i];
	}
	if (dead)
		d->first_seconds = d->last_seconds = dead->seconds;
	for (i = 0; dead && i < a->rank_count; i++) {
		if (!ended_badly(&e[i]) ||
		    e[i].seconds > dead->seconds + d->doubt)
			continue;
		d->first[d->firsts++] = i;
		if (e[i].seconds > d->last_seconds)
			d->last_seconds = e[i].seconds;
	}
	if (a->rank_count > 1)
		find_gave_ups(d, a, e);
	else if (dead)
		find_refused(d, a, dead);
	prefer_gave_ups(d, a, e);
	d->known = d->firsts == 1 && (d->gave_ups || d->dead == 1);
	d->ended_before = d->firsts && ended &&
			  ended->seconds < d->first_seconds;
	d->ended = ended ? ended->rank : 0;
}

enum wm_status wm_deaths_find(struct wm_deaths *d, const struct wm_analysis *a,
			      struct wm_err *err)
{
	struct entry *e;
	enum wm_status s = WM_OK;
	size_t i, odd = 0;

	memset(d, 0, sizeof(*d));
	for (i = 0; i < a->rank_count; i++)
		odd += find_ending(a, &a->ranks[i]) != WM_ENDING_ENDED ||
		       a->ranks[i].mpi == 1;
	if (!odd)
		return WM_OK;
	d->wall = a->run.clock != WM_JOB_CLOCK_ONE;
	e = calloc(a->rank_count, sizeof(*e));
	d->order = calloc(a->rank_count, sizeof(*d->order));
	d->first = calloc(a->rank_count, sizeof(*d->first));
	d->gave_up = calloc(a->rank_count, sizeof(*d->gave_up));
	d->assertion = calloc(a->rank_count, sizeof(*d->assertion));
	d->group = calloc(a->rank_count, sizeof(*d->group));
	if (!e || !d->gave_up || !d->assertion || !d->order || !d->first ||
	    !d->group)
		s = wm_no_memory(err, NULL);
	if (!s)
		s = fill_entries(e, a, err);
	if (!s) {
		find_first(d, a, e);
		qsort(e, a->rank_count, sizeof(*e), by_group);
		make_groups(d, e, a->rank_count);
	}
	for (i = 0; e && i < a->rank_count; i++)
		free(e[i].path);
	free(e);
	if (s)
		wm_deaths_release(d);
	return s;
}

void wm_deaths_release(struct wm_deaths *d)
{
	size_t i;

	for (i = 0; i < d->count; i++)
		free(d->group[i].path);
	free(d->group);
	free(d->order);
	free(d->first);
	free(d->gave_up);
	free(d->assertion);
	memset(d, 0, sizeof(*d));
}
