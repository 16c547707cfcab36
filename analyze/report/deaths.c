/* SPDX-License-Identifier: Apache-2.0 */
/* How ranks ended, in order of their last events: a line for each group of
 * ranks that ended alike. */
#include "analyze/report/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/base/shorten.h"
#include "analyze/queries/deaths.h"
#include "analyze/render/table.h"

#define RANKS_TEXT 48
#define FRAMES_SHOWN 4
#define NAME_COLUMNS 40

/* "0-2, 4, 7-9", and how many there are when that is too long. */
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
	char name[NAME_COLUMNS + 1],
		text[FRAMES_SHOWN * (NAME_COLUMNS + 3) + 8];
	char *copy = path ? strdup(path) : NULL;
	size_t n = 0, frames = 0;

	text[0] = 0;
	t->short_of_memory |= path && !copy;
	while (copy && *copy && frames < FRAMES_SHOWN) {
		char *semicolon = strrchr(copy, ';');

		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s",
				      frames++ ? " < " : "",
				      wm_shorten(semicolon ? semicolon + 1 :
							     copy,
						 NAME_COLUMNS, name));
		*(semicolon ? semicolon : copy) = 0;
	}
	if (copy && *copy)
		snprintf(text + n, sizeof(text) - n, " < ...");
	wm_table_text(t, text[0] ? text : NULL);
	free(copy);
}

static const char *ending_in_words(const struct wm_death_group *g,
				   char buf[100])
{
	static const char *const words[WM_ENDINGS] = {
		[WM_ENDING_ENDED] = "ended",
		[WM_ENDING_ABORTED] = "called MPI_Abort",
		[WM_ENDING_GONE] = "killed, or crashed",
		[WM_ENDING_RUNNING] = "still running",
		[WM_ENDING_UNKNOWN] = "killed, crashed or running",
		[WM_ENDING_UNWRITTEN] = "could not write its trace",
		[WM_ENDING_DAMAGED] = "not known: damaged trace",
	};

	if (g->ending == WM_ENDING_ABORTED && !strcmp(g->reason, "abort"))
		return "called abort()";
	if (g->ending != WM_ENDING_ENDED || !g->reason || !*g->reason)
		return words[g->ending];
	snprintf(buf, 100, "ended (%.80s)", g->reason);
	return buf;
}

static const char *times_of(const struct wm_death_group *g, char buf[64])
{
	if (g->last - g->first < 0.0005)
		snprintf(buf, 64, "%.3f s", g->first);
	else
		snprintf(buf, 64, "%.3f to %.3f s", g->first, g->last);
	return buf;
}

/* What the only rank that was silent first did, or what was done to it. */
static void tell_one(const struct wm_analysis *a, const struct wm_deaths *x,
		     struct wm_doc *d)
{
	const struct wm_rank *r = &a->ranks[x->first[0]];

	wm_doc_print(d,
		     "  %sank %" PRIu64 " on %s (pid %" PRIu64
		     "): the last event is %.6f s after the start%s.\n",
		     a->rank_count == 1 ? "R" : "Silent first: r", r->rank,
		     r->host ? r->host : "?", r->pid, x->first_seconds,
		     a->rank_count > 1 ? " of the job" : "");
	if (a->rank_count > 1)
		wm_doc_print(d, "  It need not be the one that failed: a rank "
				"that waits is silent, too.\n");
}

#define GAVE_UP_SHOWN 4

static void tell_gave_up(const struct wm_analysis *a,
			 const struct wm_gave_up *g, struct wm_doc *d)
{
	const struct wm_death_group as = { .ending = g->ending,
					   .reason = g->reason };
	const struct wm_rank *r = &a->ranks[g->rank];
	char words[100], refused[80] = "";
	struct wm_buf b;

	if (g->refused)
		snprintf(refused, sizeof(refused), "was refused %s and ",
			 wm_bytes(&b, g->refused));
	wm_doc_print(d,
		     "  Gave up by itself: rank %" PRIu64 " on %s (pid %" PRIu64
		     ") %s%s, %.6f s after the start of the job.\n",
		     r->rank, r->host ? r->host : "?", r->pid, refused,
		     g->refused && g->ending != WM_ENDING_ENDED &&
				     g->ending != WM_ENDING_ABORTED ?
			     "died" :
			     ending_in_words(&as, words),
		     g->seconds);
}

/* Ranks that gave up, and what that was to the others; true: that is all. */
static bool tell_gave_ups(const struct wm_analysis *a,
			  const struct wm_deaths *x, struct wm_doc *d)
{
	const struct wm_gave_up *g = x->gave_up;
	size_t i, others = x->dead;

	for (i = 0; i < x->gave_ups; i++) {
		others -= g[i].ending != WM_ENDING_ENDED;
		if (i < GAVE_UP_SHOWN)
			tell_gave_up(a, &g[i], d);
	}
	if (i > GAVE_UP_SHOWN)
		wm_doc_print(d, "  And so did %zu more ranks.\n",
			     i - GAVE_UP_SHOWN);
	if (!i || x->late)
		return false;
	if (others)
		wm_doc_print(d,
			     "  %zu other%s died with %s: a launcher ends the "
			     "job.\n",
			     others, others == 1 ? "" : "s",
			     i == 1 ? "it" : "them");
	if (g->ending == WM_ENDING_ENDED && !g->refused)
		wm_doc_print(d, "  A rank that exits after MPI_Finalize is no "
				"cause of that.\n");
	return true;
}

static void tell_first(const struct wm_analysis *a, const struct wm_deaths *x,
		       struct wm_doc *d)
{
	char ranks[RANKS_TEXT];
	struct wm_buf b;

	wm_doc_heading(d, "How ranks ended, in order of their last events");
	if (tell_gave_ups(a, x, d))
		;
	else if (x->firsts == 1)
		tell_one(a, x, d);
	else if (x->firsts) {
		put_ranks(a, x->first, x->firsts, ranks);
		wm_doc_print(d,
			     "  %zu of %zu ranks died; ranks %s fell silent "
			     "within %s: which was first cannot be told.\n",
			     x->dead, a->rank_count, ranks,
			     wm_duration(&b,
					 x->last_seconds - x->first_seconds));
	}
	if (x->ended_before)
		wm_doc_print(d,
			     "  Rank %" PRIu64
			     " had ended before that, without being killed.\n",
			     a->ranks[x->ended].rank);
	if (x->wall)
		wm_doc_print(d, "  The order is that of the wall clocks of "
				"several machines, which may differ.\n");
}

static void tell_people(const struct wm_analysis *a, const struct wm_deaths *x,
			size_t top, struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ ".ranks", "ranks", WM_UNIT_WORDS },
		{ ".times", "last event at", WM_UNIT_WORDS },
		{ ".ending", "what became of them", WM_UNIT_WORDS },
		{ ".path", "last allocation", WM_UNIT_TEXT },
		{ NULL, NULL, 0 },
	};
	char ranks[RANKS_TEXT], times[64], words[100];
	struct wm_table t;
	size_t i;

	tell_first(a, x, d);
	wm_table_init(&t, columns);
	t.noun = "group";
	t.spare = ".times";
	for (i = 0; i < x->count; i++) {
		const struct wm_death_group *g = &x->group[i];

		put_ranks(a, g->rank, g->count, ranks);
		wm_table_text(&t, ranks);
		wm_table_text(&t, times_of(g, times));
		wm_table_text(&t, ending_in_words(g, words));
		put_path(&t, g->path);
	}
	wm_doc_table(d, &t, NULL, top, WM_FOR_TEXT);
}

static void put_group(const struct wm_analysis *a,
		      const struct wm_death_group *g, struct wm_json *j)
{
	size_t i;

	wm_json_object(j, NULL);
	wm_json_text(j, "ending", wm_ending_name[g->ending]);
	wm_json_text(j, "reason", g->reason && *g->reason ? g->reason : NULL);
	wm_json_real(j, "first_s", g->first, 9);
	wm_json_real(j, "last_s", g->last, 9);
	wm_json_text(j, "path", g->path);
	wm_json_flat_array(j, "ranks");
	for (i = 0; i < g->count; i++)
		wm_json_uint(j, NULL, a->ranks[g->rank[i]].rank);
	wm_json_end_array(j);
	wm_json_flat_array(j, "pids");
	for (i = 0; i < g->count; i++)
		wm_json_uint(j, NULL, a->ranks[g->rank[i]].pid);
	wm_json_end_array(j);
	wm_json_end_object(j);
}

static void tell_data(const struct wm_analysis *a, const struct wm_deaths *x,
		      struct wm_json *j)
{
	size_t i;

	if (!x->count) {
		wm_json_text(j, "deaths", NULL);
		return;
	}
	wm_json_object(j, "deaths");
	wm_json_known(j, "first_rank", x->firsts == 1,
		      x->firsts ? a->ranks[x->first[0]].rank : 0);
	wm_json_flat_array(j, "first_ranks");
	for (i = 0; i < x->firsts; i++)
		wm_json_uint(j, NULL, a->ranks[x->first[i]].rank);
	wm_json_end_array(j);
	wm_json_array(j, "gave_up");
	for (i = 0; i < x->gave_ups; i++) {
		wm_json_flat_object(j, NULL);
		wm_json_uint(j, "rank", a->ranks[x->gave_up[i].rank].rank);
		wm_json_text(j, "ending", wm_ending_name[x->gave_up[i].ending]);
		wm_json_text(j, "reason", x->gave_up[i].reason);
		wm_json_real(j, "time_s", x->gave_up[i].seconds, 9);
		wm_json_uint(j, "refused_bytes", x->gave_up[i].refused);
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
	wm_json_real(j, "doubt_s", x->doubt, 3);
	wm_json_text(j, "clock", x->wall ? "wall" : "boot");
	wm_json_array(j, "groups");
	for (i = 0; i < x->count; i++)
		put_group(a, &x->group[i], j);
	wm_json_end_array(j);
	wm_json_end_object(j);
}

enum wm_status wm_tell_deaths(const struct wm_analysis *a, size_t top,
			      unsigned audience, struct wm_doc *d,
			      struct wm_err *err)
{
	struct wm_deaths x;
	enum wm_status s;

	if (!wm_doc_wants(d, audience))
		return WM_OK;
	s = wm_deaths_find(&x, a, err);
	if (s)
		return s;
	if (audience & WM_FOR_DATA)
		tell_data(a, &x, &d->data);
	if (audience & WM_FOR_TEXT && x.count)
		tell_people(a, &x, top, d);
	wm_deaths_release(&x);
	return WM_OK;
}
