/* SPDX-License-Identifier: Apache-2.0 */
/* A report as JSON: its values, and tables as arrays of objects.  The rows
 * below a row are an array in its object. */
#include "analyze/render/doc.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct rows {
	const struct wm_table *t;
	struct wm_json *j;
	size_t *column; /* in the order of the view */
	size_t columns;
	size_t most; /* rows of a list; 0: all */
	size_t room; /* rows left in all, unless .most is 0 */
	uint64_t left_out;
};

#define KEY_TEXT 64

static void put_integer(const struct wm_cell *cell, enum wm_unit unit,
			const char *key, struct wm_json *j)
{
	if (unit == WM_UNIT_FLAG)
		wm_json_bool(j, key, cell->u != 0);
	else if (cell->kind == WM_CELL_INT)
		wm_json_int(j, key, cell->i);
	else
		wm_json_uint(j, key, cell->u);
}

static void put_cell(const struct wm_cell *cell, enum wm_unit unit,
		     const char *key, struct wm_json *j)
{
	switch (cell->kind) {
	case WM_CELL_ABSENT:
		break;
	case WM_CELL_LIST:
		wm_json_flat_array(j, key);
		for (size_t i = 0; i < cell->count; i++)
			wm_json_uint(j, NULL, cell->list[i]);
		wm_json_end_array(j);
		break;
	case WM_CELL_UINT:
	case WM_CELL_INT:
		put_integer(cell, unit, key, j);
		break;
	case WM_CELL_REAL:
		wm_json_real(j, key, cell->real, wm_unit_digits(unit));
		break;
	default:
		wm_json_text(j, key,
			     cell->kind == WM_CELL_TEXT ? cell->text : NULL);
	}
}

/* Returns the key of the array of rows below those at @depth, or NULL. */
static const char *key_below(const struct wm_table *t, size_t depth)
{
	if (t->deep)
		return t->level[t->levels - 1].key;
	return depth + 1 < t->levels ? t->level[depth + 1].key : NULL;
}

/* A row with a list takes several lines. */
static bool has_list(const struct rows *r, size_t row)
{
	for (size_t i = 0; i < r->columns; i++)
		if (wm_table_cell(r->t, row, r->column[i])->kind ==
		    WM_CELL_LIST)
			return true;
	return false;
}

/* Skips rows from @row on that are at @depth or deeper, and adds the number of
 * those at @depth to *@count.  Returns the first row after them. */
static size_t skip_rows(const struct rows *r, size_t row, size_t depth,
			uint64_t *count)
{
	size_t all = wm_table_rows(r->t);

	for (; row < all && wm_table_depth(r->t, row) >= depth; row++)
		*count += wm_table_depth(r->t, row) == depth;
	return row;
}

static void put_left_out(struct rows *r, const char *key, uint64_t count)
{
	char text[KEY_TEXT];

	if (!count)
		return;
	snprintf(text, sizeof(text), "%s_left_out", key);
	wm_json_uint(r->j, text, count);
	r->left_out += count;
}

/* Returns whether a list at @depth with @count rows may have one more row. */
static bool has_room(struct rows *r, size_t count, size_t depth)
{
	if (!r->most)
		return true;
	if (!r->room || count >= (depth ? r->most / 4 : r->most))
		return false;
	r->room--;
	return true;
}

/* Writes the rows at @depth from @row on.  Returns the first row after them,
 * and stores the number of rows left out. */
static size_t put_rows(struct rows *r, size_t row, size_t depth,
		       uint64_t *left_out)
{
	size_t all = wm_table_rows(r->t), i, c, count = 0;
	const char *below = key_below(r->t, depth);

	*left_out = 0;
	while (row < all && wm_table_depth(r->t, row) == depth) {
		uint64_t more;

		if (!has_room(r, count++, depth))
			return skip_rows(r, row, depth, left_out);
		if (below || has_list(r, row))
			wm_json_object(r->j, NULL);
		else
			wm_json_flat_object(r->j, NULL);
		for (i = 0; i < r->columns; i++) {
			c = r->column[i];
			put_cell(wm_table_cell(r->t, row, c),
				 wm_table_unit(r->t, row, c),
				 r->t->column[c].key, r->j);
		}
		row++;
		if (below) {
			wm_json_array(r->j, below);
			row = put_rows(r, row, depth + 1, &more);
			wm_json_end_array(r->j);
			put_left_out(r, below, more);
		}
		wm_json_end_object(r->j);
	}
	return row;
}

/* Writes rows without rows below as an object of columns, for the page.
 * Returns the number of rows left out. */
static uint64_t put_columns(const struct rows *r, const char *key)
{
	size_t all = wm_table_rows(r->t), i, k;
	size_t n = r->most && r->most < all ? r->most : all;

	wm_json_object(r->j, key);
	wm_json_object(r->j, "columns");
	for (k = 0; k < r->columns; k++) {
		wm_json_array(r->j, r->t->column[r->column[k]].key);
		for (i = 0; i < n; i++) {
			const struct wm_cell *c = wm_table_cell(r->t, i,
								r->column[k]);

			if (c->kind == WM_CELL_ABSENT)
				wm_json_text(r->j, NULL, NULL);
			else
				put_cell(c,
					 wm_table_unit(r->t, i, r->column[k]),
					 NULL, r->j);
		}
		wm_json_end_array(r->j);
	}
	wm_json_end_object(r->j);
	wm_json_end_object(r->j);
	return all - n;
}

static void json_table(struct wm_doc *d, const struct wm_table *t,
		       const char *key, size_t top)
{
	struct rows r = {
		.t = t,
		.j = &d->data,
		.column = wm_doc_columns(d, t),
		.most = d->most,
		.room = 4 * d->most,
	};
	uint64_t left_out;

	(void)top;
	if (!r.column)
		return;
	r.columns = wm_table_list(t, t->data_view, r.column);
	if (r.j->tight && !t->depth) {
		left_out = put_columns(&r, key);
	} else {
		wm_json_array(r.j, key);
		put_rows(&r, 0, 0, &left_out);
		wm_json_end_array(r.j);
	}
	if (key)
		put_left_out(&r, key, left_out);
	d->left_out += r.left_out;
	free(r.column);
}

const struct wm_form wm_json_form = {
	.readers = WM_FOR_DATA,
	.table = json_table,
};
