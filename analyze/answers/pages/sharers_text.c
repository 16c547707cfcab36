/* SPDX-License-Identifier: Apache-2.0 */
/* The threads and processors that touch pages, for --pages. */
#include "analyze/answers/reports.h"

#include "analyze/answers/pages/page_sharers.h"
#include "analyze/render/table.h"

static void put_list(const struct wm_page_sharer *list, size_t count,
		     uint64_t page, const char *key, bool threads, size_t top,
		     unsigned audience, struct wm_doc *d)
{
	static const struct wm_table_column columns[2][6] = {
		{
			{ "cpu", "processor", WM_UNIT_NUMBER },
			{ "page_epochs", "pages of epochs", WM_UNIT_COUNT },
			{ "bytes", "bytes", WM_UNIT_BYTES },
			{ "written_page_epochs", "written", WM_UNIT_COUNT },
			{ "alone_page_epochs", "alone", WM_UNIT_COUNT },
		},
		{
			{ "thread", "thread", WM_UNIT_NUMBER },
			{ "page_epochs", "pages of epochs", WM_UNIT_COUNT },
			{ "bytes", "bytes", WM_UNIT_BYTES },
			{ "written_page_epochs", "written", WM_UNIT_COUNT },
			{ "alone_page_epochs", "alone", WM_UNIT_COUNT },
			{ "cpu_changes", "processor changes", WM_UNIT_COUNT },
		},
	};
	struct wm_table t;

	wm_table_init(&t, columns[threads], threads ? 6 : 5);
	for (size_t i = 0; i < count; i++) {
		WM_TABLE_ADD(&t, list[i].number, list[i].touched,
			     list[i].touched * page, list[i].written,
			     list[i].alone);
		if (threads)
			wm_table_uint(&t, list[i].moved);
	}
	wm_doc_table(d, &t, key, top, audience);
}

static double percent(uint64_t part, uint64_t of)
{
	return of ? 100 * (double)part / (double)of : 0;
}

static void put_text(const struct wm_page_sharers *s, uint64_t page, size_t top,
		     struct wm_doc *d)
{
	uint64_t all = s->one + s->several;

	wm_doc_heading(d, "Which threads touch pages");
	put_list(s->thread, s->threads, page, NULL, true, top, WM_FOR_TEXT, d);
	wm_doc_print(d,
		     "\n  One thread touched %.1f %% of the pages of all "
		     "epochs, several threads touched %.1f %%:\n  %.1f %% were "
		     "written by one of these at least, %.1f %% by two or "
		     "more.\n",
		     percent(s->one, all), percent(s->several, all),
		     percent(s->several_written, all),
		     percent(s->several_writers, all));
	wm_doc_heading(d, "On which processors");
	put_list(s->cpu, s->cpus, page, NULL, false, top, WM_FOR_TEXT, d);
	wm_doc_print(d, "\n  --accesses reports the variables and lines of the "
			"first access to each page in each\n  epoch.\n");
}

enum wm_status wm_pages_sharers(const struct wm_analysis *a, size_t top,
				unsigned audience, struct wm_doc *d,
				struct wm_err *err)
{
	uint64_t page = a->ranks[a->chosen].page_totals.page_bytes;
	struct wm_json *j = &d->data;
	struct wm_page_sharers s;
	enum wm_status r = wm_page_sharers_make(&s, a, err);

	if (r == WM_NOT_FOUND) {
		if (audience == WM_FOR_DATA)
			wm_json_text(j, "touched_by", NULL);
		return WM_OK;
	}
	if (r)
		return r;
	if (audience == WM_FOR_TEXT) {
		put_text(&s, page, top, d);
	} else {
		wm_json_object(j, "touched_by");
		put_list(s.thread, s.threads, page, "threads", true, 0,
			 WM_FOR_DATA, d);
		put_list(s.cpu, s.cpus, page, "cpus", false, 0, WM_FOR_DATA, d);
		WM_JSON_ADD(j,
			    "one_thread_page_epochs "
			    "several_threads_page_epochs "
			    "several_threads_written_page_epochs "
			    "several_writers_page_epochs",
			    s.one, s.several, s.several_written,
			    s.several_writers);
		wm_json_end_object(j);
	}
	wm_page_sharers_release(&s);
	return WM_OK;
}
