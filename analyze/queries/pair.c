/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/queries/pair.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyze/base/plain.h"

/* "RUN:N" -> a copy of "RUN", and the choice of rank in @q.  NULL: no memory. */
static char *take_argument(const char *arg, struct wm_request *q)
{
	const char *colon = strrchr(arg, ':');

	if (!colon || colon == arg || access(arg, F_OK) == 0 ||
	    wm_request_rank(q, colon + 1))
		return strdup(arg);
	return strndup(arg, (size_t)(colon - arg));
}

static void add_numbers(struct wm_half *h)
{
	const struct wm_analysis *a = &h->a;
	size_t i, one = a->chosen;

	for (i = 0; i < a->rank_count; i++) {
		const struct wm_rank *r = &a->ranks[i];

		if (one != WM_ALL_RANKS && i != one)
			continue;
		h->peak_bytes += r->peak_bytes;
		if (wm_rank_is_cut(r)) {
			h->held_bytes += r->end_bytes;
			h->held_blocks += r->end_blocks;
		} else {
			h->unfreed_bytes += r->end_bytes;
			h->unfreed_blocks += r->end_blocks;
		}
		h->events += wm_calls_total(r->tally.kind);
		h->peak_seconds = r->peak_seconds;
		if (r->peak_rss > h->resident)
			h->resident = r->peak_rss;
		if (r->footprint_peak > h->footprint)
			h->footprint = r->footprint_peak;
	}
	h->census = wm_analysis_census(a, one == WM_ALL_RANKS ? a->max : one);
}

static enum wm_status read_half(struct wm_half *h, const char *arg,
				const struct wm_request *q, struct wm_err *err)
{
	struct wm_request one = *q;
	enum wm_status s;

	h->run = take_argument(arg, &one);
	h->shown = h->run ? wm_plain(h->run, strlen(h->run)) : NULL;
	if (!h->shown)
		return wm_no_memory(err, NULL);
	one.runs = &h->run;
	one.run_count = 1;
	s = wm_analysis_read(&h->a, &one, err);
	if (!s)
		s = wm_profile_make(&h->profile, &h->a, h->a.use, err);
	if (!s)
		add_numbers(h);
	return s;
}

/* The message says in which of the two runs it was. */
static enum wm_status name_half(const struct wm_half *h, enum wm_status s,
				struct wm_err *err)
{
	struct wm_err why = *err;

	if (strstr(why.text, h->shown))
		return s;
	return wm_err_set(err, s, "'%.100s': %.400s", h->shown, why.text);
}

enum wm_status wm_pair_read(struct wm_half *pair, const struct wm_request *q,
			    struct wm_err *err)
{
	enum wm_status s = WM_OK;
	size_t i;

	memset(pair, 0, 2 * sizeof(*pair));
	for (i = 0; i < 2 && !s; i++) {
		s = read_half(&pair[i], q->runs[i], q, err);
		if (s && pair[i].shown)
			s = name_half(&pair[i], s, err);
	}
	return s;
}

void wm_pair_release(struct wm_half *pair)
{
	size_t i;

	for (i = 0; i < 2; i++) {
		wm_profile_release(&pair[i].profile);
		wm_analysis_release(&pair[i].a);
		free(pair[i].run);
		free(pair[i].shown);
	}
}
