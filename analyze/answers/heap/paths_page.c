/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the page about stored moments and the call paths that hold memory
 * at each moment. */
#include "analyze/answers/page/page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/whole.h"
#include "analyze/answers/heap/forwarders.h"
#include "analyze/symbols/rules.h"
#include "wm/search.h"

#define MOMENTS 48 /* of the chosen rank, beside its peak and its end */
/* approximate bytes of all function names together */
#define NAME_BYTES (1u << 20)
#define SHORTEST 64 /* a name is not cut to fewer bytes */

enum { WRAPPER = 1, FOREIGN = 2, THREAD = 4 };

static uint64_t ns(double seconds)
{
	return wm_rounded(seconds * 1e9);
}

static void put_moment(struct wm_page *p, const struct wm_stored_moment *m)
{
	static const char *const kind[] = {
		[WM_STORED_PEAK] = "peak",
		[WM_STORED_END] = "end",
		[WM_STORED_SNAPSHOT] = "snapshot",
		[WM_STORED_PHASE] = "phase",
		[WM_STORED_STEP] = "step",
		[WM_STORED_SUM_OF_PEAKS] = "sum_of_peaks",
		[WM_STORED_SUM_OF_ENDS] = "sum_of_ends",
	};
	bool one = m->rank != WM_ALL_RANKS;
	const struct wm_rank *r = one ? &p->a->ranks[m->rank] : NULL;
	const char *what = kind[m->kind];
	struct wm_json *j = &p->d.data;
	bool timed = one && m->seconds >= 0;
	bool wide = m->bin != WM_NO_BIN && m->kind != WM_STORED_END;

	if (m->kind == WM_STORED_END && wm_rank_is_cut(r))
		what = "death";
	wm_json_object(j, NULL);
	WM_JSON_ADD(j, "kind label rank time_ns", what, m->label,
		    wm_known(one, one ? r->rank : 0),
		    wm_known(timed, timed ? ns(m->seconds) : 0));
	WM_JSON_ADD(j, "from_ns to_ns bin bytes",
		    wm_known(wide, wide ? ns(wm_rank_bin(r, m->bin)) : 0),
		    wm_known(wide, wide ? ns(wm_rank_bin(r, m->bin + 1)) : 0),
		    wm_known(m->bin != WM_NO_BIN && m->rank == p->rank, m->bin),
		    m->bytes);
	wm_json_end_object(j);
}

static void put_moments(struct wm_page *p)
{
	const struct wm_stored_moments *m = &p->tree.moments;

	wm_json_array(&p->d.data, "moments");
	for (size_t i = 0; i < m->count; i++)
		put_moment(p, &m->moment[i]);
	wm_json_end_array(&p->d.data);
	if (m->steps_left_out)
		wm_texts_add(&p->bounds,
			     "call paths are stored for %zu moments; they are "
			     "missing for %zu stretches of the timeline",
			     m->count, m->steps_left_out);
	if (m->snapshots_left_out)
		wm_texts_add(&p->bounds,
			     "call paths of %zu snapshots are left out: "
			     "wm-analyze --snapshots shows them",
			     m->snapshots_left_out);
	if (m->phases_left_out)
		wm_texts_add(&p->bounds,
			     "call paths of %zu phases are left out: those "
			     "with the highest peaks are here",
			     m->phases_left_out);
}

struct texts {
	const struct wm_symbol **function;
	size_t functions;
	int64_t *row_of; /* by number of function; -1: none */
	const char **file;
	size_t files;
};

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void collect_files(struct texts *t, const struct wm_small_tree *tree)
{
	size_t i, n = 0;

	for (i = 0; i < tree->count; i++)
		if (tree->node[i].file)
			t->file[n++] = tree->node[i].file;
	WM_SORT(t->file, n, by_text);
	for (i = 0; i < n; i++)
		if (!t->files || strcmp(t->file[t->files - 1], t->file[i]) != 0)
			t->file[t->files++] = t->file[i];
}

static enum wm_status collect_texts(struct texts *t, const struct wm_page *p,
				    struct wm_err *err)
{
	size_t functions = p->a->symbols->functions.count, i;
	const struct wm_small_tree *tree = &p->tree;

	t->function = calloc(tree->count + 1, sizeof(*t->function));
	t->file = calloc(tree->count + 1, sizeof(*t->file));
	t->row_of = calloc(functions + 1, sizeof(*t->row_of));
	if (!t->function || !t->file || !t->row_of)
		return wm_no_memory(err, "the call tree");
	for (i = 0; i <= functions; i++)
		t->row_of[i] = -1;
	for (i = 0; i < tree->count; i++) {
		const struct wm_symbol *s = tree->node[i].symbol;

		if (!s || t->row_of[s->function] >= 0)
			continue;
		t->row_of[s->function] = (int64_t)t->functions;
		t->function[t->functions++] = s;
	}
	collect_files(t, tree);
	return WM_OK;
}

static int64_t file_row(const struct texts *t, const char *file)
{
	const char **found = file ? bsearch(&file, t->file, t->files,
					    sizeof(*t->file), by_text) :
				    NULL;

	return found ? found - t->file : -1;
}

/* Returns the length to which names must be cut so that all names fit. */
static size_t longest_name(const struct texts *t, size_t longest)
{
	size_t sum, i;

	for (;; longest /= 2) {
		for (sum = 0, i = 0; i < t->functions; i++) {
			size_t n = strlen(t->function[i]->name);

			sum += n < longest ? n : longest;
		}
		if (sum <= NAME_BYTES || longest <= SHORTEST)
			return longest;
	}
}

static void put_texts(struct wm_page *p, const struct texts *t)
{
	struct wm_json *j = &p->d.data;
	size_t longest = j->longest;

	j->longest = longest_name(t, longest);
	WM_JSON_LIST(j, "names", i, t->functions, t->function[i]->name);
	WM_JSON_LIST(j, "objects", i, t->functions, t->function[i]->object);
	WM_JSON_LIST(j, "files", i, t->files, t->file[i]);
	j->longest = longest;
}

static uint64_t flags_of(const struct wm_page *p, size_t i)
{
	const struct wm_small_node *n = &p->tree.node[i];
	const struct wm_symbol *s = n->symbol;
	uint64_t flags = 0;

	if (!s)
		return 0;
	if (s->wrapper || wm_forwarders_has(p->a->forwarders, s))
		flags |= WRAPPER;
	/* of a shared library, or of a runtime that is linked in */
	if (!p->a->paths.modules[n->module].main ||
	    (s->group != WM_GROUP_none && s->group != WM_GROUP_show))
		flags |= FOREIGN;
	if (n->parent == 0 && strcmp(s->name, "main") != 0 &&
	    !(s->linkage && strcmp(s->linkage, "MAIN__") == 0))
		flags |= THREAD;
	return flags;
}

static void put_nodes(struct wm_page *p, const struct texts *t)
{
	static const struct wm_table_column columns[] = {
		{ "parent", "", WM_UNIT_NUMBER },
		{ "name", "", WM_UNIT_NUMBER },
		{ "file", "", WM_UNIT_NUMBER },
		{ "line", "", WM_UNIT_NUMBER },
		{ "flags", "", WM_UNIT_NUMBER },
		{ "merged", "", WM_UNIT_COUNT },
	};
	const struct wm_small_tree *tree = &p->tree;
	struct wm_table table;

	WM_TABLE_INIT(&table, columns);
	for (size_t i = 0; i < tree->count; i++) {
		const struct wm_small_node *n = &tree->node[i];

		WM_TABLE_ADD(&table, i ? (int64_t)n->parent : -1,
			     n->symbol ? t->row_of[n->symbol->function] :
			     i	       ? -2 :
					 -1,
			     file_row(t, n->file), n->line, flags_of(p, i),
			     n->merged);
	}
	wm_doc_table(&p->d, &table, "nodes", 0, WM_FOR_DATA);
}

static void put_changes(struct wm_page *p)
{
	const struct wm_small_tree *t = &p->tree;
	struct wm_json *j = &p->d.data;
	size_t i, from = 0;

	wm_json_array(j, "changes");
	for (i = 0; i < t->moments.count; from = t->end[i++]) {
		size_t n = t->end[i] - from;
		const struct wm_small_change *c = n ? t->change + from : NULL;

		wm_json_object(j, NULL);
		WM_JSON_LIST(j, "node", k, n,
			     c[k].node - (k ? c[k - 1].node : 0));
		WM_JSON_LIST(j, "bytes", k, n, c[k].bytes);
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
}

int64_t wm_page_name(const struct wm_page *p, uint32_t function)
{
	return function < p->functions ? p->row_of[function] : -1;
}

enum wm_status wm_page_paths(struct wm_page *p, struct wm_err *err)
{
	struct texts t = { .functions = 0 };
	enum wm_status s = wm_forwarders_find(p->a, err);

	if (!s)
		s = wm_small_tree_make(&p->tree, p->a, MOMENTS, err);
	if (!s)
		s = collect_texts(&t, p, err);
	if (!s) {
		put_moments(p);
		wm_json_object(&p->d.data, "paths");
		put_texts(p, &t);
		put_nodes(p, &t);
		put_changes(p);
		wm_json_end_object(&p->d.data);
		if (p->tree.merged)
			wm_texts_add(&p->bounds,
				     "%" PRIu64 " small functions of the call "
				     "tree are merged: %zu nodes are here",
				     p->tree.merged, p->tree.count);
	}
	p->row_of = t.row_of;
	p->functions = t.row_of ? p->a->symbols->functions.count : 0;
	free(t.function);
	free(t.file);
	return s;
}
