/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/report/reports.h"

#include "analyze/queries/libraries.h"
#include "analyze/render/table.h"
#include "analyze/report/report.h"
#include "analyze/report/text.h"

#define LIBRARIES_SHOWN 20

static const struct wm_table_column columns[] = {
	{ "total_bytes", "total", WM_UNIT_BYTES },
	{ "bytes", "allocated", WM_UNIT_BYTES },
	{ "blocks", "blocks", WM_UNIT_COUNT },
	{ "static_bytes", "static", WM_UNIT_BYTES },
	{ "through_bytes", "through it", WM_UNIT_BYTES },
	{ "through_blocks", NULL, WM_UNIT_COUNT },
	{ "kind", "kind", WM_UNIT_TEXT },
	{ "group", "group", WM_UNIT_TEXT },
	{ "name", "name", WM_UNIT_TEXT },
	{ "path", NULL, WM_UNIT_TEXT },
	{ NULL, NULL, 0 },
};

static void fill_table(struct wm_table *t, const struct wm_libraries *l)
{
	size_t i;

	wm_table_init(t, columns);
	for (i = 0; i < l->count; i++) {
		const struct wm_library *p = &l->library[i];

		wm_table_uint(t, p->bytes + p->static_bytes);
		wm_table_uint(t, p->bytes);
		wm_table_uint(t, p->blocks);
		wm_table_known(t, p->has_static, p->static_bytes);
		wm_table_uint(t, p->through_bytes);
		wm_table_uint(t, p->through_blocks);
		wm_table_text(t, wm_library_kind_name[p->kind]);
		wm_table_text(t, p->group == WM_GROUP_none ?
					 NULL :
					 wm_group_name[p->group]);
		wm_table_text(t, p->name);
		wm_table_text(t, p->path);
	}
}

static void put_head(const struct wm_libraries *l, const struct wm_analysis *a,
		     struct wm_doc *d)
{
	char when[WM_WHEN_TEXT];
	struct wm_buf b;

	wm_doc_title(d, "%s  run %s: %s allocated%s %s", a->name, a->id,
		     wm_bytes(&b, l->bytes),
		     a->chosen == WM_ALL_RANKS ? "," : "", wm_when(a, when));
	if (l->has_static)
		wm_doc_print(d, "and %s of static memory%s\n",
			     wm_bytes(&b, l->static_bytes),
			     a->chosen == WM_ALL_RANKS ? " in all processes" :
							 "");
	else
		wm_doc_print(d, "and static memory, of which no census tells"
				"\n");
	wm_text_notes(a, d);
	wm_doc_print(d, "\n");
}

static enum wm_status libraries_build(const struct wm_analysis *a,
				      const struct wm_opts *o, struct wm_doc *d,
				      struct wm_err *err)
{
	struct wm_libraries l;
	struct wm_table t;
	enum wm_status s = wm_libraries_make(&l, a, err);

	if (s)
		return s;
	put_head(&l, a, d);
	fill_table(&t, &l);
	wm_doc_table(d, &t, "libraries", wm_top(o, LIBRARIES_SHOWN),
		     WM_FOR_ALL);
	wm_doc_print(d,
		     "\n  total = allocated by functions in it + static; "
		     "through it: on call paths that\n  pass it, so that one "
		     "block may count for several.\n");
	wm_libraries_release(&l);
	return WM_OK;
}

const struct wm_report wm_libraries_report = {
	.name = "libraries",
	.help = "what each archive and shared library costs",
	.needs = WM_NEEDS(heap),
	.build = libraries_build,
};
