/* SPDX-License-Identifier: Apache-2.0 */
/* A report as JSON: its values, and tables as arrays of objects. */
#include "analyze/render/doc.h"

static void put_cell(const struct wm_cell *cell,
		     const struct wm_table_column *c, struct wm_json *j)
{
	switch (cell->kind) {
	case WM_CELL_UINT:
		wm_json_uint(j, c->key, cell->u);
		break;
	case WM_CELL_INT:
		wm_json_int(j, c->key, cell->i);
		break;
	case WM_CELL_REAL:
		wm_json_real(j, c->key, cell->real, wm_unit_digits(c->unit));
		break;
	default:
		wm_json_text(j, c->key,
			     cell->kind == WM_CELL_TEXT ? cell->text : NULL);
	}
}

static void json_table(struct wm_doc *d, const struct wm_table *t,
		       const char *key, size_t top, unsigned audience)
{
	struct wm_json *j = &d->data;
	size_t r, c;

	(void)top;
	(void)audience;
	wm_json_array(j, key);
	for (r = 0; r < wm_table_rows(t); r++) {
		wm_json_flat_object(j, NULL);
		for (c = 0; c < t->columns; c++)
			put_cell(wm_table_cell(t, r, c), &t->column[c], j);
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
}

const struct wm_form wm_json_form = {
	.readers = WM_FOR_DATA,
	.table = json_table,
};
