/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/request.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/units.h"

int wm_request_rank(struct wm_request *q, const char *text)
{
	uint64_t rank;

	if (!strcmp(text, "max")) {
		q->choice = WM_RANK_MAX;
	} else if (!strcmp(text, "min")) {
		q->choice = WM_RANK_MIN;
	} else if (!strcmp(text, "all")) {
		q->choice = WM_RANK_ALL;
	} else if (wm_parse_number(text, UINT32_MAX, &rank)) {
		q->choice = WM_RANK_NUMBER;
		q->rank = rank;
	} else {
		return -1;
	}
	return 0;
}

/* Parses "50%" as 0.5; returns false if @text is no percentage. */
static bool parse_part(const char *text, double *part)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	*part = strtod(text, &end) / 100;
	return strcmp(end, "%") == 0;
}

static void take_name(struct wm_moment_wish *m, const char *text)
{
	m->way = WM_MOMENT_NAMED;
	m->what = WM_MOMENT_SNAPSHOT | WM_MOMENT_PHASE;
	if (!strncmp(text, "snapshot:", 9) && text[9]) {
		m->what = WM_MOMENT_SNAPSHOT;
		text += 9;
	} else if (!strncmp(text, "phase:", 6) && text[6]) {
		m->what = WM_MOMENT_PHASE;
		text += 6;
	}
	strcpy(m->name, text);
}

int wm_request_moment(struct wm_request *q, const char *text)
{
	struct wm_moment_wish *m = &q->wish.moment;

	if (!*text || strlen(text) >= WM_MOMENT_TEXT)
		return -1;
	memset(m, 0, sizeof(*m));
	strcpy(m->text, text);
	if (!strcmp(text, "peak"))
		m->way = WM_MOMENT_PEAK;
	else if (!strcmp(text, "end"))
		m->way = WM_MOMENT_END;
	else if (parse_part(text, &m->value))
		m->way = WM_MOMENT_PART;
	else if (wm_parse_moment(text, &m->value, &m->doubt))
		m->way = WM_MOMENT_SECONDS;
	else
		take_name(m, text);
	q->at_time = m->way != WM_MOMENT_PEAK;
	return m->way == WM_MOMENT_PART && m->value > 1 ? -1 : 0;
}
