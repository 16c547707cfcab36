/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/report/reports.h"

#include <inttypes.h>

#include "analyze/replay/pass.h"
#include "analyze/report/report.h"
#include "analyze/report/table.h"
#include "analyze/report/text.h"

#define FUNCTIONS_SHOWN 10
#define PATHS_SHOWN 3

static enum wm_status put_list(const struct wm_analysis *a,
			       const struct wm_opts *o,
			       const struct wm_functions *f, FILE *out)
{
	size_t top = o->top_given ? o->top : FUNCTIONS_SHOWN;

	putc('\n', out);
	wm_text_functions(a, f, top, PATHS_SHOWN, o, out);
	return WM_OK;
}

static enum wm_status functions_text(const struct wm_analysis *a,
				     const struct wm_opts *o, FILE *out,
				     struct wm_err *err)
{
	char when[WM_WHEN_TEXT];
	struct wm_functions f;
	struct wm_buf b, c;
	enum wm_status s;

	s = wm_functions_make(&f, a, WM_AT_PEAK, err);
	if (s)
		return s;
	wm_heading(o, out, "%s  run %s: %s in %s%s %s", a->name, a->id,
		   wm_bytes(&b, f.bytes), wm_blocks(&c, f.blocks),
		   a->chosen == WM_ALL_RANKS ? "," : "", wm_when(a, when));
	wm_text_notes(a, o, out);
	s = put_list(a, o, &f, out);
	wm_functions_release(&f);
	return s;
}

static enum wm_status put_csv(const struct wm_analysis *a,
			      FILE *out, struct wm_err *err)
{
	static const struct wm_table_column columns[] = {
		{ "name", "function", WM_UNIT_TEXT },
		{ "file", "file", WM_UNIT_TEXT },
		{ "line", "line", WM_UNIT_NUMBER },
		{ "bytes", "bytes", WM_UNIT_BYTES },
		{ "blocks", "blocks", WM_UNIT_COUNT },
		{ NULL, NULL, 0 },
	};
	struct wm_functions f;
	struct wm_table t;
	enum wm_status s;
	size_t i;

	s = wm_functions_make(&f, a, WM_AT_PEAK, err);
	if (s)
		return s;
	wm_table_init(&t, columns);
	for (i = 0; i < f.count; i++) {
		const struct wm_function *fn = &f.function[i];

		wm_table_text(&t, fn->name);
		wm_table_text(&t, fn->file);
		wm_table_uint(&t, fn->line);
		wm_table_uint(&t, fn->bytes);
		wm_table_uint(&t, fn->blocks);
	}
	s = wm_table_csv(&t, out, err);
	wm_table_release(&t);
	wm_functions_release(&f);
	return s;
}

static enum wm_status functions_csv(const struct wm_analysis *a,
				    const struct wm_opts *o, FILE *out,
				    struct wm_err *err)
{
	(void)o;
	return put_csv(a, out, err);
}

const struct wm_report wm_functions_report = {
	.name = "functions",
	.help = "who holds the heap at its peak, with call paths",
	.needs = WM_NEEDS(heap),
	.text = functions_text,
	.csv = functions_csv,
};
