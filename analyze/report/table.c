/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/report/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/names/shorten.h"
#include "analyze/units.h"
#include "analyze/vec.h"

struct wm_cell {
	enum { CELL_NONE, CELL_TEXT, CELL_UINT, CELL_INT, CELL_REAL } kind;
	union {
		char *text;
		uint64_t u;
		int64_t i;
		double real;
	};
};

/* A cell as people read it. */
struct shown {
	char text[4 * WM_NAME_COLUMNS + 1];
};

void wm_table_init(struct wm_table *t, const struct wm_table_column *columns)
{
	memset(t, 0, sizeof(*t));
	t->column = columns;
	while (columns[t->columns].key)
		t->columns++;
}

void wm_table_release(struct wm_table *t)
{
	size_t i;

	for (i = 0; i < t->cells; i++)
		if (t->cell[i].kind == CELL_TEXT)
			free(t->cell[i].text);
	free(t->cell);
	memset(t, 0, sizeof(*t));
}

static void put(struct wm_table *t, struct wm_cell c)
{
	struct wm_cell *cell = wm_grow(t->cell, &t->cap, t->cells + 1,
				       sizeof(*cell));

	if (!cell) {
		t->short_of_memory = 1;
		if (c.kind == CELL_TEXT)
			free(c.text);
		return;
	}
	t->cell = cell;
	cell[t->cells++] = c;
}

void wm_table_text(struct wm_table *t, const char *text)
{
	struct wm_cell c = { .kind = text ? CELL_TEXT : CELL_NONE };

	if (text) {
		c.text = strdup(text);
		t->short_of_memory |= !c.text;
		if (!c.text)
			c.kind = CELL_NONE;
	}
	put(t, c);
}

void wm_table_uint(struct wm_table *t, uint64_t v)
{
	put(t, (struct wm_cell){ .kind = CELL_UINT, .u = v });
}

void wm_table_int(struct wm_table *t, int64_t v)
{
	put(t, (struct wm_cell){ .kind = CELL_INT, .i = v });
}

void wm_table_real(struct wm_table *t, double v)
{
	put(t, (struct wm_cell){ .kind = CELL_REAL, .real = v });
}

void wm_table_none(struct wm_table *t)
{
	put(t, (struct wm_cell){ .kind = CELL_NONE });
}

static enum wm_status check(const struct wm_table *t, struct wm_err *err)
{
	return t->short_of_memory ?
	       wm_err_set(err, WM_NO_MEMORY, "no memory for a table") : WM_OK;
}

/* Digits after the point in CSV and JSON. */
static int digits(enum wm_unit unit)
{
	return unit == WM_UNIT_SECONDS ? 6 : 3;
}

static const char *show_change(const struct wm_cell *c, struct wm_buf *b)
{
	struct wm_buf n;
	int64_t v = c->kind == CELL_INT ? c->i : (int64_t)c->u;

	if (v == 0)
		return "=";
	wm_bytes(&n, v < 0 ? -(uint64_t)v : (uint64_t)v);
	snprintf(b->s, sizeof(b->s), "%c%.46s", v < 0 ? '-' : '+', n.s);
	return b->s;
}

static const char *show_real(const struct wm_cell *c, enum wm_unit unit,
			     struct wm_buf *b)
{
	if (unit == WM_UNIT_SECONDS)
		return wm_seconds(b, c->real);
	snprintf(b->s, sizeof(b->s), unit == WM_UNIT_PERCENT ? "%.1f %%" :
							       "%.3f", c->real);
	return b->s;
}

static const char *show_integer(const struct wm_cell *c, enum wm_unit unit,
				struct wm_buf *b)
{
	if (unit == WM_UNIT_CHANGE)
		return show_change(c, b);
	if (c->kind == CELL_INT)
		snprintf(b->s, sizeof(b->s), "%" PRId64, c->i);
	else if (unit == WM_UNIT_BYTES)
		return wm_bytes(b, c->u);
	else if (unit == WM_UNIT_COUNT)
		return wm_count(b, c->u);
	else
		snprintf(b->s, sizeof(b->s), "%" PRIu64, c->u);
	return b->s;
}

static const char *show(const struct wm_cell *c, enum wm_unit unit,
			struct shown *s)
{
	struct wm_buf b;

	switch (c->kind) {
	case CELL_TEXT:
		return strlen(c->text) <= WM_NAME_COLUMNS ? c->text :
		       wm_shorten(c->text, WM_NAME_COLUMNS, s->text);
	case CELL_REAL:
		return strcpy(s->text, show_real(c, unit, &b));
	case CELL_UINT:
	case CELL_INT:
		return strcpy(s->text, show_integer(c, unit, &b));
	default:
		return unit == WM_UNIT_TEXT ? "" : "-";
	}
}

/* Columns on the screen that UTF-8 text takes. */
static int width(const char *s)
{
	int n = 0;

	for (; *s; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

/* @last: nothing follows, so nothing is filled up. */
static void put_cell(const char *text, enum wm_unit unit, int room, int last,
		     FILE *out)
{
	int fill = room - width(text);

	if (unit != WM_UNIT_TEXT)
		fprintf(out, "  %*s%s", fill, "", text);
	else
		fprintf(out, "  %s%*s", text, last ? 0 : fill, "");
}

void wm_table_hide(struct wm_table *t, const char *key)
{
	size_t c;

	for (c = 0; c < t->columns; c++)
		if (strcmp(t->column[c].key, key) == 0)
			t->hidden |= (uint64_t)1 << c;
}

static int in_text(const struct wm_table *t, size_t c)
{
	return t->column[c].title && !(t->hidden >> c & 1);
}

static void measure(const struct wm_table *t, size_t rows, int *room)
{
	struct shown s;
	size_t r, c;

	for (c = 0; c < t->columns; c++)
		room[c] = in_text(t, c) ? width(t->column[c].title) : 0;
	for (r = 0; r < rows; r++)
		for (c = 0; c < t->columns; c++) {
			int n = width(show(&t->cell[r * t->columns + c],
					   t->column[c].unit, &s));

			if (n > room[c])
				room[c] = n;
		}
}

enum wm_status wm_table_print(const struct wm_table *t, size_t top, int hint,
			      FILE *out, struct wm_err *err)
{
	size_t all = wm_table_rows(t), rows = top && top < all ? top : all;
	size_t r, c, last = 0;
	struct shown s;
	int *room;

	if (check(t, err))
		return WM_NO_MEMORY;
	room = calloc(t->columns, sizeof(*room));
	if (!room)
		return wm_err_set(err, WM_NO_MEMORY, "no memory");
	measure(t, rows, room);
	for (c = 0; c < t->columns; c++)
		if (in_text(t, c))
			last = c;
	for (c = 0; c < t->columns; c++)
		if (in_text(t, c))
			put_cell(t->column[c].title, t->column[c].unit,
				 room[c], c == last, out);
	putc('\n', out);
	for (r = 0; r < rows; r++) {
		for (c = 0; c < t->columns; c++)
			if (in_text(t, c))
				put_cell(show(&t->cell[r * t->columns + c],
					      t->column[c].unit, &s),
					 t->column[c].unit, room[c], c == last,
					 out);
		putc('\n', out);
	}
	if (rows < all)
		fprintf(out, "  ... %zu more%s\n", all - rows,
			hint ? " (--top all)" : "");
	free(room);
	return WM_OK;
}

/*
 * Spreadsheets take a cell that begins so for a formula, which may run
 * commands; an apostrophe before it makes it text.
 */
static int is_formula(const char *s)
{
	return *s && strchr("=+-@\t\r", *s);
}

static void csv_text(const char *s, FILE *out)
{
	int quote = s[strcspn(s, ",\"\r\n")] != 0;

	if (quote)
		putc('"', out);
	if (is_formula(s))
		putc('\'', out);
	for (; *s; s++) {
		if (*s == '"')
			putc('"', out);
		putc(*s, out);
	}
	if (quote)
		putc('"', out);
}

static void csv_cell(const struct wm_cell *c, enum wm_unit unit, FILE *out)
{
	switch (c->kind) {
	case CELL_TEXT:
		csv_text(c->text, out);
		break;
	case CELL_UINT:
		fprintf(out, "%" PRIu64, c->u);
		break;
	case CELL_INT:
		fprintf(out, "%" PRId64, c->i);
		break;
	case CELL_REAL:
		fprintf(out, "%.*f", digits(unit), c->real);
		break;
	default:
		break;
	}
}

enum wm_status wm_table_csv(const struct wm_table *t, FILE *out,
			    struct wm_err *err)
{
	size_t i, c;

	if (check(t, err))
		return WM_NO_MEMORY;
	for (c = 0; c < t->columns; c++) {
		csv_text(t->column[c].key, out);
		putc(c + 1 < t->columns ? ',' : '\n', out);
	}
	for (i = 0; i < t->cells; i++) {
		c = i % t->columns;
		csv_cell(&t->cell[i], t->column[c].unit, out);
		putc(c + 1 < t->columns ? ',' : '\n', out);
	}
	return WM_OK;
}

static void json_cell(const struct wm_cell *cell, const struct wm_table_column *c,
		      struct wm_json *j)
{
	switch (cell->kind) {
	case CELL_UINT:
		wm_json_uint(j, c->key, cell->u);
		break;
	case CELL_INT:
		wm_json_int(j, c->key, cell->i);
		break;
	case CELL_REAL:
		wm_json_real(j, c->key, cell->real, digits(c->unit));
		break;
	default:
		wm_json_text(j, c->key, cell->kind == CELL_TEXT ? cell->text :
								  NULL);
	}
}

enum wm_status wm_table_json(const struct wm_table *t, const char *key,
			     struct wm_json *j, struct wm_err *err)
{
	size_t r, c;

	if (check(t, err))
		return WM_NO_MEMORY;
	wm_json_array(j, key);
	for (r = 0; r < wm_table_rows(t); r++) {
		wm_json_flat_object(j, NULL);
		for (c = 0; c < t->columns; c++)
			json_cell(&t->cell[r * t->columns + c], &t->column[c],
				  j);
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
	return WM_OK;
}
