/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/heap/threads.h"

#include <string.h>

#include "analyze/render/table.h"
#include "analyze/answers/text.h"

#define THREADS_SHOWN 20
#define STARTS_SHOWN 10

unsigned wm_by_threads_wants(const struct wm_opts *o)
{
	return o->by ? WM_NEEDS(threads) : 0;
}

enum wm_status wm_by_threads_check(const struct wm_opts *o, struct wm_err *err)
{
	if (!o->by)
		return WM_OK;
	if (strcmp(o->by, "threads") != 0)
		return wm_err_set(err, WM_USAGE,
				  "--by %s: --%s has only --by threads", o->by,
				  o->report->name);
	if (o->request.choice == WM_RANK_ALL)
		return wm_err_set(err, WM_USAGE,
				  "--by threads is about one rank: add --rank "
				  "N, max or min");
	return WM_OK;
}

static const struct wm_table_column thread_columns[] = {
	{ "thread", NULL, WM_UNIT_NUMBER },
	{ "tid", NULL, WM_UNIT_NUMBER },
	{ "kind", NULL, WM_UNIT_TEXT },
	{ "start", NULL, WM_UNIT_TEXT },
	{ "started_by", NULL, WM_UNIT_TEXT },
	{ "peak_bytes", "      peak", WM_UNIT_BYTES },
	{ "peak_time_s", "        at", WM_UNIT_MOMENT },
	{ "bytes", "      then", WM_UNIT_SOME },
	{ "blocks", NULL, WM_UNIT_COUNT },
	{ "end_bytes", "    at end", WM_UNIT_SOME },
	{ "end_blocks", NULL, WM_UNIT_COUNT },
	{ "allocations", "allocations", WM_UNIT_COUNT },
	{ "allocated_bytes", NULL, WM_UNIT_BYTES },
	{ "freed_by_others", NULL, WM_UNIT_COUNT },
	{ "start_s", "      from", WM_UNIT_MOMENT },
	{ "end_s", "        to", WM_UNIT_MOMENT },
	{ "name", "thread", WM_UNIT_TEXT },
};

static const char *const kinds[] = {
	[WM_THREAD_MAIN] = "main",
	[WM_THREAD_OPENMP] = "openmp",
	[WM_THREAD_STARTED] = "started",
	[WM_THREAD_UNKNOWN] = NULL,
};

static void tell_threads(const struct wm_thread_rows *r, size_t top,
			 unsigned audience, struct wm_doc *d)
{
	struct wm_table t;

	WM_TABLE_INIT(&t, thread_columns);
	t.spare = "start_s end_s peak_time_s end_bytes";
	for (size_t i = 0; i < r->count; i++) {
		const struct wm_thread_row *row = &r->row[i];
		const struct wm_thread_use *u = row->use;
		const struct wm_thread_start *s = &r->start[row->start];

		WM_TABLE_ADD(&t, u->number, wm_nonzero(u->tid), kinds[s->kind],
			     s->symbol ? s->symbol->name : NULL, s->creator,
			     u->peak_bytes, u->peak_seconds, row->held_bytes,
			     row->held_blocks, row->end_bytes, row->end_blocks,
			     u->allocations, u->bytes, u->freed_by_others,
			     u->from, u->to, row->name);
	}
	wm_doc_table(d, &t, "threads", top, audience);
}

static const struct wm_table_column start_columns[] = {
	{ "threads", "threads", WM_UNIT_COUNT },
	{ "kind", NULL, WM_UNIT_TEXT },
	{ "start", NULL, WM_UNIT_TEXT },
	{ "started_by", NULL, WM_UNIT_TEXT },
	{ "peak_bytes", "highest peak", WM_UNIT_BYTES },
	{ "sum_peak_bytes", "sum of peaks", WM_UNIT_BYTES },
	{ "bytes", "      then", WM_UNIT_SOME },
	{ "blocks", NULL, WM_UNIT_COUNT },
	{ "end_bytes", "    at end", WM_UNIT_SOME },
	{ "end_blocks", NULL, WM_UNIT_COUNT },
	{ "allocations", "allocations", WM_UNIT_COUNT },
	{ "allocated_bytes", NULL, WM_UNIT_BYTES },
	{ "start_s", NULL, WM_UNIT_MOMENT },
	{ "end_s", NULL, WM_UNIT_MOMENT },
	{ "name", "threads that began alike", WM_UNIT_TEXT },
};

static void tell_starts(const struct wm_thread_rows *r, size_t top,
			unsigned audience, struct wm_doc *d)
{
	struct wm_table t;

	WM_TABLE_INIT(&t, start_columns);
	t.spare = "end_bytes";
	for (size_t i = 0; i < r->starts; i++) {
		const struct wm_thread_start *s = &r->start[i];

		WM_TABLE_ADD(&t, s->threads, kinds[s->kind],
			     s->symbol ? s->symbol->name : NULL, s->creator,
			     s->peak_bytes, s->sum_bytes, s->held_bytes,
			     s->held_blocks, s->end_bytes, s->end_blocks,
			     s->allocations, s->bytes, s->from, s->to, s->name);
	}
	wm_doc_table(d, &t, "starts", top, audience);
}

static void tell_people(const struct wm_analysis *a,
			const struct wm_thread_rows *r, const struct wm_opts *o,
			struct wm_doc *d)
{
	struct wm_figure b, c;
	char when[WM_WHEN_TEXT];

	wm_doc_title(d, "%s  run %s: %s thread%s of %s", a->name, a->id,
		     wm_count(&b, r->count), r->count == 1 ? "" : "s",
		     wm_chosen(&c, a));
	wm_text_notes(a, d);
	wm_doc_heading(d, "Peak of each thread's own blocks");
	tell_threads(r, wm_top(o, THREADS_SHOWN), WM_FOR_TEXT, d);
	if (r->starts < r->count) {
		wm_doc_heading(d, "Threads that began alike");
		tell_starts(r, wm_top(o, STARTS_SHOWN), WM_FOR_TEXT, d);
	}
	wm_doc_print(d,
		     "\n  A block belongs to the thread that allocated it, "
		     "even if another one frees it.\n"
		     "  \"then\": %s\n",
		     wm_when(a, when));
}

enum wm_status wm_by_threads_tell(const struct wm_analysis *a,
				  const struct wm_opts *o, struct wm_doc *d,
				  struct wm_err *err)
{
	struct wm_thread_rows r;
	enum wm_status s = wm_thread_rows_make(&r, a, err);

	if (s)
		return s;
	if (wm_doc_wants(d, WM_FOR_TEXT))
		tell_people(a, &r, o, d);
	if (wm_doc_wants(d, WM_FOR_DATA)) {
		wm_json_object(&d->data, "by_thread");
		tell_threads(&r, 0, WM_FOR_DATA, d);
		tell_starts(&r, 0, WM_FOR_DATA, d);
		wm_json_end_object(&d->data);
	}
	if (wm_doc_wants(d, WM_FOR_CSV))
		tell_threads(&r, 0, WM_FOR_CSV, d);
	wm_thread_rows_release(&r);
	return WM_OK;
}
