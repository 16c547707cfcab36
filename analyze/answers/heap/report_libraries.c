/* SPDX-License-Identifier: Apache-2.0 */

#include <stdbool.h>
#include <string.h>

#include "analyze/answers/heap/libraries.h"
#include "analyze/render/table.h"
#include "analyze/answers/report.h"
#include "analyze/answers/text.h"

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
};

/* Returns a text in place of the path of a library without a file. */
static const char *no_file(const struct wm_library *p)
{
	return p->kind == WM_LIBRARY_PADDING ? "(between object files)" :
					       "(no file known)";
}

static void fill_table(struct wm_table *t, const struct wm_libraries *l,
		       bool people)
{
	WM_TABLE_INIT(t, columns);
	for (size_t i = 0; i < l->count; i++) {
		const struct wm_library *p = &l->library[i];

		WM_TABLE_ADD(t, p->bytes + p->static_bytes, p->bytes, p->blocks,
			     wm_known(p->has_static, p->static_bytes),
			     p->through_bytes, p->through_blocks,
			     wm_library_kind_name[p->kind],
			     p->group == WM_GROUP_none ?
				     NULL :
				     wm_group_name[p->group],
			     people && strcmp(p->name, "??") == 0 ? no_file(p) :
								    p->name,
			     p->path);
	}
}

static void put_head(const struct wm_libraries *l, const struct wm_analysis *a,
		     struct wm_doc *d)
{
	char when[WM_WHEN_TEXT];
	struct wm_figure b;

	wm_doc_title(d, "%s  run %s: %s allocated%s %s", a->name, a->id,
		     wm_bytes(&b, l->bytes),
		     a->chosen == WM_ALL_RANKS ? "," : "", wm_when(a, when));
	if (l->has_static)
		wm_doc_print(d, "and %s of static memory in %s\n",
			     wm_bytes(&b, l->static_bytes),
			     a->chosen == WM_ALL_RANKS ? "all processes" :
							 "the process");
	else
		wm_doc_print(d, "its static memory is not known: there is no "
				"census of the program\n");
	wm_text_notes(a, d);
	wm_doc_print(d, "\n");
}

static void put_words(struct wm_doc *d)
{
	wm_doc_print(d, "\n  allocated   by functions that lie in it\n");
	wm_doc_print(d, "  static      its variables (-: not known)\n");
	wm_doc_print(d, "  total       both together\n");
	wm_doc_print(d, "  through it  by its functions and by what they call: "
			"a block may count in several rows\n");
}

static enum wm_status libraries_build(const struct wm_analysis *a,
				      const struct wm_opts *o, struct wm_doc *d,
				      struct wm_err *err)
{
	struct wm_libraries l;
	struct wm_table t;
	enum wm_status s = wm_libraries_make(&l, a, false, err);

	if (s)
		return s;
	put_head(&l, a, d);
	fill_table(&t, &l, true);
	wm_doc_table(d, &t, "libraries", wm_top(o, LIBRARIES_SHOWN),
		     WM_FOR_TEXT);
	fill_table(&t, &l, false);
	wm_doc_table(d, &t, "libraries", 0, WM_FOR_DATA | WM_FOR_CSV);
	put_words(d);
	wm_libraries_release(&l);
	return WM_OK;
}

const struct wm_report wm_libraries_report = {
	.name = "libraries",
	.help = "memory of each archive and shared library",
	.needs = WM_NEEDS(heap),
	.build = libraries_build,
};
