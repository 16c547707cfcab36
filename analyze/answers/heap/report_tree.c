/* SPDX-License-Identifier: Apache-2.0 */
/* --tree: the holders of the heap at its peak, as a call tree. */
#include "analyze/answers/reports.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/answers/heap/tree.h"
#include "analyze/render/table.h"
#include "analyze/answers/heap/threads.h"
#include "analyze/answers/report.h"
#include "analyze/answers/text.h"

/* People see only nodes with at least this part of the whole, in percent. */
#define SMALLEST_PERCENT 1

struct told {
	const struct wm_analysis *a;
	const struct wm_tree *tree;
	struct wm_table_column column[11];
	struct wm_table t;
	size_t top; /* children of a node that are shown; 0: all */
	bool all; /* all nodes are shown, whatever their share */
	bool paths; /* each row has the path with all callers */
};

static const struct wm_table_column columns[] = {
	{ "depth", NULL, WM_UNIT_NUMBER },
	{ "path", NULL, WM_UNIT_TEXT },
	{ "name", "function, and below it what it calls", WM_UNIT_TEXT },
	{ "symbol", NULL, WM_UNIT_TEXT },
	{ "file", NULL, WM_UNIT_TEXT },
	{ "bytes", "      bytes", WM_UNIT_BYTES },
	{ "blocks", "    blocks", WM_UNIT_COUNT },
	{ "self_bytes", "     itself", WM_UNIT_SOME },
	{ "self_blocks", NULL, WM_UNIT_COUNT },
	{ "recursion", NULL, WM_UNIT_COUNT },
	{ ".share", " share", WM_UNIT_PERCENT },
};

static bool is_shown(const struct told *v, const struct wm_tree_node *n,
		     size_t i)
{
	uint64_t whole = v->tree->node[0].bytes;

	if (v->all)
		return true;
	if (v->top && i >= v->top)
		return false;
	return (double)n->bytes * 100 >= (double)whole * SMALLEST_PERCENT;
}

/* Writes the file of the function, or else its object or library, and how often
 * the function is on one path. */
static void put_more(const struct told *v, const struct wm_tree_node *n,
		     FILE *out)
{
	struct wm_symbol place = *n->symbol;

	place.file = n->file;
	place.line = 0;
	wm_put_place(&place, &v->a->paths.modules[n->module], out);
	if (n->recursion > 1)
		fprintf(out, "  (recursion: up to %" PRIu32 " times)",
			n->recursion);
}

static void add_name(struct told *v, const struct wm_tree_node *n)
{
	char *more = NULL;
	size_t size;
	FILE *out = open_memstream(&more, &size);

	if (out)
		put_more(v, n, out);
	v->t.short_of_memory |= !out || fclose(out);
	wm_table_name(&v->t, n->symbol->name, more);
	free(more);
}

static void add_node(struct told *v, const struct wm_tree_node *n,
		     const char *path)
{
	struct wm_table *t = &v->t;

	wm_table_row(t, n->depth - 1);
	if (v->paths) {
		WM_TABLE_ADD(t, n->depth, path);
	}
	wm_table_at(t, "name");
	add_name(v, n);
	if (n->symbol->region)
		wm_table_text(t, n->symbol->linkage);
	wm_table_at(t, "file");
	WM_TABLE_ADD(t, n->file, n->bytes, n->blocks, n->self_bytes,
		     n->self_blocks, n->recursion,
		     wm_share(n->bytes, v->tree->node->bytes));
}

static void add_rest(struct told *v, const struct wm_tree_node *n, size_t count,
		     uint64_t bytes, uint64_t blocks)
{
	wm_table_row(&v->t, n->depth);
	wm_table_at(&v->t, "name");
	wm_table_format(&v->t, "... %zu more", count);
	wm_table_at(&v->t, "bytes");
	WM_TABLE_ADD(&v->t, bytes, blocks);
	wm_table_at(&v->t, ".share");
	WM_TABLE_ADD(&v->t, wm_share(bytes, v->tree->node->bytes));
}

/* @above is the path of @n. */
static void add_children(struct told *v, const struct wm_tree_node *n,
			 const char *above)
{
	uint64_t bytes = 0, blocks = 0;
	size_t i, shown = 0;
	char *path;

	/* nodes that are not shown come last, as nodes are in order of bytes */
	for (i = 0; i < n->children && !v->t.short_of_memory; i++) {
		const struct wm_tree_node *c = wm_tree_child(v->tree, n, i);

		if (!is_shown(v, c, i)) {
			bytes += c->bytes;
			blocks += c->blocks;
			continue;
		}
		shown++;
		path = NULL;
		if (v->paths &&
		    asprintf(&path, "%s%s%s", above, *above ? ";" : "",
			     c->symbol->name) < 0) {
			v->t.short_of_memory = true;
			return;
		}
		add_node(v, c, path);
		add_children(v, c, path);
		free(path);
	}
	if (shown < n->children && !v->t.short_of_memory)
		add_rest(v, n, n->children - shown, bytes, blocks);
}

static void tell_nodes(struct told *v, unsigned audience, struct wm_doc *d)
{
	if (!wm_doc_wants(d, audience))
		return;
	v->paths = audience == WM_FOR_CSV;
	v->all |= audience != WM_FOR_TEXT;
	memcpy(v->column, columns, sizeof(columns));
	if (v->tree->bottom_up)
		v->column[2].title = "site, and below it its callers";
	WM_TABLE_INIT(&v->t, v->column);
	wm_table_level(&v->t,
		       v->tree->bottom_up ?
			       ".share bytes blocks name" :
			       ".share bytes self_bytes blocks name",
		       0, "children");
	v->t.deep = true;
	v->t.csv_view = "depth path name file bytes blocks self_bytes "
			"self_blocks recursion";
	v->t.spare = "self_bytes blocks bytes";
	add_children(v, v->tree->node, "");
	wm_doc_table(d, &v->t, "children", 0, audience);
}

static void tell_people(struct told *v, struct wm_doc *d)
{
	const struct wm_tree_node *root = v->tree->node;
	const struct wm_analysis *a = v->a;

	wm_tell_held(a, root->bytes, root->blocks, d);
	tell_nodes(v, WM_FOR_TEXT, d);
	if (!root->children)
		wm_doc_print(d, "  nothing\n");
	else if (!v->all)
		wm_doc_print(d,
			     "\n  Functions with less than %d %% are in "
			     "\"more\"%s\n",
			     SMALLEST_PERCENT,
			     d->top_given ?
				     ", and so are those that --top cuts off." :
				     " (--top all shows them).");
}

/* Makes the tree, which refers to @rows.  Without --by the rows are empty. */
static enum wm_status make_tree(struct wm_tree *t, struct wm_thread_rows *rows,
				const struct wm_analysis *a,
				const struct wm_opts *o, struct wm_err *err)
{
	enum wm_status s;

	memset(rows, 0, sizeof(*rows));
	s = o->by ? wm_thread_rows_make(rows, a, err) : WM_OK;
	if (!s)
		s = wm_tree_make(t, a, a->use, o->by ? rows : NULL,
				 o->bottom_up, err);
	if (s)
		wm_thread_rows_release(rows);
	return s;
}

static enum wm_status tree_build(const struct wm_analysis *a,
				 const struct wm_opts *o, struct wm_doc *d,
				 struct wm_err *err)
{
	struct wm_json *j = &d->data;
	struct wm_thread_rows rows;
	struct wm_tree t;
	struct told v = { .a = a,
			  .tree = &t,
			  .top = o->top,
			  .all = o->top_given && !o->top };
	enum wm_status s = make_tree(&t, &rows, a, o, err);

	if (s)
		return s;
	tell_people(&v, d);
	wm_json_object(j, "tree");
	WM_JSON_ADD(j, "order bytes blocks",
		    o->bottom_up ? "bottom-up" : "top-down", t.node->bytes,
		    t.node->blocks);
	tell_nodes(&v, WM_FOR_DATA, d);
	wm_json_end_object(j);
	tell_nodes(&v, WM_FOR_CSV, d);
	wm_tree_release(&t);
	wm_thread_rows_release(&rows);
	return WM_OK;
}

static enum wm_status tree_svg(const struct wm_analysis *a,
			       const struct wm_opts *o, FILE *out,
			       struct wm_err *err)
{
	struct wm_thread_rows rows;
	struct wm_tree t;
	enum wm_status s = make_tree(&t, &rows, a, o, err);

	if (s)
		return s;
	wm_tree_svg(a, &t, out);
	wm_tree_release(&t);
	wm_thread_rows_release(&rows);
	return WM_OK;
}

const struct wm_report wm_tree_report = {
	.name = "tree",
	.help = "call tree of the heap at its peak (--bottom-up, --svg)",
	.needs = WM_NEEDS(heap),
	.wants = wm_by_threads_wants,
	.check = wm_by_threads_check,
	.build = tree_build,
	.svg = tree_svg,
};
