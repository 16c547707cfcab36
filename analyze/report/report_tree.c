/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/report/reports.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/base/shorten.h"
#include "analyze/queries/tree.h"
#include "analyze/render/table.h"
#include "analyze/report/report.h"
#include "analyze/report/text.h"
#include "wm/path.h"

/* Text shows no node with less than this part of all. */
#define SMALLEST_PERCENT 1
/* Deeper nodes are not moved further to the right. */
#define DEEPEST_INDENT 25

struct cut {
	const struct wm_analysis *a;
	const struct wm_tree *tree;
	size_t top; /* children of a node; 0: all */
	int all; /* whatever their share */
	struct wm_doc *d;
};

static int is_shown(const struct cut *c, const struct wm_tree_node *n, size_t i)
{
	uint64_t whole = c->tree->node[0].bytes;

	if (c->all)
		return 1;
	if (c->top && i >= c->top)
		return 0;
	return (double)n->bytes * 100 >= (double)whole * SMALLEST_PERCENT;
}

static void put_share(const struct cut *c, uint64_t bytes)
{
	uint64_t whole = c->tree->node[0].bytes;

	if (whole)
		wm_doc_print(c->d, "%6.1f %%",
			     100.0 * (double)bytes / (double)whole);
	else
		wm_doc_print(c->d, "%8s", "-");
}

/* Returns the columns that it takes. */
static size_t put_indent(const struct cut *c, uint32_t depth)
{
	uint32_t n = depth - 1 < DEEPEST_INDENT ? depth - 1 : DEEPEST_INDENT;
	char level[24] = "";

	if (depth - 1 > DEEPEST_INDENT)
		snprintf(level, sizeof(level), "(level %" PRIu32 ") ", depth);
	wm_doc_print(c->d, "  %*s%s", (int)(2 * n), "", level);
	return 2 + 2 * n + strlen(level);
}

/* The file, or else the object file or the library. */
static void put_place(const struct cut *c, const struct wm_tree_node *n)
{
	const struct wm_module *m = &c->a->paths.modules[n->module];
	const struct wm_symbol *s = n->symbol;

	if (n->file)
		wm_doc_print(c->d, "  %s", wm_basename(n->file));
	else if (s->linkage && s->object && s->object[0] != '(')
		wm_doc_print(c->d, "  [%s]", wm_basename(s->object));
	else if (s->linkage && !m->main && m->path)
		wm_doc_print(c->d, "  [%s]", wm_basename(m->path));
}

static void put_node(const struct cut *c, const struct wm_tree_node *n)
{
	char name[WM_TEXT_NAME];
	struct wm_buf b;
	size_t used;

	put_share(c, n->bytes);
	wm_doc_print(c->d, "  %11s", wm_bytes(&b, n->bytes));
	if (!c->tree->bottom_up)
		wm_doc_print(c->d, "  %11s",
			     n->self_bytes ? wm_bytes(&b, n->self_bytes) : "-");
	wm_doc_print(c->d, "  %10s", wm_count(&b, n->blocks));
	used = put_indent(c, n->depth) + (c->tree->bottom_up ? 33 : 46);
	wm_doc_print(c->d, "%s",
		     wm_text_name(c->d, n->symbol->name, used, name));
	put_place(c, n);
	if (n->recursion > 1)
		wm_doc_print(c->d, "  (recursion: up to %" PRIu32 " times)",
			     n->recursion);
	wm_doc_print(c->d, "\n");
}

static void put_children(const struct cut *c, const struct wm_tree_node *n)
{
	uint64_t bytes = 0, blocks = 0;
	struct wm_buf b, d;
	size_t i, shown = 0;

	/* most bytes first: what is not shown comes last */
	for (i = 0; i < n->children; i++) {
		const struct wm_tree_node *child = wm_tree_child(c->tree, n, i);

		if (!is_shown(c, child, i)) {
			bytes += child->bytes;
			blocks += child->blocks;
			continue;
		}
		shown++;
		put_node(c, child);
		put_children(c, child);
	}
	if (shown == n->children)
		return;
	put_share(c, bytes);
	wm_doc_print(c->d, "  %11s%*s  %10s", wm_bytes(&b, bytes),
		     c->tree->bottom_up ? 0 : 13, "", wm_count(&d, blocks));
	put_indent(c, n->depth + 1);
	wm_doc_print(c->d, "... %zu more\n", n->children - shown);
}

static void put_people(const struct wm_tree *t, const struct wm_analysis *a,
		       const struct wm_opts *o, struct wm_doc *d)
{
	struct cut c = { a, t, o->top, o->top_given && !o->top, d };
	char when[WM_WHEN_TEXT];
	struct wm_buf b, e;

	wm_doc_title(d, "%s  run %s: %s in %s%s %s", a->name, a->id,
		     wm_bytes(&b, t->node->bytes),
		     wm_blocks(&e, t->node->blocks),
		     a->chosen == WM_ALL_RANKS ? "," : "", wm_when(a, when));
	wm_text_notes(a, d);
	if (o->bottom_up)
		wm_doc_print(d, "\n%8s  %11s  %10s  %s\n", "share", "bytes",
			     "blocks", "site, and below it its callers");
	else
		wm_doc_print(d, "\n%8s  %11s  %11s  %10s  %s\n", "share",
			     "bytes", "itself", "blocks",
			     "function, and below it what it calls");
	put_children(&c, t->node);
	if (t->count == 1)
		wm_doc_print(d, "  nothing\n");
	else if (!c.all)
		wm_doc_print(d,
			     "\n  Functions with less than %d %% are in "
			     "\"more\"%s\n",
			     SMALLEST_PERCENT,
			     d->top_given ?
				     ", and so are those that --top cuts off." :
				     " (--top all shows them).");
}

static void put_data(const struct wm_tree *t, const struct wm_tree_node *n,
		     struct wm_json *j)
{
	size_t i;

	wm_json_array(j, "children");
	for (i = 0; i < n->children; i++) {
		const struct wm_tree_node *c = wm_tree_child(t, n, i);

		wm_json_object(j, NULL);
		wm_json_text(j, "name", c->symbol->name);
		wm_json_text(j, "file", c->file);
		wm_json_uint(j, "bytes", c->bytes);
		wm_json_uint(j, "blocks", c->blocks);
		wm_json_uint(j, "self_bytes", c->self_bytes);
		wm_json_uint(j, "self_blocks", c->self_blocks);
		wm_json_uint(j, "recursion", c->recursion);
		put_data(t, c, j);
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
}

static void add_row(const struct wm_tree_node *n, const char *path,
		    struct wm_table *table)
{
	wm_table_uint(table, n->depth);
	wm_table_text(table, path);
	wm_table_text(table, n->symbol->name);
	wm_table_text(table, n->file);
	wm_table_uint(table, n->bytes);
	wm_table_uint(table, n->blocks);
	wm_table_uint(table, n->self_bytes);
	wm_table_uint(table, n->self_blocks);
	wm_table_uint(table, n->recursion);
}

static enum wm_status add_rows(const struct wm_tree *t,
			       const struct wm_tree_node *n, const char *above,
			       struct wm_table *table, struct wm_err *err)
{
	enum wm_status s = WM_OK;
	char *path = NULL;
	size_t i;

	for (i = 0; i < n->children && !s; i++) {
		const struct wm_tree_node *c = wm_tree_child(t, n, i);

		if (asprintf(&path, "%s%s%s", above, *above ? ";" : "",
			     c->symbol->name) < 0)
			return wm_err_set(err, WM_NO_MEMORY, "no memory");
		add_row(c, path, table);
		s = add_rows(t, c, path, table, err);
		free(path);
	}
	return s;
}

static enum wm_status put_table(const struct wm_tree *t, struct wm_doc *d,
				struct wm_err *err)
{
	static const struct wm_table_column columns[] = {
		{ "depth", "depth", WM_UNIT_NUMBER },
		{ "path", "path", WM_UNIT_TEXT },
		{ "name", "function", WM_UNIT_TEXT },
		{ "file", "file", WM_UNIT_TEXT },
		{ "bytes", "bytes", WM_UNIT_BYTES },
		{ "blocks", "blocks", WM_UNIT_COUNT },
		{ "self_bytes", "itself", WM_UNIT_BYTES },
		{ "self_blocks", "in blocks", WM_UNIT_COUNT },
		{ "recursion", "recursion", WM_UNIT_COUNT },
		{ NULL, NULL, 0 },
	};
	struct wm_table table;
	enum wm_status s;

	wm_table_init(&table, columns);
	s = add_rows(t, t->node, "", &table, err);
	if (s)
		wm_table_release(&table);
	else
		wm_doc_table(d, &table, NULL, 0, WM_FOR_CSV);
	return s;
}

static enum wm_status tree_build(const struct wm_analysis *a,
				 const struct wm_opts *o, struct wm_doc *d,
				 struct wm_err *err)
{
	struct wm_json *j = &d->data;
	struct wm_tree t;
	enum wm_status s = wm_tree_make(&t, a, a->use, o->bottom_up, err);

	if (s)
		return s;
	if (wm_doc_wants(d, WM_FOR_TEXT))
		put_people(&t, a, o, d);
	wm_json_object(j, "tree");
	wm_json_text(j, "order", o->bottom_up ? "bottom-up" : "top-down");
	wm_json_uint(j, "bytes", t.node->bytes);
	wm_json_uint(j, "blocks", t.node->blocks);
	put_data(&t, t.node, j);
	wm_json_end_object(j);
	if (wm_doc_wants(d, WM_FOR_CSV))
		s = put_table(&t, d, err);
	wm_tree_release(&t);
	return s;
}

static enum wm_status tree_svg(const struct wm_analysis *a,
			       const struct wm_opts *o, FILE *out,
			       struct wm_err *err)
{
	struct wm_tree t;
	enum wm_status s = wm_tree_make(&t, a, a->use, o->bottom_up, err);

	if (s)
		return s;
	wm_tree_svg(a, &t, out);
	wm_tree_release(&t);
	return WM_OK;
}

const struct wm_report wm_tree_report = {
	.name = "tree",
	.help = "the same as a call tree; --bottom-up: from the sites; --svg",
	.needs = WM_NEEDS(heap),
	.build = tree_build,
	.svg = tree_svg,
};
