/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/access/access_table.h"

static void wire_variable(struct wm_wire *w, void *variable)
{
	wm_wire_text(w, &((struct wm_access_variable *)variable)->name);
}

void wm_access_table_wire(struct wm_wire *w, struct wm_access_table *t)
{
	wm_wire_array(w, &t->cell, &t->cells, &t->cell_cap, sizeof(*t->cell));
	wm_wire_items(w, &t->variable, &t->variables, &t->variable_cap,
		      sizeof(*t->variable), wire_variable);
	wm_wire_array(w, &t->spot, &t->spots, &t->spot_cap, sizeof(*t->spot));
	wm_wire_array(w, &t->thread, &t->threads, &t->thread_cap,
		      sizeof(*t->thread));
	wm_wire_array(w, &t->pair, &t->pairs, &t->pair_cap, sizeof(*t->pair));
}

void wm_access_table_release(struct wm_access_table *t)
{
	WM_WIRE_FREE(t, wm_access_table_wire);
}
