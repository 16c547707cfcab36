/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/plain.h"
#include "analyze/lib/base/shorten.h"
#include "analyze/render/width.h"
#include "input/path.h"

#define PHASE_COLUMNS 28

const char *wm_chosen(struct wm_figure *b, const struct wm_analysis *a)
{
	if (a->chosen == WM_ALL_RANKS)
		snprintf(b->s, sizeof(b->s), "all ranks");
	else
		snprintf(b->s, sizeof(b->s), "rank %" PRIu64,
			 a->ranks[a->chosen].rank);
	return b->s;
}

const char *wm_cut(const char *text, size_t columns, char *buf)
{
	size_t n = strlen(text), most = 4 * columns - 3;

	if (n <= 4 * columns && wm_width(text) <= columns)
		return memcpy(buf, text, n + 1);
	n = wm_width_fits(text, columns - 3);
	n = wm_plain_cut(text, n < most ? n : most);
	memcpy(buf, text, n);
	memcpy(buf + n, "...", 4);
	return buf;
}

const char *wm_peak_phase(const struct wm_rank *r, char buf[WM_PHASE_TEXT])
{
	char name[4 * PHASE_COLUMNS + 1];

	*buf = 0;
	if (r->peak_phase)
		snprintf(buf, WM_PHASE_TEXT, " in phase '%s'",
			 wm_cut(r->peak_phase, PHASE_COLUMNS, name));
	return buf;
}

void wm_text_shared(const struct wm_shared *s, const char *most,
		    const char *count, char *buf, size_t size)
{
	const char *many = s->ranks == 1 ? "" : "s";

	if (s->at_least)
		snprintf(buf, size, ", in at least %s rank%s", count, many);
	else if (s->ranks)
		snprintf(buf, size,
			 ", in %s rank%s, most in rank %" PRIu64 " (%s)", count,
			 many, s->rank, most);
	else
		buf[0] = 0;
}

const char *wm_held_when(const struct wm_analysis *a)
{
	bool capped, killed;

	if (a->chosen == WM_ALL_RANKS) {
		capped = a->capped_ranks != 0;
		killed = a->cut_ranks != a->capped_ranks;
	} else {
		killed = !a->ranks[a->chosen].ended;
		capped = !killed;
	}
	if (capped && killed)
		return "Live when it was killed (or now, if it still runs), "
		       "or when its trace had reached WM_MAX_BYTES; no leaks";
	return capped ? "Live when its trace had reached WM_MAX_BYTES; no "
			"leaks" :
			"Live when it was killed (or now, if it still runs); "
			"no leaks";
}

const char *wm_moment_text(const struct wm_analysis *a, char buf[WM_WHEN_TEXT])
{
	char name[4 * PHASE_COLUMNS + 1];
	struct wm_figure b;

	switch (a->moment.way) {
	case WM_MOMENT_SECONDS:
		snprintf(buf, WM_WHEN_TEXT, "%s",
			 wm_seconds(&b, a->moment.value));
		break;
	case WM_MOMENT_PART:
		snprintf(buf, WM_WHEN_TEXT, "%g %% of the time",
			 100 * a->moment.value);
		break;
	case WM_MOMENT_END:
		snprintf(buf, WM_WHEN_TEXT, "the end");
		break;
	case WM_MOMENT_NAMED:
		snprintf(buf, WM_WHEN_TEXT, "'%s'",
			 wm_cut(a->moment.name, PHASE_COLUMNS, name));
		break;
	default:
		snprintf(buf, WM_WHEN_TEXT, "the peak");
	}
	return buf;
}

/* Writes the moment of wm_when() with --at; if @r is NULL, that of all
 * ranks. */
static void put_moment(const struct wm_analysis *a, const struct wm_rank *r,
		       char buf[WM_WHEN_TEXT])
{
	bool seconds = a->moment.way == WM_MOMENT_SECONDS;
	char text[WM_WHEN_TEXT], when[60] = "";
	struct wm_figure b;

	wm_moment_text(a, text);
	if (!r) {
		snprintf(buf, WM_WHEN_TEXT,
			 seconds ? "all ranks at %.*s" :
				   "all ranks, each at %.*s of its own",
			 WM_WHEN_TEXT - 40, text);
		return;
	}
	if (seconds && r->moment_seconds > wm_rank_end(r))
		snprintf(when, sizeof(when), " (after its end)");
	else if (seconds && r->moment_seconds < r->begin)
		snprintf(when, sizeof(when), " (before its start)");
	else if (!seconds ||
		 strcmp(text, wm_seconds(&b, r->moment_seconds)) != 0)
		snprintf(when, sizeof(when), " (%s)",
			 wm_seconds(&b, r->moment_seconds));
	snprintf(buf, WM_WHEN_TEXT, "at %.*s of rank %" PRIu64 "%s",
		 WM_WHEN_TEXT - 100, text, r->rank, when);
}

const char *wm_when(const struct wm_analysis *a, char buf[WM_WHEN_TEXT])
{
	const struct wm_rank *r = NULL;
	char phase[WM_PHASE_TEXT];
	struct wm_figure b;

	if (a->chosen != WM_ALL_RANKS)
		r = &a->ranks[a->chosen];
	if (a->at_time)
		put_moment(a, r, buf);
	else if (a->chosen == WM_ALL_RANKS)
		snprintf(buf, WM_WHEN_TEXT, "all ranks, each at its own peak");
	else
		snprintf(buf, WM_WHEN_TEXT,
			 "at the peak of rank %" PRIu64 " (%s%s)", r->rank,
			 wm_seconds(&b, r->in[WM_HOST].peak_seconds),
			 wm_peak_phase(r, phase));
	return buf;
}

void wm_text_notes(const struct wm_analysis *a, struct wm_doc *d)
{
	if (!a->note_count)
		return;
	wm_doc_heading(d, a->partial ? "Incomplete: these answers come from a "
				       "part of the run" :
				       "Notes");
	for (size_t i = 0; i < a->note_count; i++)
		wm_doc_print(d, "  %s\n", a->notes[i]);
}

void wm_tell_held(const struct wm_analysis *a, uint64_t bytes, uint64_t blocks,
		  struct wm_doc *d)
{
	char when[WM_WHEN_TEXT];
	struct wm_figure b, c;

	wm_doc_title(d, "%s  run %s: %s in %s%s %s", a->name, a->id,
		     wm_bytes(&b, bytes), wm_blocks(&c, blocks),
		     a->chosen == WM_ALL_RANKS ? "," : "", wm_when(a, when));
	wm_text_notes(a, d);
	wm_doc_print(d, "\n");
}

void wm_put_place(const struct wm_symbol *s, const struct wm_module *m,
		  FILE *out)
{
	if (s->file && s->line)
		fprintf(out, "  %s:%u", wm_basename(s->file), s->line);
	else if (s->file)
		fprintf(out, "  %s", wm_basename(s->file));
	else if (s->linkage && s->object && s->object[0] != '(')
		fprintf(out, "  [%s]", wm_basename(s->object));
	else if (s->linkage && !m->main && m->path)
		fprintf(out, "  [%s]", wm_basename(m->path));
	if (s->receiver && s->line)
		fprintf(out, "  %s", s->receiver);
}

void wm_add_place(struct wm_table *t, const struct wm_symbol *s,
		  const struct wm_module *m)
{
	char *place = NULL;
	size_t size;
	FILE *out = open_memstream(&place, &size);

	if (out)
		wm_put_place(s, m, out);
	t->short_of_memory |= !out || fclose(out);
	wm_table_name(t, s->name, place);
	free(place);
}

char *wm_callers_text(const char *path, size_t max, size_t columns)
{
	char name[WM_NAME_COLUMNS + 1], *copy = strdup(path), *text = NULL;
	size_t len = copy ? strlen(copy) : 0, n = 0, size;
	FILE *out = copy ? open_memstream(&text, &size) : NULL;

	while (out && len && (!max || n < max)) {
		char *semicolon = strrchr(copy, ';');
		const char *at = semicolon ? semicolon + 1 : copy;

		fprintf(out, "%s%s", n++ ? " < " : "",
			wm_shorten(at, columns, name));
		len = semicolon ? (size_t)(semicolon - copy) : 0;
		copy[len] = 0;
	}
	free(copy);
	if (out && len)
		fputs(" < ...", out);
	if (out && !fclose(out))
		return text;
	free(text);
	return NULL;
}

void wm_text_plain(const char *text, struct wm_doc *d)
{
	char *plain = wm_plain(text, strlen(text));

	wm_doc_print(d, "%s", plain ? plain : "?");
	free(plain);
}

void wm_facts_init(struct wm_table *t)
{
	static const struct wm_table_column columns[] = {
		{ ".what", "        ", WM_UNIT_WORDS },
		{ ".bytes", "          ", WM_UNIT_BYTES },
		{ ".exact", "                    ", WM_UNIT_COUNT },
		{ ".remark", "", WM_UNIT_WORDS },
	};

	WM_TABLE_INIT(t, columns);
}

void wm_fact(struct wm_table *t, const char *what, uint64_t bytes)
{
	wm_table_at(t, NULL);
	WM_TABLE_ADD(t, what, bytes, bytes);
}

void wm_fact_more(struct wm_table *t)
{
	wm_table_at(t, NULL);
	wm_table_at(t, ".remark");
}
