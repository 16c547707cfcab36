/* SPDX-License-Identifier: Apache-2.0 */
/* Holders of memory by source file and line of the allocation site. */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/order.h"
#include "analyze/answers/heap/path_frames.h"
#include "analyze/render/table.h"
#include "analyze/answers/report.h"
#include "analyze/answers/text.h"
#include "analyze/symbols/site.h"

#define FILES_SHOWN 10
#define LINES_SHOWN 5

/* A line of a function, or, at first, a call path. */
struct line {
	const struct wm_symbol *symbol;
	const struct wm_module *module;
	const char *file; /* NULL: unknown */
	uint64_t bytes, blocks;
};

struct file {
	const char *file;
	uint64_t bytes, blocks;
	struct line *line; /* most bytes first */
	size_t count;
};

struct files {
	struct line *line;
	struct file *file; /* most bytes first */
	size_t lines, count;
	uint64_t bytes, blocks;
};

static int by_location(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return WM_KEYS(wm_text_order(x->file, y->file),
		       WM_ORDER(x->symbol->line, y->symbol->line),
		       strcmp(x->symbol->name, y->symbol->name));
}

static int line_by_bytes(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return WM_KEYS(WM_ORDER(y->bytes, x->bytes),
		       WM_ORDER(y->blocks, x->blocks), by_location(x, y));
}

static int file_by_bytes(const void *a, const void *b)
{
	const struct file *x = a, *y = b;

	return WM_KEYS(WM_ORDER(y->bytes, x->bytes),
		       WM_ORDER(y->blocks, x->blocks),
		       wm_text_order(x->file, y->file));
}

static enum wm_status
collect_lines(struct files *f, const struct wm_analysis *a, struct wm_err *err)
{
	struct wm_frame site;

	f->line = calloc(a->paths.path_count + 1, sizeof(*f->line));
	f->file = calloc(a->paths.path_count + 1, sizeof(*f->file));
	if (!f->line || !f->file)
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < a->paths.path_count; i++) {
		struct line *l = &f->line[f->lines];

		if (!a->use[i].peak_blocks)
			continue;
		site = wm_site_find(a->symbols, &a->paths, (uint32_t)i);
		l->symbol = site.symbol;
		if (!l->symbol)
			return wm_no_memory(err, NULL);
		l->module = wm_frame_module(a, &site);
		l->file = l->symbol->file;
		l->bytes = a->use[i].peak_bytes;
		l->blocks = a->use[i].peak_blocks;
		f->bytes += l->bytes;
		f->blocks += l->blocks;
		f->lines++;
	}
	return WM_OK;
}

static void group_lines(struct files *f)
{
	size_t i, n = 0;

	WM_SORT(f->line, f->lines, by_location);
	for (i = 0; i < f->lines; i++) {
		struct line *l = &f->line[i];
		struct file *last = f->count ? &f->file[f->count - 1] : NULL;

		if (!last || wm_text_order(last->file, l->file) != 0) {
			last = &f->file[f->count++];
			last->file = l->file;
			last->line = &f->line[n];
		}
		last->bytes += l->bytes;
		last->blocks += l->blocks;
		if (last->count && by_location(&f->line[n - 1], l) == 0) {
			f->line[n - 1].bytes += l->bytes;
			f->line[n - 1].blocks += l->blocks;
			continue;
		}
		last->count++;
		f->line[n++] = *l;
	}
	for (i = 0; i < f->count; i++)
		qsort(f->file[i].line, f->file[i].count, sizeof(*f->line),
		      line_by_bytes);
	WM_SORT(f->file, f->count, file_by_bytes);
}

static const struct wm_table_column columns[] = {
	{ "file", "file, and below it line and function", WM_UNIT_TEXT },
	{ "line", "  line", WM_UNIT_NUMBER },
	{ "name", "", WM_UNIT_TEXT },
	{ "bytes", "      bytes", WM_UNIT_BYTES },
	{ "blocks", "    blocks", WM_UNIT_COUNT },
	{ ".share", " share", WM_UNIT_PERCENT },
};

static void add_numbers(struct wm_table *t, const struct files *f,
			uint64_t bytes, uint64_t blocks)
{
	wm_table_at(t, "bytes");
	WM_TABLE_ADD(t, bytes, blocks, wm_share(bytes, f->bytes));
}

static void add_lines(struct wm_table *t, const struct files *f,
		      const struct file *p, size_t top, bool people)
{
	uint64_t bytes = p->bytes, blocks = p->blocks;
	size_t i;

	for (i = 0; i < p->count && (!top || i < top); i++) {
		const struct line *l = &p->line[i];

		wm_table_row(t, 1);
		wm_table_at(t, "line");
		if (l->symbol->line || !people)
			wm_table_uint(t, l->symbol->line);
		else
			wm_table_text_or(t, NULL, "");
		if (people && !l->file)
			wm_add_place(t, l->symbol, l->module);
		else
			wm_table_text(t, l->symbol->name);
		add_numbers(t, f, l->bytes, l->blocks);
		bytes -= l->bytes;
		blocks -= l->blocks;
	}
	if (i == p->count)
		return;
	wm_table_row(t, 1);
	wm_table_at(t, "name");
	wm_table_format(t, "... %zu more", p->count - i);
	add_numbers(t, f, bytes, blocks);
}

/* Writes at most @top files, and at most @lines lines of each; 0: all. */
static void tell_files(const struct files *f, size_t top, size_t lines,
		       unsigned audience, struct wm_doc *d)
{
	uint64_t bytes = f->bytes, blocks = f->blocks;
	struct wm_table t;
	size_t i;

	if (!wm_doc_wants(d, audience))
		return;
	WM_TABLE_INIT(&t, columns);
	wm_table_level(&t, ".share bytes blocks file", 0, NULL);
	wm_table_level(&t, ".share bytes blocks line name", 0, "lines");
	for (i = 0; i < f->count && (!top || i < top); i++) {
		const struct file *p = &f->file[i];

		wm_table_row(&t, 0);
		wm_table_text_or(&t, p->file, "(no file known)");
		add_numbers(&t, f, p->bytes, p->blocks);
		add_lines(&t, f, p, lines, audience == WM_FOR_TEXT);
		bytes -= p->bytes;
		blocks -= p->blocks;
	}
	if (i < f->count) {
		wm_table_row(&t, 0);
		wm_table_format(&t, "%zu more file%s%s", f->count - i,
				f->count - i == 1 ? "" : "s",
				d->top_given ? "" : " (--top all)");
		add_numbers(&t, f, bytes, blocks);
	}
	wm_doc_table(d, &t, "files", 0, audience);
}

static void put_words(const struct files *f, struct wm_doc *d)
{
	size_t i;

	if (!f->count)
		wm_doc_print(d, "  nothing\n");
	for (i = 0; i < f->count && f->file[i].file; i++)
		;
	if (i < f->count)
		wm_doc_print(d, "\n  No source file is known: the program was "
				"compiled without -g, or its debug\n"
				"  information is elsewhere.\n");
}

static enum wm_status files_build(const struct wm_analysis *a,
				  const struct wm_opts *o, struct wm_doc *d,
				  struct wm_err *err)
{
	size_t top = wm_top(o, FILES_SHOWN);
	struct files f = { .lines = 0 };
	enum wm_status s = collect_lines(&f, a, err);

	if (!s) {
		group_lines(&f);
		wm_tell_held(a, f.bytes, f.blocks, d);
		tell_files(&f, top, top ? LINES_SHOWN : 0, WM_FOR_TEXT, d);
		put_words(&f, d);
		tell_files(&f, 0, 0, WM_FOR_DATA, d);
		tell_files(&f, 0, 0, WM_FOR_CSV, d);
	}
	free(f.line);
	free(f.file);
	return s;
}

const struct wm_report wm_files_report = {
	.name = "files",
	.help = "source files and lines that hold the heap at its peak",
	.needs = WM_NEEDS(heap),
	.build = files_build,
};
