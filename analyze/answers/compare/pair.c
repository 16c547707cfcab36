/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/compare/pair.h"

#include <stdlib.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "analyze/lib/base/plain.h"
#include "analyze/lib/base/whole.h"
#include "analyze/answers/heap/forwarders.h"

/* Returns the place in @run where ":N", ":max" and the like begin.  Returns
 * NULL if @run has no such end, or would be empty without it.  No file is
 * called @run as a whole. */
static char *find_rank(char *run)
{
	struct wm_request none;
	char *colon = strrchr(run, ':');

	return colon && colon != run && !wm_request_rank(&none, colon + 1) ?
		       colon :
		       NULL;
}

/* Returns whether @run exists, perhaps without ":N" at its end.  @run is
 * unchanged. */
static bool is_run(char *run)
{
	char *colon;
	bool there = access(run, F_OK) == 0;

	if (there || !(colon = find_rank(run)))
		return there;
	*colon = 0;
	there = access(run, F_OK) == 0;
	*colon = ':';
	return there;
}

/* Returns the "@" before a moment: the last "@" that follows a run that exists,
 * or, if there is no such run, the last "@" of all.  Returns NULL if there is
 * no "@". */
static char *find_moment(char *arg)
{
	char *last = strrchr(arg, '@'), *at = last, *before;
	bool there;

	for (; at; at = before) {
		*at = 0;
		there = is_run(arg);
		before = strrchr(arg, '@');
		*at = '@';
		if (there)
			return at;
	}
	return last;
}

static enum wm_status bad_argument(const char *arg, struct wm_err *err)
{
	return wm_err_set(err, WM_USAGE,
			  "'%.200s' is no file, and not RUN, RUN:RANK, "
			  "RUN@MOMENT or RUN:RANK@MOMENT; RANK: a number, max, "
			  "min or all; MOMENT: " WM_MOMENT_WAYS,
			  arg);
}

/* Takes "RUN:N@MOMENT" apart: @arg becomes "RUN", and the choices go into @q.
 * If a file has the whole text as its name, @arg stays as it is. */
static enum wm_status take_argument(char *arg, struct wm_request *q,
				    struct wm_err *err)
{
	char *at, *colon, *whole;
	enum wm_status s = WM_OK;

	if (access(arg, F_OK) == 0)
		return WM_OK;
	whole = strdup(arg);
	if (!whole)
		return wm_no_memory(err, NULL);
	at = find_moment(arg);
	if (at)
		*at = 0;
	if (at && (at == arg || wm_request_moment(q, at + 1)))
		s = bad_argument(whole, err);
	colon = strrchr(arg, ':');
	if (!s && colon && access(arg, F_OK) != 0) {
		if (find_rank(arg)) {
			*colon = 0;
			wm_request_rank(q, colon + 1);
		} else {
			*colon = 0;
			if (colon == arg || access(arg, F_OK) == 0)
				s = bad_argument(whole, err);
			*colon = ':';
		}
	}
	free(whole);
	return s;
}

/* Returns the live bytes at the moment of the lists. */
static uint64_t bytes_then(const struct wm_analysis *a)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < a->paths.path_count; i++)
		bytes += a->use[i].peak_bytes;
	return bytes;
}

static void add_numbers(struct wm_half *h)
{
	const struct wm_analysis *a = &h->a;
	size_t i, one = a->chosen;

	for (i = 0; i < a->rank_count; i++) {
		const struct wm_rank *r = &a->ranks[i];

		if (one != WM_ALL_RANKS && i != one)
			continue;
		h->peak_bytes += r->in[WM_HOST].peak_bytes;
		if (wm_rank_is_cut(r)) {
			h->held_bytes += r->in[WM_HOST].end_bytes;
			h->held_blocks += r->in[WM_HOST].end_blocks;
		} else {
			h->unfreed_bytes += r->in[WM_HOST].end_bytes;
			h->unfreed_blocks += r->in[WM_HOST].end_blocks;
		}
		h->events += wm_calls_total(r->tally.kind);
		h->peak_seconds = r->in[WM_HOST].peak_seconds;
		wm_raise(&h->resident, r->peak_rss);
		wm_raise(&h->footprint, r->footprint_peak);
	}
	h->bytes_then = a->at_time ? bytes_then(a) : h->peak_bytes;
	h->seconds_then = one == WM_ALL_RANKS ? 0 :
			  a->at_time	      ? a->ranks[one].moment_seconds :
						h->peak_seconds;
	h->census = wm_analysis_census(a, one == WM_ALL_RANKS ? a->max : one);
}

static enum wm_status read_half(struct wm_half *h, const char *arg,
				const struct wm_request *q, struct wm_err *err)
{
	struct wm_request one = *q;
	enum wm_status s;

	h->run = strdup(arg);
	h->shown = h->run ? wm_plain(arg, strlen(arg)) : NULL;
	if (!h->shown)
		return wm_no_memory(err, NULL);
	s = take_argument(h->run, &one, err);
	if (s)
		return s;
	free(h->shown);
	h->shown = wm_plain(h->run, strlen(h->run));
	if (!h->shown)
		return wm_no_memory(err, NULL);
	one.runs = &h->run;
	one.run_count = 1;
	one.several = true;
	s = wm_analysis_read(&h->a, &one, err);
	if (!s)
		add_numbers(h);
	return s;
}

/* Adds the name of the run to the message, unless it has the name. */
static enum wm_status name_half(const struct wm_half *h, enum wm_status s,
				struct wm_err *err)
{
	struct wm_err why = *err;

	if (strstr(why.text, h->shown))
		return s;
	return wm_err_set(err, s, "'%.100s': %.400s", h->shown, why.text);
}

enum wm_status wm_pair_read(struct wm_half *pair, const struct wm_request *q,
			    bool fold, struct wm_err *err)
{
	struct wm_request one = *q;
	enum wm_status s = WM_OK;

	memset(pair, 0, 2 * sizeof(*pair));
	one.namesakes = &pair->namesakes;
	for (size_t i = 0; i < 2 && !s; i++) {
		s = read_half(&pair[i], q->runs[i], &one, err);
		if (s && pair[i].shown)
			s = name_half(&pair[i], s, err);
		if (!s)
			s = wm_namesakes_add(&pair->namesakes,
					     pair[i].a.symbols,
					     &pair[i].a.paths, err);
	}
	if (!s && fold)
		s = wm_forwarders_agree(&pair[0].a, &pair[1].a, err);
	for (size_t i = 0; i < 2 && !s; i++)
		s = wm_profile_make(&pair[i].profile, &pair[i].a, pair[i].a.use,
				    NULL,
				    fold ? WM_PROFILE_BY_CALLER :
					   WM_PROFILE_BY_NAME,
				    err);
	return s;
}

void wm_pair_release(struct wm_half *pair)
{
	for (size_t i = 0; i < 2; i++) {
		wm_profile_release(&pair[i].profile);
		wm_analysis_release(&pair[i].a);
		free(pair[i].run);
		free(pair[i].shown);
	}
	wm_namesakes_release(&pair->namesakes);
}
