/* SPDX-License-Identifier: Apache-2.0 */
/* A report as GitHub-flavoured Markdown, for merge requests.  Names come from
 * traces, so no name may become a link, a tag, a mention of a user, an emoji or
 * a column.  Names in tables are code, which sites show unchanged; elsewhere an
 * empty comment separates the characters that could begin such references. */
#include "analyze/render/doc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/plain.h"

#define PART "<!-- -->"
#define BAR_LENGTH 20
#define DEEPEST 16 /* further levels of a tree are not indented */

/* Sites show ":name:" as a picture. */
static bool is_emoji(const char *s)
{
	size_t n = strspn(s + 1, "abcdefghijklmnopqrstuvwxyz0123456789_+-");

	return n && s[n + 1] == ':';
}

/* Returns whether sites make a link, a mention or a picture of @s. */
static bool is_reference(const char *s)
{
	if (*s == ':')
		return s[1] == '/' || is_emoji(s);
	return strchr("@#!%&~", *s) &&
	       (isalnum((unsigned char)s[1]) || s[1] == '_' || s[1] == '"');
}

/* Returns the number of bytes of the character. */
static size_t put_character(const char *s, bool www, FILE *out)
{
	size_t n = wm_plain_length(s, strnlen(s, WM_PLAIN_UNIT));

	if (n > 1) {
		fwrite(s, 1, n, out);
		return n;
	}
	if (*s == '\\' || *s == '|' || *s == '<' || *s == '>' || *s == '&')
		fprintf(out, "&#%d;", *s);
	else if (*s == '$')
		fputs("<span>$</span>", out);
	else if (strchr("*_`[]#~", *s))
		fprintf(out, "\\%c", *s);
	else if (strchr("\n\r\t", *s))
		putc(' ', out);
	else if (*s == '.' && www)
		fputs(PART ".", out); /* "www." alone is a link */
	else
		putc(n ? *s : '?', out);
	if (is_reference(s))
		fputs(PART, out);
	return 1;
}

static void put_prose(const char *s, FILE *out)
{
	const char *from = s;

	while (*s)
		s += put_character(s, s >= from + 3 && !memcmp(s - 3, "www", 3),
				   out);
}

/* Writes a backslash before characters that begin a list or a heading. */
static void put_line(const char *s, FILE *out)
{
	size_t digits = strspn(s, "0123456789");

	if (digits && strchr(".)", s[digits]) && s[digits + 1] == ' ') {
		fprintf(out, "%.*s\\", (int)digits, s);
		s += digits;
	} else if (strchr("-+=", *s)) {
		putc('\\', out);
	}
	put_prose(s, out);
}

/* Writes a name as code; as an element if it would end a code span or a
 * cell. */
static void put_code(const char *s, FILE *out)
{
	bool element = s[strcspn(s, "`|\\\n\r\t")] || *s == ' ';
	size_t n;

	if (!*s)
		return;
	fputs(element ? "<code>" : "`", out);
	for (; *s; s += n ? n : 1) {
		n = wm_plain_length(s, strnlen(s, WM_PLAIN_UNIT));
		if (n > 1)
			fwrite(s, 1, n, out);
		else if (strchr("\n\r\t", *s))
			putc(' ', out);
		else if (!n)
			putc('?', out);
		else if (element && ispunct((unsigned char)*s))
			fprintf(out, "&#%d;", *s);
		else
			putc(*s, out);
	}
	fputs(element ? "</code>" : "`", out);
}

static void put_lines(struct wm_doc *d)
{
	char *text = d->text, *line;
	bool open = false;

	while ((line = strsep(&text, "\n"))) {
		line += strspn(line, " ");
		if (*line) {
			if (open)
				fputs("\\\n", d->out);
			put_line(line, d->out);
		} else if (open) {
			fputs("\n\n", d->out);
		}
		open = *line != 0;
	}
	if (open)
		fputs("\n\n", d->out);
}

__attribute__((format(printf, 3, 0))) static void
markdown_heading(struct wm_doc *d, bool blank, const char *fmt, va_list ap)
{
	char *text;

	if (vasprintf(&text, fmt, ap) < 0) {
		wm_doc_no_memory(d);
		return;
	}
	fputs(blank ? "### " : "## ", d->out);
	put_prose(text + strspn(text, " "), d->out);
	fputs("\n\n", d->out);
	free(text);
}

static bool has_column(const size_t *column, size_t count, size_t c)
{
	for (size_t i = 0; i < count; i++)
		if (column[i] == c)
			return true;
	return false;
}

static bool has_something(const struct wm_table *t, size_t rows, size_t c)
{
	const char *title = t->column[c].title;
	struct wm_figure b;

	if (title && title[strspn(title, " ")])
		return true;
	for (size_t r = 0; r < rows; r++) {
		const struct wm_cell *cell = wm_table_cell(t, r, c);
		enum wm_unit unit = wm_table_unit(t, r, c);

		if (unit == WM_UNIT_BAR ? cell->kind == WM_CELL_REAL :
					  *wm_cell_show(cell, unit, &b))
			return true;
	}
	return false;
}

/* Writes the columns of all levels to @column and returns their number.
 * Further columns of deeper levels come before the last column of the first
 * level, the name.  Returns 0 without columns or without memory. */
static size_t list_columns(struct wm_doc *d, const struct wm_table *t,
			   size_t rows, size_t *column)
{
	size_t *of_level = wm_doc_columns(d, t), count = 0, depth, n, i, last;

	for (depth = 0; of_level && depth < (t->levels ? t->levels : 1);
	     depth++) {
		n = wm_table_people(t, depth, of_level);
		for (i = 0; i < n; i++) {
			if (has_column(column, count, of_level[i]) ||
			    !has_something(t, rows, of_level[i]))
				continue;
			column[count++] = of_level[i];
			if (!depth || count < 2)
				continue;
			last = column[count - 2];
			column[count - 2] = column[count - 1];
			column[count - 1] = last;
		}
	}
	free(of_level);
	return count;
}

static void put_titles(const struct wm_table *t, const size_t *column,
		       size_t count, FILE *out)
{
	for (size_t i = 0; i < count; i++) {
		const char *title = t->column[column[i]].title;
		char *trimmed = strdup(title ? title + strspn(title, " ") : "");
		size_t n = trimmed ? strlen(trimmed) : 0;

		while (n && trimmed[n - 1] == ' ')
			trimmed[--n] = 0;
		fputs(i ? " " : "| ", out);
		put_prose(trimmed ? trimmed : "", out);
		fputs(" |", out);
		free(trimmed);
	}
	fputs("\n|", out);
	for (size_t i = 0; i < count; i++) {
		enum wm_unit unit = t->column[column[i]].unit;

		fputs(wm_unit_is_text(unit) || unit == WM_UNIT_BAR ? "---|" :
								     "---:|",
		      out);
	}
	putc('\n', out);
}

static void put_bar(const struct wm_cell *c, FILE *out)
{
	double v = c->kind == WM_CELL_REAL ? c->real : 0;
	int n = v > 0 ? (int)((v < 1 ? v : 1) * BAR_LENGTH + 0.5) : 0;

	if (v > 0)
		fprintf(out, "`%.*s`", n ? n : 1, "####################");
}

static void put_indent(const struct wm_table *t, size_t row, FILE *out)
{
	size_t depth = wm_table_depth(t, row), i;

	for (i = 0; i < depth && i < DEEPEST; i++)
		fputs("&emsp;", out);
	if (depth > DEEPEST)
		fprintf(out, "(level %zu) ", depth + 1);
}

static void put_cell(const struct wm_table *t, size_t row, size_t column,
		     FILE *out)
{
	const struct wm_cell *c = wm_table_cell(t, row, column);
	enum wm_unit unit = wm_table_unit(t, row, column);
	struct wm_figure b;

	if (unit == WM_UNIT_BAR) {
		put_bar(c, out);
	} else if (unit == WM_UNIT_TEXT && c->kind == WM_CELL_TEXT) {
		put_indent(t, row, out);
		put_code(c->text, out);
		put_prose(wm_cell_more(c), out);
	} else {
		put_prose(wm_cell_show(c, unit, &b), out);
	}
}

static void put_rest(const struct wm_doc *d, const struct wm_table *t, size_t n)
{
	const char *how = d->top_given ? "" : " (`--top all`)";

	if (t->noun)
		fprintf(d->out, "%zu more %s%s%s\n\n", n, t->noun,
			n == 1 ? "" : "s", how);
	else
		fprintf(d->out, "... %zu more%s\n\n", n, how);
}

static void markdown_table(struct wm_doc *d, const struct wm_table *t,
			   const char *key, size_t top)
{
	size_t all = wm_table_rows(t), rows = top && top < all ? top : all;
	size_t *column = wm_doc_columns(d, t), count, r, i;

	(void)key;
	if (!column)
		return;
	count = list_columns(d, t, rows, column);
	if (count && rows)
		put_titles(t, column, count, d->out);
	for (r = 0; r < rows && count; r++) {
		for (i = 0; i < count; i++) {
			fputs(i ? " " : "| ", d->out);
			put_cell(t, r, column[i], d->out);
			fputs(" |", d->out);
		}
		putc('\n', d->out);
	}
	if (count && rows)
		putc('\n', d->out);
	if (rows < all)
		put_rest(d, t, all - rows);
	free(column);
}

const struct wm_form wm_markdown_form = {
	.readers = WM_FOR_TEXT,
	.heading = markdown_heading,
	.print = wm_doc_wait,
	.table = markdown_table,
	.lines = put_lines,
};
