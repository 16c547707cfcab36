/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who holds memory, by source file and line of the allocation site.
 */
#include "analyze/report/reports.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/base/shorten.h"
#include "analyze/render/table.h"
#include "analyze/report/report.h"
#include "analyze/report/text.h"
#include "analyze/symbols/site.h"

#define FILES_SHOWN 10
#define LINES_SHOWN 5

/* A line of a function; before that, a call path. */
struct line {
	const struct wm_symbol *symbol;
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

static int text_order(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

static int same_place(const struct line *x, const struct line *y)
{
	int r = text_order(x->file, y->file);

	if (!r)
		r = (x->symbol->line > y->symbol->line) -
		    (x->symbol->line < y->symbol->line);
	return r ? r : strcmp(x->symbol->name, y->symbol->name);
}

static int by_place(const void *a, const void *b)
{
	return same_place(a, b);
}

static int order(uint64_t bytes, uint64_t blocks, uint64_t other,
		 uint64_t other_blocks)
{
	if (bytes != other)
		return bytes > other ? -1 : 1;
	return (blocks < other_blocks) - (blocks > other_blocks);
}

static int line_by_bytes(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int r = order(x->bytes, x->blocks, y->bytes, y->blocks);

	return r ? r : same_place(x, y);
}

static int file_by_bytes(const void *a, const void *b)
{
	const struct file *x = a, *y = b;
	int r = order(x->bytes, x->blocks, y->bytes, y->blocks);

	return r ? r : text_order(x->file, y->file);
}

static void release(struct files *f)
{
	free(f->line);
	free(f->file);
}

static enum wm_status collect(struct files *f, const struct wm_analysis *a,
			      struct wm_err *err)
{
	size_t i;

	f->line = calloc(a->paths.path_count + 1, sizeof(*f->line));
	f->file = calloc(a->paths.path_count + 1, sizeof(*f->file));
	if (!f->line || !f->file)
		return wm_err_set(err, WM_NO_MEMORY, "no memory");
	for (i = 0; i < a->paths.path_count; i++) {
		struct line *l = &f->line[f->lines];

		if (!a->use[i].peak_blocks)
			continue;
		l->symbol =
			wm_site_find(a->symbols, &a->paths, (uint32_t)i).symbol;
		if (!l->symbol)
			return wm_err_set(err, WM_NO_MEMORY, "no memory");
		l->file = l->symbol->file;
		l->bytes = a->use[i].peak_bytes;
		l->blocks = a->use[i].peak_blocks;
		f->bytes += l->bytes;
		f->blocks += l->blocks;
		f->lines++;
	}
	return WM_OK;
}

static void group(struct files *f)
{
	size_t i, n = 0;

	if (f->lines)
		qsort(f->line, f->lines, sizeof(*f->line), by_place);
	for (i = 0; i < f->lines; i++) {
		struct line *l = &f->line[i];
		struct file *last = f->count ? &f->file[f->count - 1] : NULL;

		if (!last || text_order(last->file, l->file) != 0) {
			last = &f->file[f->count++];
			last->file = l->file;
			last->line = &f->line[n];
		}
		last->bytes += l->bytes;
		last->blocks += l->blocks;
		if (last->count && same_place(&f->line[n - 1], l) == 0) {
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
	if (f->count)
		qsort(f->file, f->count, sizeof(*f->file), file_by_bytes);
}

static enum wm_status make(struct files *f, const struct wm_analysis *a,
			   struct wm_err *err)
{
	enum wm_status s;

	memset(f, 0, sizeof(*f));
	s = collect(f, a, err);
	if (s)
		release(f);
	else
		group(f);
	return s;
}

static void put_numbers(const struct files *f, uint64_t bytes, uint64_t blocks,
			struct wm_doc *d)
{
	struct wm_buf b, c;

	if (f->bytes)
		wm_doc_print(d, "%6.1f %%",
			     100.0 * (double)bytes / (double)f->bytes);
	else
		wm_doc_print(d, "%8s", "-");
	wm_doc_print(d, "  %11s  %10s  ", wm_bytes(&b, bytes),
		     wm_count(&c, blocks));
}

static void put_lines(const struct files *f, const struct file *p, size_t top,
		      struct wm_doc *d)
{
	char name[WM_TEXT_NAME];
	uint64_t bytes = p->bytes, blocks = p->blocks;
	size_t i;

	for (i = 0; i < p->count && (!top || i < top); i++) {
		const struct line *l = &p->line[i];

		put_numbers(f, l->bytes, l->blocks, d);
		if (l->symbol->line)
			wm_doc_print(d, "  %6u  ", l->symbol->line);
		else
			wm_doc_print(d, "  %6s  ", "");
		wm_doc_print(d, "%s\n",
			     wm_text_name(d, l->symbol->name, 45, name));
		bytes -= l->bytes;
		blocks -= l->blocks;
	}
	if (i == p->count)
		return;
	put_numbers(f, bytes, blocks, d);
	wm_doc_print(d, "  %6s  %zu more\n", "...", p->count - i);
}

static void put_people(const struct files *f, const struct wm_analysis *a,
		       const struct wm_opts *o, struct wm_doc *d)
{
	size_t top = wm_top(o, FILES_SHOWN), i;
	uint64_t bytes = f->bytes, blocks = f->blocks;
	char when[WM_WHEN_TEXT];
	struct wm_buf b, c;

	wm_doc_title(d, "%s  run %s: %s in %s blocks%s %s", a->name, a->id,
		     wm_bytes(&b, bytes), wm_count(&c, blocks),
		     a->chosen == WM_ALL_RANKS ? "," : "", wm_when(a, when));
	wm_text_notes(a, d);
	wm_doc_print(d, "\n%8s  %11s  %10s  %s\n", "share", "bytes", "blocks",
		     "file, and below it line and function");
	for (i = 0; i < f->count && (!top || i < top); i++) {
		const struct file *p = &f->file[i];

		put_numbers(f, p->bytes, p->blocks, d);
		wm_doc_print(d, "%s\n", p->file ? p->file : "??");
		put_lines(f, p, top ? LINES_SHOWN : 0, d);
		bytes -= p->bytes;
		blocks -= p->blocks;
	}
	if (i == f->count)
		return;
	put_numbers(f, bytes, blocks, d);
	wm_doc_print(d, "%zu more file%s%s\n", f->count - i,
		     f->count - i == 1 ? "" : "s",
		     d->top_given ? "" : " (--top all)");
}

static void put_data(const struct files *f, struct wm_json *j)
{
	size_t i, k;

	wm_json_array(j, "files");
	for (i = 0; i < f->count; i++) {
		wm_json_object(j, NULL);
		wm_json_text(j, "file", f->file[i].file);
		wm_json_uint(j, "bytes", f->file[i].bytes);
		wm_json_uint(j, "blocks", f->file[i].blocks);
		wm_json_array(j, "lines");
		for (k = 0; k < f->file[i].count; k++) {
			const struct line *l = &f->file[i].line[k];

			wm_json_flat_object(j, NULL);
			wm_json_uint(j, "line", l->symbol->line);
			wm_json_text(j, "name", l->symbol->name);
			wm_json_uint(j, "bytes", l->bytes);
			wm_json_uint(j, "blocks", l->blocks);
			wm_json_end_object(j);
		}
		wm_json_end_array(j);
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
}

static void put_table(const struct files *f, struct wm_doc *d)
{
	static const struct wm_table_column columns[] = {
		{ "file", "file", WM_UNIT_TEXT },
		{ "line", "line", WM_UNIT_NUMBER },
		{ "name", "function", WM_UNIT_TEXT },
		{ "bytes", "bytes", WM_UNIT_BYTES },
		{ "blocks", "blocks", WM_UNIT_COUNT },
		{ NULL, NULL, 0 },
	};
	struct wm_table t;
	size_t i, k;

	wm_table_init(&t, columns);
	for (i = 0; i < f->count; i++)
		for (k = 0; k < f->file[i].count; k++) {
			const struct line *l = &f->file[i].line[k];

			wm_table_text(&t, l->file);
			wm_table_uint(&t, l->symbol->line);
			wm_table_text(&t, l->symbol->name);
			wm_table_uint(&t, l->bytes);
			wm_table_uint(&t, l->blocks);
		}
	wm_doc_table(d, &t, NULL, 0, WM_FOR_CSV);
}

static enum wm_status files_build(const struct wm_analysis *a,
				  const struct wm_opts *o, struct wm_doc *d,
				  struct wm_err *err)
{
	struct files f;
	enum wm_status s = make(&f, a, err);

	if (s)
		return s;
	put_people(&f, a, o, d);
	put_data(&f, &d->data);
	if (wm_doc_wants(d, WM_FOR_CSV))
		put_table(&f, d);
	release(&f);
	return WM_OK;
}

const struct wm_report wm_files_report = {
	.name = "files",
	.help = "who holds the heap at its peak, by source file and line",
	.needs = WM_NEEDS(heap),
	.build = files_build,
};
