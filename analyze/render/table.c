/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/render/table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/base/vec.h"

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
		if (t->cell[i].kind == WM_CELL_TEXT)
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
		if (c.kind == WM_CELL_TEXT)
			free(c.text);
		return;
	}
	t->cell = cell;
	cell[t->cells++] = c;
}

void wm_table_text(struct wm_table *t, const char *text)
{
	struct wm_cell c = { .kind = text ? WM_CELL_TEXT : WM_CELL_NONE };

	if (text) {
		c.text = strdup(text);
		t->short_of_memory |= !c.text;
		if (!c.text)
			c.kind = WM_CELL_NONE;
	}
	put(t, c);
}

void wm_table_uint(struct wm_table *t, uint64_t v)
{
	put(t, (struct wm_cell){ .kind = WM_CELL_UINT, .u = v });
}

void wm_table_int(struct wm_table *t, int64_t v)
{
	put(t, (struct wm_cell){ .kind = WM_CELL_INT, .i = v });
}

void wm_table_real(struct wm_table *t, double v)
{
	put(t, (struct wm_cell){ .kind = WM_CELL_REAL, .real = v });
}

void wm_table_none(struct wm_table *t)
{
	put(t, (struct wm_cell){ .kind = WM_CELL_NONE });
}

int wm_unit_digits(enum wm_unit unit)
{
	return unit == WM_UNIT_SECONDS ? 6 : 3;
}

static const char *show_change(const struct wm_cell *c, struct wm_buf *b)
{
	struct wm_buf n;
	int64_t v = c->kind == WM_CELL_INT ? c->i : (int64_t)c->u;

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
	snprintf(b->s, sizeof(b->s),
		 unit == WM_UNIT_PERCENT ? "%.1f %%" : "%.3f", c->real);
	return b->s;
}

static const char *show_integer(const struct wm_cell *c, enum wm_unit unit,
				struct wm_buf *b)
{
	if (unit == WM_UNIT_CHANGE)
		return show_change(c, b);
	if (c->kind == WM_CELL_INT)
		snprintf(b->s, sizeof(b->s), "%" PRId64, c->i);
	else if (unit == WM_UNIT_BYTES)
		return wm_bytes(b, c->u);
	else if (unit == WM_UNIT_COUNT)
		return wm_count(b, c->u);
	else
		snprintf(b->s, sizeof(b->s), "%" PRIu64, c->u);
	return b->s;
}

const char *wm_cell_show(const struct wm_cell *c, enum wm_unit unit,
			 struct wm_buf *b)
{
	switch (c->kind) {
	case WM_CELL_TEXT:
		return c->text;
	case WM_CELL_REAL:
		return show_real(c, unit, b);
	case WM_CELL_UINT:
	case WM_CELL_INT:
		return show_integer(c, unit, b);
	default:
		return wm_unit_is_text(unit) ? "" : "-";
	}
}

const char *wm_cell_number(const struct wm_cell *c, enum wm_unit unit,
			   char buf[WM_CELL_NUMBER])
{
	switch (c->kind) {
	case WM_CELL_UINT:
		snprintf(buf, WM_CELL_NUMBER, "%" PRIu64, c->u);
		break;
	case WM_CELL_INT:
		snprintf(buf, WM_CELL_NUMBER, "%" PRId64, c->i);
		break;
	case WM_CELL_REAL:
		snprintf(buf, WM_CELL_NUMBER, "%.*f", wm_unit_digits(unit),
			 c->real);
		break;
	default:
		return "";
	}
	return buf;
}

void wm_table_hide(struct wm_table *t, const char *key)
{
	size_t c;

	for (c = 0; c < t->columns; c++)
		if (strcmp(t->column[c].key, key) == 0)
			t->hidden |= (uint64_t)1 << c;
}

int wm_table_in_text(const struct wm_table *t, size_t column)
{
	return column < WM_TEXT_COLUMNS && t->column[column].title &&
	       !(t->hidden >> column & 1);
}
