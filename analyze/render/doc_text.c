/* SPDX-License-Identifier: Apache-2.0 */
/* A report as text: lines as they come, tables in columns. */
#include "analyze/render/doc.h"

#include "analyze/base/shorten.h"

/* Names are not cut below that, even where the line is too long then. */
#define NARROWEST 24

static void text_heading(struct wm_doc *d, int blank, const char *fmt,
			 va_list ap)
{
	if (blank)
		putc('\n', d->out);
	if (d->bold)
		fputs("\033[1m", d->out);
	vfprintf(d->out, fmt, ap);
	fputs(d->bold ? "\033[0m\n" : "\n", d->out);
}

static void text_print(struct wm_doc *d, const char *fmt, va_list ap)
{
	vfprintf(d->out, fmt, ap);
}

/* Columns on the screen that UTF-8 text takes. */
static size_t width(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
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

	return c->unit != WM_UNIT_TEXT || width(text) <= room ? text :
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
			    room[c] > NARROWEST && (widest == columns(t) ||
						    room[c] > room[widest]))
				widest = c;
		if (widest == columns(t))
			return;
		room[widest]--;
	}
}

/* @last: nothing follows, so nothing is filled up. */
static void put_cell(const char *text, enum wm_unit unit, size_t room,
		     int last, FILE *out)
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
			put_cell(t->column[c].title, t->column[c].unit,
				 room[c], c == last, out);
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
};
