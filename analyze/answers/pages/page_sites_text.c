/* SPDX-License-Identifier: Apache-2.0 */
/* Sites and variables for --pages: how they use their pages, and which pages
 * they do not need. */
#include "analyze/answers/reports.h"

#include "analyze/answers/pages/page_sites.h"
#include "analyze/render/table.h"

static void put_moment(struct wm_table *t, double seconds)
{
	WM_TABLE_ADD(t, wm_known_real(seconds >= 0, seconds));
}

static const struct wm_table_column site_columns[] = {
	{ "name", NULL, WM_UNIT_TEXT },
	{ "file", NULL, WM_UNIT_TEXT },
	{ "line", NULL, WM_UNIT_NUMBER },
	{ "kind", "kind", WM_UNIT_TEXT },
	{ "bytes", "bytes", WM_UNIT_BYTES },
	{ "touched_bytes", "touched", WM_UNIT_BYTES },
	{ "written_bytes", "written", WM_UNIT_BYTES },
	{ "median_epoch_bytes", "in the median epoch", WM_UNIT_BYTES },
	{ "last_epoch_bytes", "in the last epoch", WM_UNIT_BYTES },
	{ "first_s", "first", WM_UNIT_SECONDS },
	{ "last_s", "last", WM_UNIT_SECONDS },
	{ "last_write_s", NULL, WM_UNIT_SECONDS },
	{ "page_epochs", NULL, WM_UNIT_COUNT },
	{ "written_page_epochs", NULL, WM_UNIT_COUNT },
	{ "shared_page_epochs", NULL, WM_UNIT_COUNT },
	{ "untouched_bytes", NULL, WM_UNIT_BYTES },
	{ "end_bytes", NULL, WM_UNIT_BYTES },
	{ "end_untouched_bytes", NULL, WM_UNIT_BYTES },
	{ "cold_bytes", NULL, WM_UNIT_BYTES },
	{ "cold_since_s", NULL, WM_UNIT_SECONDS },
	{ "cold_since_phase", NULL, WM_UNIT_TEXT },
	{ "read_only_bytes", NULL, WM_UNIT_BYTES },
	{ "read_only_since_s", NULL, WM_UNIT_SECONDS },
	{ ".site", "site", WM_UNIT_TEXT },
};

static void put_site(struct wm_table *t, const struct wm_page_site *s,
		     const struct wm_annotations *n)
{
	WM_TABLE_ADD(t, s->name, s->file, s->line, s->kind, s->bytes,
		     s->touched, s->written, s->median_epoch, s->last_epoch);
	put_moment(t, s->first);
	put_moment(t, s->last);
	put_moment(t, s->last_write);
	WM_TABLE_ADD(t, s->page_epochs, s->written_page_epochs,
		     s->shared_page_epochs, s->untouched, s->end,
		     s->end_untouched, s->cold);
	put_moment(t, s->cold_since);
	WM_TABLE_ADD(t, wm_pages_phase(n, s->cold_since), s->read_only);
	put_moment(t, s->read_only_since);
	wm_page_site_name(t, s);
}

void wm_pages_sites(const struct wm_page_sites *l,
		    const struct wm_annotations *n, const char *key, size_t top,
		    unsigned audience, struct wm_doc *d)
{
	struct wm_table t;

	WM_TABLE_INIT(&t, site_columns);
	t.spare = "kind first median_epoch_bytes written_bytes";
	for (size_t i = 0; i < l->count; i++)
		put_site(&t, &l->site[i], n);
	wm_doc_table(d, &t, key, top, audience);
}

enum unused { UNTOUCHED, COLD, READ_ONLY };

static uint64_t bytes_of(const struct wm_page_site *s, enum unused how)
{
	return how == COLD	? s->cold :
	       how == READ_ONLY ? s->read_only :
				  s->untouched;
}

static double since_of(const struct wm_page_site *s, enum unused how)
{
	return how == COLD	? s->cold_since :
	       how == READ_ONLY ? s->read_only_since :
				  -1;
}

/* Returns the fewest bytes of a row: sites below 1 % share a line. */
static uint64_t least_shown(const struct wm_page_sites *l, enum unused how,
			    size_t top)
{
	uint64_t all = 0;

	for (size_t i = 0; i < l->count; i++)
		all += l->site[i].nobody ? 0 : bytes_of(&l->site[i], how);
	return top ? all / 100 : 0;
}

static void put_folded(const struct wm_page_sites *l, uint64_t least,
		       enum unused how, struct wm_doc *d)
{
	uint64_t rest = 0, count = 0;
	struct wm_figure b, c;

	for (size_t i = 0; i < l->count; i++) {
		const struct wm_page_site *s = &l->site[i];

		if (s->nobody || !bytes_of(s, how) || bytes_of(s, how) >= least)
			continue;
		count++;
		rest += bytes_of(s, how);
	}
	if (count)
		wm_doc_print(d, "  %s more below 1 %%: %s (--top all)\n",
			     wm_count(&b, count), wm_bytes(&c, rest));
}

/* Writes the sites with most unused bytes: these, all bytes of the site, since
 * when, and the phase at that time. */
static void put_some(const struct wm_page_sites *l,
		     const struct wm_annotations *annotations, enum unused how,
		     size_t top, struct wm_doc *d)
{
	static const char *const headings[] = {
		[UNTOUCHED] = "Never touched",
		[COLD] = "Cold: not touched in the second half of the CPU time",
		[READ_ONLY] = "Read only in the second half of the CPU time",
	};
	static const struct wm_table_column columns[] = {
		{ "bytes", "bytes", WM_UNIT_BYTES },
		{ "whole", "of its", WM_UNIT_BYTES },
		{ "since", "since", WM_UNIT_SECONDS },
		{ "phase", "phase", WM_UNIT_TEXT },
		{ "site", "site", WM_UNIT_TEXT },
	};
	uint64_t least = least_shown(l, how, top);
	uint64_t last = UINT64_MAX, next;
	struct wm_table t;

	WM_TABLE_INIT(&t, columns);
	wm_table_level(&t,
		       how == UNTOUCHED		? "bytes whole site" :
		       annotations->phase_count ? NULL :
						  "bytes whole since site",
		       0, NULL);
	/* from the highest value down, as there are few values */
	for (; last; last = next) {
		next = 0;
		for (size_t i = 0; i < l->count; i++) {
			const struct wm_page_site *s = &l->site[i];
			uint64_t n = bytes_of(s, how);

			if (n < last && n > next && n >= least)
				next = n;
			if (n != last || s->nobody)
				continue;
			WM_TABLE_ADD(&t, n, s->bytes);
			put_moment(&t, since_of(s, how));
			wm_table_text(&t, wm_pages_phase(annotations,
							 since_of(s, how)));
			wm_page_site_name(&t, s);
		}
		if (top && wm_table_rows(&t) > top)
			break;
	}
	if (!wm_table_rows(&t)) {
		wm_table_release(&t);
		return;
	}
	wm_doc_heading(d, "%s", headings[how]);
	wm_doc_table(d, &t, NULL, top, WM_FOR_TEXT);
	put_folded(l, least, how, d);
}

void wm_pages_unused(const struct wm_page_sites *l,
		     const struct wm_annotations *n, size_t top,
		     struct wm_doc *d)
{
	put_some(l, n, UNTOUCHED, top, d);
	put_some(l, n, COLD, top, d);
	put_some(l, n, READ_ONLY, top, d);
}
