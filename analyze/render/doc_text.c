/* SPDX-License-Identifier: Apache-2.0 */
/* A report as text: lines, which are wrapped where there is a reader who sees
 * the end of them, and tables in columns. */
#include "analyze/render/doc.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/base/shorten.h"

/* Names are not cut below that, even where the line is too long then. */
#define NARROWEST 24

/* Columns on the screen that UTF-8 text takes. */
static size_t width(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

/*
 * Where what does not fit goes on: below the last column, which two blanks
 * begin (but no sentence); or, if that is far to the right, near the beginning.
 */
static size_t hanging(const char *line, size_t room)
{
	size_t lead = strspn(line, " "), used = lead;
	size_t at = lead < room / 2 ? lead + 2 : lead;
	const char *s;

	for (s = line + lead; *s && used < room - room / 3; s++) {
		if (s > line + lead + 2 && s[0] != ' ' && s[-1] == ' ' &&
		    s[-2] == ' ' && s[-3] != '.')
			at = used;
		used += ((unsigned char)*s & 0xc0) != 0x80;
	}
	return at;
}

/* The blank at which a line is cut that does not fit: the last one that leaves
 * enough, else the first one; NULL: it fits, or has none. */
static const char *find_cut(const char *line, size_t room)
{
	size_t used = strspn(line, " ");
	const char *s, *cut = NULL;

	if (width(line) <= room)
		return NULL;
	for (s = line + used; *s; s++) {
		if (*s == ' ' && s[-1] != ' ' && (!cut || used <= room))
			cut = s;
		if (cut && used > room)
			break;
		used += ((unsigned char)*s & 0xc0) != 0x80;
	}
	return cut;
}

/* A line, on as many as it takes; words that are too long stay whole. */
static void put_wrapped(const char *line, size_t room, FILE *out)
{
	size_t at = hanging(line, room), rest = room;
	const char *cut;

	while ((cut = find_cut(line, rest)) && cut[strspn(cut, " ")]) {
		fprintf(out, "%.*s\n%*s", (int)(cut - line), line, (int)at, "");
		line = cut + strspn(cut, " ");
		rest = room > at ? room - at : 1;
	}
	fputs(line, out);
}

/* Lines that are whole; what has no end yet waits for it. */
static void put_lines(struct wm_doc *d)
{
	char *line, *rest = d->text;

	while ((line = strsep(&rest, "\n")) && rest) {
		put_wrapped(line, d->columns, d->out);
		putc('\n', d->out);
	}
	if (line)
		put_wrapped(line, d->columns, d->out);
}

static void flush(struct wm_doc *d)
{
	if (!d->lines)
		return;
	if (fclose(d->lines)) {
		if (!d->status)
			d->status = wm_err_set(d->err, WM_NO_MEMORY,
					       "no memory for a line");
	} else {
		put_lines(d);
	}
	free(d->text);
	d->lines = NULL;
	d->text = NULL;
}

static void text_print(struct wm_doc *d, const char *fmt, va_list ap)
{
	size_t n = strlen(fmt);

	if (!d->wrap) {
		vfprintf(d->out, fmt, ap);
		return;
	}
	if (!d->lines)
		d->lines = open_memstream(&d->text, &d->size);
	vfprintf(d->lines ? d->lines : d->out, fmt, ap);
	if (n && fmt[n - 1] == '\n')
		flush(d);
}

static void text_heading(struct wm_doc *d, int blank, const char *fmt,
			 va_list ap)
{
	flush(d);
	if (blank)
		putc('\n', d->out);
	if (d->bold)
		fputs("\033[1m", d->out);
	text_print(d, fmt, ap);
	flush(d);
	fputs(d->bold ? "\033[0m\n" : "\n", d->out);
}

static size_t columns(const struct wm_table *t)
{
	return t->columns < WM_TEXT_COLUMNS ? t->columns : WM_TEXT_COLUMNS;
}

/* A cell as people read it, and room to shorten it in. */
struct shown {
	struct wm_buf buf;
	char name[4 * WM_NAME_COLUMNS + 1];
};

static const char *show(const struct wm_table *t, size_t row, size_t column,
			size_t room, struct shown *s)
{
	const struct wm_table_column *c = &t->column[column];
	const char *text = wm_cell_show(wm_table_cell(t, row, column), c->unit,
					&s->buf);

	return c->unit != WM_UNIT_TEXT || width(text) <= room ?
		       text :
		       wm_shorten(text, room, s->name);
}

static void measure(const struct wm_table *t, size_t rows, size_t *room)
{
	struct shown s;
	size_t r, c;

	for (c = 0; c < columns(t); c++)
		room[c] = wm_table_in_text(t, c) ? width(t->column[c].title) :
						   0;
	for (r = 0; r < rows; r++)
		for (c = 0; c < columns(t); c++) {
			size_t n = 0;

			if (wm_table_in_text(t, c))
				n = width(show(t, r, c, WM_NAME_COLUMNS, &s));
			if (n > room[c])
				room[c] = n;
		}
}

/* Make lines fit: the widest names give way, numbers never do. */
static void fit(const struct wm_table *t, size_t most, size_t *room)
{
	size_t sum = 0, c, widest;

	for (c = 0; c < columns(t); c++)
		if (wm_table_in_text(t, c))
			sum += 2 + room[c];
	for (; sum > most; sum--) {
		widest = columns(t);
		for (c = 0; c < columns(t); c++)
			if (wm_table_in_text(t, c) &&
			    t->column[c].unit == WM_UNIT_TEXT &&
			    room[c] > NARROWEST &&
			    (widest == columns(t) || room[c] > room[widest]))
				widest = c;
		if (widest == columns(t))
			return;
		room[widest]--;
	}
}

/* @last: nothing follows, so nothing is filled up. */
static void put_cell(const char *text, enum wm_unit unit, size_t room, int last,
		     FILE *out)
{
	size_t n = width(text);
	int fill = n < room ? (int)(room - n) : 0;

	if (!wm_unit_is_text(unit))
		fprintf(out, "  %*s%s", fill, "", text);
	else
		fprintf(out, "  %s%*s", text, last ? 0 : fill, "");
}

static void put_rows(const struct wm_table *t, size_t rows, const size_t *room,
		     FILE *out)
{
	size_t r, c, last = 0;
	struct shown s;

	for (c = 0; c < columns(t); c++)
		if (wm_table_in_text(t, c))
			last = c;
	for (c = 0; c < columns(t); c++)
		if (wm_table_in_text(t, c))
			put_cell(t->column[c].title, t->column[c].unit, room[c],
				 c == last, out);
	putc('\n', out);
	for (r = 0; r < rows; r++) {
		for (c = 0; c < columns(t); c++)
			if (wm_table_in_text(t, c))
				put_cell(show(t, r, c, room[c], &s),
					 t->column[c].unit, room[c], c == last,
					 out);
		putc('\n', out);
	}
}

static void text_table(struct wm_doc *d, const struct wm_table *t,
		       const char *key, size_t top, unsigned audience)
{
	size_t all = wm_table_rows(t), rows = top && top < all ? top : all;
	size_t room[WM_TEXT_COLUMNS];

	flush(d);
	(void)key;
	(void)audience;
	measure(t, rows, room);
	fit(t, d->columns, room);
	put_rows(t, rows, room, d->out);
	if (rows < all)
		fprintf(d->out, "  ... %zu more%s\n", all - rows,
			d->top_given ? "" : " (--top all)");
}

const struct wm_form wm_text_form = {
	.readers = WM_FOR_TEXT,
	.heading = text_heading,
	.print = text_print,
	.table = text_table,
	.end = flush,
};
