/* SPDX-License-Identifier: Apache-2.0 */
/* How ranks ended, in order of their last events, with a line for each group of
 * ranks that ended alike. */
#include "analyze/answers/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/shorten.h"
#include "analyze/lib/base/texts.h"
#include "analyze/answers/deaths/deaths.h"
#include "analyze/render/table.h"
#include "input/path.h"
#include "wm/trace_format.h"

#define RANKS_TEXT 48
#define FRAMES_SHOWN 4
#define NAME_COLUMNS 40

/* Writes "0-2, 4, 7-9", or only the number of ranks if the list is too long. */
static void put_ranks(const struct wm_analysis *a, const size_t *rank,
		      size_t count, char buf[RANKS_TEXT])
{
	size_t i = 0, n = 0, end;
	char part[48];

	buf[0] = 0;
	while (i < count) {
		uint64_t from = a->ranks[rank[i]].rank, to = from;
		size_t k = i + 1;

		while (k < count && a->ranks[rank[k]].rank == to + 1)
			to = a->ranks[rank[k++]].rank;
		snprintf(part, sizeof(part), "%s%" PRIu64, n ? ", " : "", from);
		if (to != from) {
			end = strlen(part);
			snprintf(part + end, sizeof(part) - end, "-%" PRIu64,
				 to);
		}
		if (n + strlen(part) >= RANKS_TEXT - 16) {
			snprintf(buf + n, RANKS_TEXT - n, ", %zu more",
				 count - i);
			return;
		}
		strcpy(buf + n, part);
		n += strlen(part);
		i = k;
	}
}

/* "dgemm < solve < main" */
static void put_path(struct wm_table *t, const char *path)
{
	char *text = path ? wm_callers_text(path, FRAMES_SHOWN, NAME_COLUMNS) :
			    NULL;

	t->short_of_memory |= path && !text;
	wm_table_text(t, text && *text ? text : NULL);
	free(text);
}

#define ENDING_TEXT 140

/* "ended (exit, status 3) without MPI_Finalize" */
static const char *ended_in_words(const struct wm_death_group *g,
				  char buf[ENDING_TEXT])
{
	bool reason = g->reason && *g->reason;
	char status[40] = "";

	if (g->status)
		snprintf(status, sizeof(status), "%sstatus %" PRIu64,
			 reason ? ", " : "", g->status);
	snprintf(buf, ENDING_TEXT, "ended%s%.80s%s%s%s",
		 reason || g->status ? " (" : "", reason ? g->reason : "",
		 status, reason || g->status ? ")" : "",
		 g->without ? " without MPI_Finalize" : "");
	return buf;
}

static const char *ending_in_words(const struct wm_death_group *g,
				   char buf[ENDING_TEXT])
{
	static const char *const words[WM_ENDINGS] = {
		[WM_ENDING_ABORTED] = "called MPI_Abort",
		[WM_ENDING_GONE] = "killed, or crashed",
		[WM_ENDING_RUNNING] = "still running",
		[WM_ENDING_UNKNOWN] = "killed, crashed or running",
		[WM_ENDING_UNWRITTEN] = "could not write its trace",
		[WM_ENDING_DAMAGED] = "not known: damaged trace",
	};

	if (g->ending == WM_ENDING_ENDED)
		return ended_in_words(g, buf);
	return g->ending == WM_ENDING_ABORTED && !strcmp(g->reason, "abort") ?
		       "called abort()" :
		       words[g->ending];
}

static const char *times_of(const struct wm_death_group *g, char buf[64])
{
	if (g->last - g->first < 0.0005)
		snprintf(buf, 64, "%.3f s", g->first);
	else
		snprintf(buf, 64, "%.3f to %.3f s", g->first, g->last);
	return buf;
}

static const char *host_of(const struct wm_rank *r)
{
	return r->host ? r->host : "?";
}

/* Adds the sentence about the only rank that was silent first. */
static void say_one(const struct wm_analysis *a, const struct wm_deaths *x,
		    struct wm_texts *s)
{
	const struct wm_rank *r = &a->ranks[x->first[0]];
	struct wm_figure b, c;

	wm_texts_add(s,
		     "%sank %" PRIu64 " on %s (pid %" PRIu64
		     "): the last event is %.6f s after the start%s.",
		     a->rank_count == 1 ? "R" :
		     x->known		? "No other rank died: r" :
					  "Silent first: r",
		     r->rank, host_of(r), r->pid, x->first_seconds,
		     a->rank_count > 1 ? " of the job" : "");
	if (x->refused)
		wm_texts_add(s, "It was refused %s %s%s.",
			     wm_bytes(&b, x->refused),
			     x->refused_before > 0 ?
				     wm_duration(&c, x->refused_before) :
				     "",
			     x->refused_before > 0 ? " before that" : "then");
	if (!x->known)
		wm_texts_add(s,
			     "It may not be the rank that failed: a rank that "
			     "waits is silent, too.");
}

#define GAVE_UP_SHOWN 4
#define STRAY_TEXT (WM_PATH_TEXT + 240)

/* Writes the argument of the last call of @r, which released no block. */
static enum wm_status stray_in_words(const struct wm_analysis *a,
				     const struct wm_rank *r,
				     char buf[STRAY_TEXT], struct wm_err *err)
{
	const struct wm_strayed *b = &r->strayed;
	struct wm_path_frames frames = { .count = 0 };
	char path[WM_PATH_TEXT], inside[64] = "", freed[96] = "";
	struct wm_figure size, was;
	enum wm_status s;

	snprintf(buf, STRAY_TEXT,
		 "an address that is in no recorded block of the heap");
	if (b->what == WM_STRAYED_ELSEWHERE)
		return WM_OK;
	s = wm_path_frames_fill(&frames, a, b->path, err);
	if (s)
		return s;
	wm_path_in_words(&frames, path);
	wm_path_frames_release(&frames);
	if (b->offset)
		snprintf(inside, sizeof(inside), "an address %s inside ",
			 wm_bytes(&was, b->offset));
	if (b->what == WM_STRAYED_FREED)
		snprintf(freed, sizeof(freed),
			 "had been freed %s before%s and ",
			 wm_duration(&was,
				     fmax(r->stray_seconds - b->freed, 0)),
			 b->by_other ? " by another thread" : "");
	snprintf(buf, STRAY_TEXT, "%sa block of %s that %swas allocated in %s",
		 inside, wm_bytes(&size, b->bytes), freed, path);
	return WM_OK;
}

/* Adds the reason for which rank number @i ended, if it is known. */
static enum wm_status say_cause(const struct wm_analysis *a,
				const struct wm_deaths *x, size_t i,
				enum wm_ending ending, struct wm_texts *s,
				struct wm_err *err)
{
	const struct wm_rank *r = &a->ranks[i];
	const struct wm_symbol *f = x->assertion[i];
	char place[NAME_COLUMNS + 16] = "", name[NAME_COLUMNS + 1];
	const char *call = r->tally.stray.kind == WMT_EV_REALLOC_OUT ?
				   "realloc()" :
			   r->tally.stray.kind == WMT_EV_DELETE ?
				   "operator delete" :
				   "free()";
	char given[STRAY_TEXT];
	enum wm_status status;

	if (f && f->file && f->line)
		snprintf(place, sizeof(place), " (%s:%u)",
			 wm_shorten(wm_basename(f->file), NAME_COLUMNS, name),
			 f->line);
	if (f) {
		wm_texts_add(s,
			     "Rank %" PRIu64 ": an assertion failed in %s%s.",
			     r->rank, wm_shorten(f->name, NAME_COLUMNS, name),
			     place);
		return WM_OK;
	}
	if (!wm_death_is_stray(r, ending)) {
		if (ending == WM_ENDING_ABORTED && r->aborts_inside)
			wm_texts_add(
				s,
				"Rank %" PRIu64 " aborted in a call of the "
				"allocator: glibc aborts when it finds its "
				"heap damaged by a write beyond a block or "
				"into a freed block; or a signal handler that "
				"interrupted the call aborted.",
				r->rank);
		return WM_OK;
	}
	status = stray_in_words(a, r, given, err);
	if (status)
		return status;
	if (r->aborts_inside)
		wm_texts_add(s,
			     "Rank %" PRIu64
			     " aborted in %s, which was given %s.",
			     r->rank, call, given);
	else
		wm_texts_add(s,
			     "The likely cause: the last call of rank %" PRIu64
			     " is %s, which was given %s.",
			     r->rank, call, given);
	return WM_OK;
}

static void say_gave_up(const struct wm_analysis *a, const struct wm_gave_up *g,
			struct wm_texts *s)
{
	const struct wm_death_group as = { .ending = g->ending,
					   .reason = g->reason,
					   .status = g->status,
					   .without = g->without };
	const struct wm_rank *r = &a->ranks[g->rank];
	bool killed = g->ending != WM_ENDING_ENDED &&
		      g->ending != WM_ENDING_ABORTED;
	char words[ENDING_TEXT], refused[120] = "";
	struct wm_figure b, c;

	if (g->refused)
		snprintf(refused, sizeof(refused), "was refused %s and %s%s",
			 wm_bytes(&b, g->refused),
			 g->before > 0 ? wm_duration(&c, g->before) : "",
			 g->before > 0 ? " later " : "");
	if (g->handler) {
		wm_texts_add(
			s,
			"Gave up by itself: rank %" PRIu64
			" on %s (pid %" PRIu64
			") crashed: its last event, %.6f s after the start of the "
			"job, is in %s, which handles fatal signals.",
			r->rank, host_of(r), r->pid, g->seconds, g->handler);
		return;
	}
	wm_texts_add(s,
		     "Gave up by itself: rank %" PRIu64 " on %s (pid %" PRIu64
		     ") %s%s, %.6f s after the start of the job.",
		     r->rank, host_of(r), r->pid, refused,
		     killed && (g->refused || g->caused) ?
			     "died" :
			     ending_in_words(&as, words),
		     g->seconds);
}

/* Adds the sentence about the other ranks. */
static void say_others(const struct wm_analysis *a, const struct wm_deaths *x,
		       struct wm_texts *s)
{
	const char *them = x->gave_ups == 1 ? "it" : "them";
	const char *other = x->others == 1 ? "other" : "others";
	const struct wm_rank *r = &a->ranks[x->silent_first];
	char who[80];

	if (!x->others)
		return;
	if (x->unsure) {
		wm_texts_add(
			s,
			"%zu %s died, perhaps earlier: MPI ends the ranks of "
			"a job that loses one; which rank died first is not "
			"known.",
			x->others, other);
		return;
	}
	wm_texts_add(
		s, "%zu %s died, too: a launcher ends a job that loses a rank.",
		x->others, other);
	snprintf(who, sizeof(who), "Rank %" PRIu64, r->rank);
	if (x->silent)
		wm_texts_add(s,
			     "%s%s silent before %s, from %.6f s on: a rank is "
			     "silent when it waits and when it has died.",
			     who, x->silent == 1 ? " was" : " and others were",
			     them, x->silent_seconds);
}

/* Returns an origin that has the launcher of the job, as not each trace has
 * it. */
static const struct wm_origin *launched(const struct wm_analysis *a)
{
	for (size_t i = 0; i < a->rank_count; i++) {
		const struct wm_origin *o = wm_analysis_origin(a, i);

		if (o->launcher && strcmp(o->launcher, "none") != 0)
			return o;
	}
	return wm_analysis_origin(a, 0);
}

/* Adds where to find signals, which a trace does not have. */
static void say_where(const struct wm_analysis *a, struct wm_texts *s)
{
	const struct wm_origin *o = launched(a);
	const char *launcher = o->launcher ? o->launcher : "none";

	if (!strcmp(launcher, "Slurm"))
		wm_texts_add(
			s,
			"The traces do not record signals; sacct -j %s -o "
			"JobID,State,ExitCode,MaxRSS shows them (0:9 is "
			"SIGKILL, 0:11 SIGSEGV, OUT_OF_MEMORY the kernel's "
			"killer).",
			o->batch_job ? o->batch_job : "JOB");
	else if (!strcmp(launcher, "none"))
		wm_texts_add(s,
			     "The traces do not record signals; the shell's $? "
			     "shows them (137 is SIGKILL, 139 SIGSEGV, 135 "
			     "SIGBUS, 134 SIGABRT).");
	else
		wm_texts_add(
			s, "The traces do not record signals; the launcher's "
			   "last lines show them (9 is SIGKILL, 11 SIGSEGV, 7 "
			   "SIGBUS, 6 SIGABRT).");
}

static bool is_known(const struct wm_deaths *x)
{
	size_t i;

	for (i = 0; i < x->count; i++)
		if (x->group[i].ending == WM_ENDING_GONE)
			return x->gave_ups && !x->unsure;
	return true;
}

/* Adds the reasons.  A single rank did not give up, as there are no others. */
static enum wm_status say_causes(const struct wm_analysis *a,
				 const struct wm_deaths *x, struct wm_texts *s,
				 struct wm_err *err)
{
	enum wm_status status = WM_OK;
	size_t i;

	if (a->rank_count == 1)
		return say_cause(a, x, 0, x->group[0].ending, s, err);
	for (i = 0; i < x->gave_ups && i < GAVE_UP_SHOWN && !status; i++)
		if (!x->gave_up[i].refused)
			status = say_cause(a, x, x->gave_up[i].rank,
					   x->gave_up[i].ending, s, err);
	return status;
}

static enum wm_status say_all(const struct wm_analysis *a,
			      const struct wm_deaths *x, struct wm_texts *s,
			      struct wm_err *err)
{
	enum wm_status status;
	char ranks[RANKS_TEXT], of[32];
	struct wm_figure b;
	size_t i;

	snprintf(of, sizeof(of), " of %zu", a->rank_count);
	for (i = 0; i < x->gave_ups && i < GAVE_UP_SHOWN; i++)
		say_gave_up(a, &x->gave_up[i], s);
	if (x->gave_ups > GAVE_UP_SHOWN)
		wm_texts_add(s, "And so did %s.",
			     wm_several(&b, x->gave_ups - GAVE_UP_SHOWN,
					"more rank"));
	if (x->gave_ups) {
		say_others(a, x, s);
	} else if (x->firsts == 1) {
		say_one(a, x, s);
	} else if (x->firsts && x->firsts == x->dead) {
		wm_texts_add(
			s,
			"%s%zu%s ranks died, and fell silent within %s: which was "
			"first is not known.",
			x->dead == a->rank_count ? "All " : "", x->dead,
			x->dead == a->rank_count ? "" : of,
			wm_duration(&b, x->last_seconds - x->first_seconds));
	} else if (x->firsts) {
		put_ranks(a, x->first, x->firsts, ranks);
		wm_texts_add(
			s,
			"%zu of %zu ranks died; which failed first is not known: "
			"ranks %s fell silent first, within %s, but a rank that "
			"waits for another one is silent, too.",
			x->dead, a->rank_count, ranks,
			wm_duration(&b, x->last_seconds - x->first_seconds));
	}
	status = say_causes(a, x, s, err);
	if (!is_known(x))
		say_where(a, s);
	if (x->ended_before)
		wm_texts_add(s,
			     "Rank %" PRIu64
			     " had ended before that, without being killed.",
			     a->ranks[x->ended].rank);
	if (a->run.clock == WM_JOB_CLOCK_WALL)
		wm_texts_add(s,
			     "The order is that of the wall clocks of several "
			     "machines, which may differ.");
	return status;
}

static const struct wm_table_column group_columns[] = {
	{ "ending", NULL, WM_UNIT_TEXT },
	{ "reason", NULL, WM_UNIT_TEXT },
	{ "exit_status", NULL, WM_UNIT_NUMBER },
	{ "without_finalize", NULL, WM_UNIT_FLAG },
	{ "first_s", NULL, WM_UNIT_SECONDS },
	{ "last_s", NULL, WM_UNIT_SECONDS },
	{ "path", NULL, WM_UNIT_TEXT },
	{ "ranks", NULL, WM_UNIT_NUMBER },
	{ "pids", NULL, WM_UNIT_NUMBER },
	{ ".ranks", "ranks", WM_UNIT_WORDS },
	{ ".times", "last event at", WM_UNIT_WORDS },
	{ "in_words", "ending", WM_UNIT_WORDS },
	{ ".path", "last allocation", WM_UNIT_TEXT },
};

/* Adds a group.  @number has room for two of each rank; the table borrows
 * it. */
static void add_group(struct wm_table *t, const struct wm_analysis *a,
		      const struct wm_death_group *g, uint64_t *number)
{
	char ranks[RANKS_TEXT], times[64], words[ENDING_TEXT];
	uint64_t *pid = number + g->count;

	for (size_t i = 0; i < g->count; i++) {
		number[i] = a->ranks[g->rank[i]].rank;
		pid[i] = a->ranks[g->rank[i]].pid;
	}
	put_ranks(a, g->rank, g->count, ranks);
	WM_TABLE_ADD(t, wm_ending_name[g->ending],
		     g->reason && *g->reason ? g->reason : NULL);
	WM_TABLE_ADD(t, g->status, g->without);
	WM_TABLE_ADD(t, g->first, g->last);
	wm_table_text(t, g->path);
	wm_table_numbers(t, number, g->count);
	wm_table_numbers(t, pid, g->count);
	WM_TABLE_ADD(t, ranks, times_of(g, times), ending_in_words(g, words));
	put_path(t, g->path);
}

static void tell_groups(const struct wm_analysis *a, const struct wm_deaths *x,
			size_t top, unsigned audience, struct wm_doc *d)
{
	uint64_t *number = calloc(2 * a->rank_count + 1, sizeof(*number));
	struct wm_table t;
	size_t used = 0;

	WM_TABLE_INIT(&t, group_columns);
	t.noun = "group";
	t.spare = ".times";
	t.short_of_memory = !number;
	for (size_t i = 0; number && i < x->count; i++) {
		add_group(&t, a, &x->group[i], number + used);
		used += 2 * x->group[i].count;
	}
	wm_doc_table(d, &t, "groups", top, audience);
	free(number);
}

/* Adds stray releases.  All ranks of a group have the same ending. */
static void put_strays(const struct wm_analysis *a, const struct wm_deaths *x,
		       struct wm_json *j)
{
	static const char *const call[WMT_EV_LIMIT] = {
		[WMT_EV_FREE] = "free",
		[WMT_EV_DELETE] = "delete",
		[WMT_EV_REALLOC_OUT] = "realloc",
	};
	static const char *const block[] = {
		[WM_STRAYED_ELSEWHERE] = "none",
		[WM_STRAYED_FREED] = "freed",
		[WM_STRAYED_LIVE] = "live",
	};

	wm_json_array(j, "strays");
	for (size_t g = 0; g < x->count; g++)
		for (size_t i = 0; i < x->group[g].count; i++) {
			const struct wm_rank *r =
				&a->ranks[x->group[g].rank[i]];
			const struct wm_strayed *b = &r->strayed;

			if (!wm_death_is_stray(r, x->group[g].ending))
				continue;
			wm_json_flat_object(j, NULL);
			WM_JSON_ADD(j, "call block", call[r->tally.stray.kind],
				    block[b->what]);
			WM_JSON_ADD(j, "rank bytes offset", r->rank, b->bytes,
				    b->offset);
			wm_json_real(j, "time_s", r->stray_seconds, 9);
			wm_json_end_object(j);
		}
	wm_json_end_array(j);
}

static void tell_data(const struct wm_analysis *a, const struct wm_deaths *x,
		      const struct wm_texts *said, struct wm_doc *d)
{
	struct wm_json *j = &d->data;

	if (!x->count) {
		wm_json_text(j, "deaths", NULL);
		return;
	}
	wm_json_object(j, "deaths");
	WM_JSON_LIST(j, "sentences", i, said->count, said->text[i]);
	wm_json_known(j, "first_rank", x->known,
		      x->firsts ? a->ranks[x->first[0]].rank : 0);
	WM_JSON_LIST(j, "first_ranks", i, x->firsts,
		     a->ranks[x->first[i]].rank);
	wm_json_array(j, "gave_up");
	for (size_t i = 0; i < x->gave_ups; i++) {
		const struct wm_gave_up *g = &x->gave_up[i];

		wm_json_flat_object(j, NULL);
		WM_JSON_ADD(j, "ending reason", wm_ending_name[g->ending],
			    g->reason);
		WM_JSON_ADD(j, "rank refused_bytes", a->ranks[g->rank].rank,
			    g->refused);
		wm_json_real(j, "time_s", g->seconds, 9);
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
	put_strays(a, x, j);
	wm_json_real(j, "doubt_s", x->doubt, 3);
	wm_json_text(j, "clock", x->wall ? "wall" : "boot");
	tell_groups(a, x, 0, WM_FOR_DATA, d);
	wm_json_end_object(j);
}

static enum wm_status make_deaths(struct wm_deaths *x, struct wm_texts *s,
				  const struct wm_analysis *a,
				  struct wm_err *err)
{
	enum wm_status r = wm_deaths_find(x, a, err);

	memset(s, 0, sizeof(*s));
	if (r)
		return r;
	r = x->count ? say_all(a, x, s, err) : WM_OK;
	if (s->lost)
		r = wm_no_memory(err, NULL);
	if (r) {
		wm_texts_release(s);
		wm_deaths_release(x);
	}
	return r;
}

enum wm_status wm_tell_deaths(const struct wm_analysis *a, size_t top,
			      unsigned audience, struct wm_doc *d,
			      struct wm_err *err)
{
	struct wm_texts said;
	struct wm_deaths x;
	enum wm_status s;

	if (!wm_doc_wants(d, audience))
		return WM_OK;
	s = make_deaths(&x, &said, a, err);
	if (s)
		return s;
	if (audience & WM_FOR_DATA)
		tell_data(a, &x, &said, d);
	if (audience & WM_FOR_TEXT && x.count) {
		wm_doc_heading(d, "How ranks ended, in order of their last "
				  "events");
		for (size_t i = 0; i < said.count; i++)
			wm_doc_print(d, "  %s\n", said.text[i]);
		tell_groups(a, &x, top, WM_FOR_TEXT, d);
	}
	wm_texts_release(&said);
	wm_deaths_release(&x);
	return WM_OK;
}
