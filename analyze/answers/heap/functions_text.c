/* SPDX-License-Identifier: Apache-2.0 */
/* The list of functions that hold memory. */
#include "analyze/answers/text.h"

#include <stdbool.h>
#include <stdlib.h>

#include "analyze/answers/heap/path_frames.h"
#include "analyze/symbols/site.h"
#include "analyze/answers/heap/forwarders.h"

/* the most wrappers that a row names */
#define MAX_FORWARDERS 3

/* The wrappers between the functions of a row and their allocation sites. */
struct passed {
	const struct wm_symbol *forwarder[MAX_FORWARDERS];
	size_t count;
	bool more;
};

static const struct wm_table_column columns[] = {
	{ "name", "function", WM_UNIT_TEXT },
	{ "file", NULL, WM_UNIT_TEXT },
	{ "line", NULL, WM_UNIT_NUMBER },
	{ "bytes", "      bytes", WM_UNIT_BYTES },
	{ "blocks", "    blocks", WM_UNIT_COUNT },
	{ ".share", " share", WM_UNIT_PERCENT },
	{ ".in", "", WM_UNIT_BLOCKS },
	{ ".tags", "", WM_UNIT_WORDS },
};

static void add_forwarder(struct passed *p, const struct wm_symbol *s)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->forwarder[i]->function == s->function)
			return;
	if (p->count < MAX_FORWARDERS)
		p->forwarder[p->count++] = s;
	else
		p->more = true;
}

/* Writes "  (through grid_alloc, xmalloc)", or nothing. */
static void put_forwarders(const struct wm_analysis *a,
			   const struct wm_function *f, FILE *out)
{
	struct wm_path_frames stack = { .count = 0 };
	char name[WM_NAME_COLUMNS + 1];
	struct passed p = { .count = 0 };
	bool direct = false;

	for (size_t i = 0; i < f->held_count; i++) {
		const struct wm_held *h = &f->held[i];

		direct |= !h->passed;
		if (!h->passed || wm_path_frames_fill(&stack, a, h->path, NULL))
			continue;
		for (size_t k = h->passed; k-- > 0 && k < stack.count;)
			add_forwarder(&p, stack.frame[k].symbol);
	}
	wm_path_frames_release(&stack);
	if (!p.count)
		return;
	fprintf(out, "  (%sthrough ", direct ? "in part " : "");
	for (size_t i = 0; i < p.count; i++)
		fprintf(out, "%s%s", i ? ", " : "",
			wm_shorten(p.forwarder[i]->name, WM_NAME_COLUMNS / 2,
				   name));
	fprintf(out, "%s)", p.more ? " ..." : "");
}

/* Returns whether all call paths of @f end on the line that is shown for @f. */
static bool is_one_line(const struct wm_analysis *a,
			const struct wm_function *f)
{
	struct wm_frame site;

	for (size_t i = 0; i < f->held_count; i++) {
		site = wm_site_find(a->symbols, &a->paths, f->held[i].path);
		if (!site.symbol || site.symbol->line != f->symbol->line)
			return false;
	}
	return true;
}

/* Returns NULL if memory is short. */
static char *text_behind(const struct wm_analysis *a,
			 const struct wm_function *f)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct wm_symbol place = *f->symbol;

	if (!out)
		return NULL;
	if (!is_one_line(a, f))
		place.receiver = NULL;
	wm_put_place(&place, &a->paths.modules[f->module], out);
	put_forwarders(a, f, out);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

static void add_function(struct wm_table *t, const struct wm_function *f,
			 uint64_t whole, const char *more)
{
	wm_table_row(t, 0);
	wm_table_name(t, f->name, more);
	WM_TABLE_ADD(t, f->file, f->line, f->bytes, f->blocks,
		     wm_share(f->bytes, whole));
}

static void add_rest(struct wm_table *t, const struct wm_functions *f,
		     size_t from, bool top_given)
{
	uint64_t bytes = 0, blocks = 0;
	size_t n = f->count - from, i;

	for (i = from; i < f->count; i++) {
		bytes += f->function[i].bytes;
		blocks += f->function[i].blocks;
	}
	wm_table_row(t, 0);
	wm_table_format(t, "%zu more function%s%s", n, n == 1 ? "" : "s",
			top_given ? "" : " (--top all)");
	wm_table_at(t, "bytes");
	WM_TABLE_ADD(t, bytes, blocks, wm_share(bytes, f->bytes));
}

static void tell_functions(const struct wm_analysis *a,
			   const struct wm_functions *f, size_t top,
			   size_t paths, struct wm_doc *d)
{
	struct wm_table t;
	size_t i;

	if (!f->count) {
		wm_doc_print(d, "  nothing\n");
		return;
	}
	WM_TABLE_INIT(&t, columns);
	wm_table_level(&t, ".share bytes blocks name", 0, NULL);
	wm_table_level(&t, ".share bytes .in .tags", 4, NULL);
	wm_table_level(&t, "name", 29, NULL);
	t.airy = paths != 0;
	for (i = 0; i < f->count && (!top || i < top); i++) {
		const struct wm_function *fn = &f->function[i];
		char *more = text_behind(a, fn);

		t.short_of_memory |= !more;
		add_function(&t, fn, f->bytes, more);
		free(more);
		if (paths)
			wm_add_paths(&t, a, fn, f->moment, f->bytes,
				     top ? paths : 0);
		else
			wm_add_variables(&t, a, fn, f->moment);
	}
	if (i < f->count)
		add_rest(&t, f, i, d->top_given);
	wm_doc_table(d, &t, NULL, 0, WM_FOR_TEXT);
}

void wm_text_functions(const struct wm_analysis *a,
		       const struct wm_functions *f, size_t top, size_t paths,
		       struct wm_doc *d)
{
	struct wm_functions folded;

	if (!wm_doc_wants(d, WM_FOR_TEXT))
		return;
	/* if memory is short, the list is not folded */
	if (wm_forwarders_fold(&folded, f, a, NULL))
		tell_functions(a, f, top, paths, d);
	else
		tell_functions(a, &folded, top, paths, d);
	wm_functions_release(&folded);
}

void wm_functions_csv(const struct wm_functions *f, struct wm_doc *d)
{
	struct wm_table t;

	if (!wm_doc_wants(d, WM_FOR_CSV))
		return;
	WM_TABLE_INIT(&t, columns);
	for (size_t i = 0; i < f->count; i++)
		add_function(&t, &f->function[i], f->bytes, NULL);
	wm_doc_table(d, &t, NULL, 0, WM_FOR_CSV);
}
