/* SPDX-License-Identifier: Apache-2.0 */
/* A report as JSON: its values, and tables as arrays of objects, in which the
 * rows below a row are arrays of their own. */
#include "analyze/render/doc.h"

#include <stdbool.h>
#include <stdlib.h>

struct rows {
	const struct wm_table *t;
	struct wm_json *j;
	size_t *column; /* as they are wanted */
	size_t columns;
};

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
	size_t i;

	switch (cell->kind) {
	case WM_CELL_ABSENT:
		break;
	case WM_CELL_LIST:
		wm_json_flat_array(j, key);
		for (i = 0; i < cell->count; i++)
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

/* The array that has the rows below those of @depth; NULL: there are none. */
static const char *key_below(const struct wm_table *t, size_t depth)
{
	if (t->deep)
		return t->level[t->levels - 1].key;
	return depth + 1 < t->levels ? t->level[depth + 1].key : NULL;
}

/* A row with lists in it is more than a line. */
static bool has_list(const struct rows *r, size_t row)
{
	size_t i;

	for (i = 0; i < r->columns; i++)
		if (wm_table_cell(r->t, row, r->column[i])->kind ==
		    WM_CELL_LIST)
			return true;
	return false;
}

/* The rows of @depth from @row on; the first row that is none. */
static size_t put_rows(const struct rows *r, size_t row, size_t depth)
{
	size_t all = wm_table_rows(r->t), i, c;
	const char *below = key_below(r->t, depth);

	while (row < all && wm_table_depth(r->t, row) == depth) {
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
			row = put_rows(r, row, depth + 1);
			wm_json_end_array(r->j);
		}
		wm_json_end_object(r->j);
	}
	return row;
}

static void json_table(struct wm_doc *d, const struct wm_table *t,
		       const char *key, size_t top, unsigned audience)
{
	struct rows r = { t, &d->data, wm_doc_columns(d, t), 0 };

	(void)top;
	(void)audience;
	if (!r.column)
		return;
	r.columns = wm_table_list(t, t->data_view, r.column);
	wm_json_array(r.j, key);
	put_rows(&r, 0, 0);
	wm_json_end_array(r.j);
	free(r.column);
}

const struct wm_form wm_json_form = {
	.readers = WM_FOR_DATA,
	.table = json_table,
};
