/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/report/text.h"

#include <inttypes.h>
#include <string.h>

#define PHASES_SHOWN 16
#define NAMES_SHOWN 10
#define TAGS_SHOWN 3
#define SNAPSHOTS_SHOWN 10
#define COLUMNS 28
#define ROOM (4 * COLUMNS + 1)

/* @text cut and then filled up with blanks. */
static void put_padded(const char *text, struct wm_doc *d)
{
	char buf[ROOM];
	const char *p = wm_cut(text, COLUMNS, buf);
	size_t used = 0;

	wm_doc_print(d, "%s", p);
	for (; *p; p++)
		used += ((unsigned char)*p & 0xc0) != 0x80;
	wm_doc_print(d, "%*s", (int)(used < COLUMNS ? COLUMNS - used : 0), "");
}

void wm_text_tags(const struct wm_analysis *a, uint32_t path,
		  enum wm_moment moment, struct wm_doc *d)
{
	const struct wm_notes *n = &a->told;
	size_t count, shown = 0, more = 0, i;
	const struct wm_tag *t = wm_notes_tags(n, path, &count);
	char name[ROOM];

	for (i = 0; i < count && moment != WM_AT_SNAPSHOT; i++) {
		if (!(moment == WM_AT_PEAK ? t[i].peak_blocks :
					     t[i].end_blocks))
			continue;
		if (shown == TAGS_SHOWN) {
			more++;
			continue;
		}
		wm_doc_print(d, "%s'%s'", shown++ ? ", " : "  ",
			     wm_cut(n->name[t[i].name].name, COLUMNS, name));
	}
	if (more)
		wm_doc_print(d, " and %zu more", more);
}

static size_t limit(const struct wm_opts *o, size_t usual)
{
	size_t n = o->top_given ? o->top : usual;

	return n ? n : SIZE_MAX;
}

static void put_more(size_t n, const char *what, struct wm_doc *d)
{
	if (n)
		wm_doc_print(d, "  %zu more %s%s%s\n", n, what,
			     n == 1 ? "" : "s",
			     d->top_given ? "" : " (--top all)");
}

static void put_phase(const struct wm_phase *p, struct wm_doc *d)
{
	struct wm_buf b[6];

	wm_doc_print(d, "  ");
	put_padded(p->name ? p->name : "(in no phase)", d);
	wm_doc_print(d, "  %7s  %11s  %11s  %11s  %11s\n",
		     wm_count(&b[0], p->entered), wm_seconds(&b[1], p->first),
		     wm_seconds(&b[2], p->seconds),
		     wm_bytes(&b[3], p->peak_bytes),
		     wm_bytes(&b[4], p->end_bytes));
}

void wm_text_phases(const struct wm_analysis *a, const struct wm_opts *o,
		    struct wm_doc *d)
{
	const struct wm_notes *n = &a->told;
	size_t max = limit(o, PHASES_SHOWN), i;
	struct wm_buf b;

	if (!n->phase_count)
		return;
	wm_doc_heading(d, "Phases of %s", wm_chosen(&b, a));
	wm_doc_print(d, "  %-*s  %7s  %11s  %11s  %11s  %11s\n", COLUMNS,
		     "phase", "entered", "first at", "time in it", "heap peak",
		     "at its end");
	for (i = 0; i < n->phase_count && i < max; i++)
		put_phase(&n->phase[i], d);
	put_more(n->phase_count - i, "phase", d);
}

void wm_text_names(const struct wm_analysis *a, const struct wm_opts *o,
		   struct wm_doc *d)
{
	const struct wm_notes *n = &a->told;
	size_t max = limit(o, NAMES_SHOWN), i;
	struct wm_buf b[5];

	if (!n->name_count)
		return;
	wm_doc_heading(d, "Named blocks at the peak of %s%s",
		       wm_chosen(&b[0], a),
		       a->chosen == WM_ALL_RANKS ? " (each at its own)" : "");
	wm_doc_print(d, "  %11s  %10s  %13s  %11s  %s\n", "bytes", "blocks",
		     "its own peak", "never freed", "name");
	for (i = 0; i < n->name_count && i < max; i++) {
		const struct wm_name *p = &n->name[i];
		char name[4 * 40 + 1];

		wm_doc_print(d, "  %11s  %10s  %13s  %11s  %s\n",
			     wm_bytes(&b[0], p->peak_bytes),
			     wm_count(&b[1], p->peak_blocks),
			     wm_bytes(&b[2], p->high),
			     wm_bytes(&b[3], p->end_bytes),
			     wm_cut(p->name, 40, name));
	}
	put_more(n->name_count - i, "name", d);
}

void wm_text_snapshots(const struct wm_analysis *a, const struct wm_opts *o,
		       struct wm_doc *d)
{
	const struct wm_notes *n = &a->told;
	size_t max = limit(o, SNAPSHOTS_SHOWN), i;
	struct wm_buf b[4];
	char name[ROOM];

	if (!n->snapshot_count)
		return;
	wm_doc_heading(d, "Snapshots of %s (who holds them: --snapshots)",
		       wm_chosen(&b[0], a));
	for (i = 0; i < n->snapshot_count && i < max; i++) {
		const struct wm_snapshot *s = &n->snapshot[i];
		const char *phase = s->phase != WM_NO_PHASE ?
					    n->phase[s->phase].name :
					    NULL;

		wm_doc_print(d, "  ");
		put_padded(s->name ? s->name : "", d);
		wm_doc_print(d, "  %11s  %11s  %10s block%s",
			     wm_seconds(&b[0], s->seconds),
			     wm_bytes(&b[1], s->bytes),
			     wm_count(&b[2], s->blocks),
			     s->blocks == 1 ? " " : "s");
		if (phase)
			wm_doc_print(d, "  in phase '%s'",
				     wm_cut(phase, 20, name));
		wm_doc_print(d, "\n");
	}
	put_more(n->snapshot_count - i, "snapshot", d);
}
