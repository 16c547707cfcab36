/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/render/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"

static const struct wm_cell absent = { .kind = WM_CELL_ABSENT };

void wm_table_init(struct wm_table *t, const struct wm_table_column *columns,
		   size_t count)
{
	*t = (struct wm_table){ .column = columns, .columns = count };
}

void wm_table_release(struct wm_table *t)
{
	for (size_t i = 0; i < t->cells; i++)
		if (t->cell[i].kind <= WM_CELL_TEXT)
			free(t->cell[i].text);
	free(t->cell);
	free(t->depth);
	memset(t, 0, sizeof(*t));
}

static void put_cell(struct wm_table *t, struct wm_cell c)
{
	struct wm_cell *cell = WM_MORE(t->cell, t->cap, t->cells);

	if (!cell) {
		t->short_of_memory = true;
		if (c.kind <= WM_CELL_TEXT)
			free(c.text);
		return;
	}
	*cell = c;
	t->cells++;
}

void wm_table_level(struct wm_table *t, const char *view, unsigned indent,
		    const char *key)
{
	t->level[t->levels].view = view;
	t->level[t->levels].indent = indent;
	t->level[t->levels++].key = key;
}

void wm_table_row(struct wm_table *t, size_t depth)
{
	uint16_t *to = WM_MORE(t->depth, t->depth_cap, t->rows);

	if (!to) {
		t->short_of_memory = true;
		return;
	}
	while (!t->short_of_memory && t->cells % t->columns)
		put_cell(t, absent);
	*to = (uint16_t)depth;
	t->rows++;
}

/* Joins @text, its 0, and @more. */
static char *join_texts(const char *text, const char *more)
{
	size_t n = strlen(text) + 1, m = strlen(more) + 1;
	char *copy = malloc(n + m);

	if (copy) {
		memcpy(copy, text, n);
		memcpy(copy + n, more, m);
	}
	return copy;
}

void wm_table_name(struct wm_table *t, const char *text, const char *more)
{
	struct wm_cell c = { .kind = WM_CELL_TEXT, .has_more = more != NULL };

	if (!text) {
		put_cell(t, WM_NONE);
		return;
	}
	c.text = join_texts(text, more ? more : "");
	t->short_of_memory |= !c.text;
	put_cell(t, c);
}

void wm_table_text_or(struct wm_table *t, const char *text, const char *shown)
{
	struct wm_cell c = { .kind = text ? WM_CELL_TEXT : WM_CELL_NONE };

	c.text = strdup(text ? text : shown);
	t->short_of_memory |= !c.text;
	put_cell(t, c);
}

void wm_table_text(struct wm_table *t, const char *text)
{
	wm_table_name(t, text, NULL);
}

void wm_table_format(struct wm_table *t, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0) {
		t->short_of_memory = true;
		text = NULL;
	}
	va_end(ap);
	wm_table_text(t, text);
	free(text);
}

void wm_table_uint(struct wm_table *t, uint64_t v)
{
	put_cell(t, wm_cell_uint(v));
}

void wm_table_add(struct wm_table *t, size_t count, const struct wm_cell *c)
{
	for (; count--; c++)
		if (c->kind == WM_CELL_TEXT)
			wm_table_text(t, c->text);
		else
			put_cell(t, *c);
}

void wm_table_numbers(struct wm_table *t, const uint64_t *list, size_t count)
{
	put_cell(t, (struct wm_cell){ .kind = WM_CELL_LIST,
				      .list = list,
				      .count = (uint32_t)count });
}

void wm_table_exact(struct wm_table *t, double v)
{
	bool whole = v >= 0 && v < 0x1p53 && v == (double)(uint64_t)v;

	put_cell(t, whole ? wm_cell_uint((uint64_t)v) : wm_cell_real(v));
}

void wm_table_as(struct wm_table *t, enum wm_unit unit)
{
	if (t->cells)
		t->cell[t->cells - 1].unit = (unsigned)(unit + 1) & 0xff;
}

const struct wm_cell *wm_table_cell(const struct wm_table *t, size_t row,
				    size_t column)
{
	size_t at = row * t->columns + column;

	return at < t->cells ? &t->cell[at] : &absent;
}

enum wm_unit wm_table_unit(const struct wm_table *t, size_t row, size_t column)
{
	unsigned own = wm_table_cell(t, row, column)->unit;

	return own ? (enum wm_unit)(own - 1) : t->column[column].unit;
}

/* Returns the first word of @view, or NULL; *@rest is the text after it. */
static const char *next_key(const char *view, size_t *n, const char **rest)
{
	view += strspn(view, " ");
	*n = strcspn(view, " ");
	*rest = view + *n;
	return *n ? view : NULL;
}

static size_t find_column(const struct wm_table *t, const char *key, size_t n)
{
	size_t c;

	for (c = 0; c < t->columns; c++)
		if (strlen(t->column[c].key) == n &&
		    strncmp(t->column[c].key, key, n) == 0)
			break;
	return c;
}

void wm_table_at(struct wm_table *t, const char *key)
{
	size_t column = key ? find_column(t, key, strlen(key)) : 0;

	column %= t->columns;
	while (!t->short_of_memory && t->cells % t->columns != column)
		put_cell(t, absent);
}

static size_t list_view(const struct wm_table *t, const char *view,
			size_t *list)
{
	size_t count = 0, n, c;
	const char *key;

	while ((key = next_key(view, &n, &view))) {
		c = find_column(t, key, n);
		if (c < t->columns && count < t->columns)
			list[count++] = c;
	}
	return count;
}

size_t wm_table_list(const struct wm_table *t, const char *view, size_t *list)
{
	size_t count = 0, c;

	if (view)
		return list_view(t, view, list);
	for (c = 0; c < t->columns; c++)
		if (t->column[c].key[0] != '.')
			list[count++] = c;
	return count;
}

size_t wm_table_level_of(const struct wm_table *t, size_t depth)
{
	return depth < t->levels ? depth : t->levels ? t->levels - 1 : 0;
}

size_t wm_table_people(const struct wm_table *t, size_t depth, size_t *list)
{
	const char *view = t->level[wm_table_level_of(t, depth)].view;
	size_t count = 0, c;

	if (view)
		return list_view(t, view, list);
	for (c = 0; c < t->columns; c++)
		if (t->column[c].title)
			list[count++] = c;
	return count;
}

int wm_unit_digits(enum wm_unit unit)
{
	if (unit == WM_UNIT_EXACT)
		return 9;
	return unit == WM_UNIT_SECONDS || unit == WM_UNIT_INSTANT ||
			       unit == WM_UNIT_MOMENT ?
		       6 :
		       3;
}

static const char *show_change(const struct wm_cell *c, enum wm_unit unit,
			       struct wm_figure *b)
{
	struct wm_figure n;
	int64_t v = c->kind == WM_CELL_INT ? c->i : (int64_t)c->u;
	uint64_t size = v < 0 ? -(uint64_t)v : (uint64_t)v;

	if (v == 0)
		return "=";
	if (unit == WM_UNIT_GAIN)
		wm_count(&n, size);
	else
		wm_bytes(&n, size);
	snprintf(b->s, sizeof(b->s), "%c%.46s", v < 0 ? '-' : '+', n.s);
	return b->s;
}

static const char *show_real(const struct wm_cell *c, enum wm_unit unit,
			     struct wm_figure *b)
{
	if (!isfinite(c->real))
		return "-";
	if (unit == WM_UNIT_INSTANT)
		return wm_instant(b, c->real);
	if (unit == WM_UNIT_SECONDS)
		return wm_seconds(b, c->real);
	if (unit == WM_UNIT_PERCENT) /* not "-0.0 %" */
		snprintf(b->s, sizeof(b->s), "%.1f %%",
			 fabs(c->real) < 0.05 ? 0 : c->real);
	else
		snprintf(b->s, sizeof(b->s),
			 unit == WM_UNIT_MOMENT ? "%.4f s" :
			 unit == WM_UNIT_EXACT	? "%.15g" :
						  "%.3f",
			 c->real);
	return b->s;
}

static const char *show_integer(const struct wm_cell *c, enum wm_unit unit,
				struct wm_figure *b)
{
	if (unit == WM_UNIT_CHANGE || unit == WM_UNIT_GAIN)
		return show_change(c, unit, b);
	if (unit == WM_UNIT_SOME && !c->u)
		return "-";
	if (c->kind == WM_CELL_INT)
		snprintf(b->s, sizeof(b->s), "%" PRId64, c->i);
	else if (unit == WM_UNIT_BYTES || unit == WM_UNIT_SOME)
		return wm_bytes(b, c->u);
	else if (unit == WM_UNIT_COUNT)
		return wm_count(b, c->u);
	else if (unit == WM_UNIT_NS)
		return wm_duration(b, (double)c->u * 1e-9);
	else if (unit == WM_UNIT_BLOCKS)
		return wm_blocks(b, c->u);
	else
		snprintf(b->s, sizeof(b->s), "%" PRIu64, c->u);
	return b->s;
}

const char *wm_cell_show(const struct wm_cell *c, enum wm_unit unit,
			 struct wm_figure *b)
{
	switch (c->kind) {
	case WM_CELL_TEXT:
		return c->text ? c->text : "";
	case WM_CELL_REAL:
		return show_real(c, unit, b);
	case WM_CELL_UINT:
	case WM_CELL_INT:
		return show_integer(c, unit, b);
	case WM_CELL_NONE:
		return c->text ? c->text : wm_unit_is_text(unit) ? "" : "-";
	default:
		return "";
	}
}

const char *wm_cell_more(const struct wm_cell *c)
{
	return c->kind == WM_CELL_TEXT && c->has_more && c->text ?
		       c->text + strlen(c->text) + 1 :
		       "";
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
		if (!isfinite(c->real))
			return "";
		snprintf(buf, WM_CELL_NUMBER, "%.*f", wm_unit_digits(unit),
			 c->real);
		break;
	default:
		return "";
	}
	return buf;
}
