/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/access/simulated.h"

void wm_simulated_wire(struct wm_wire *w, struct wm_simulated *s)
{
	wm_wire_array(w, &s->cache, &s->cache_cells, NULL, sizeof(*s->cache));
	wm_wire_array(w, &s->reuse, &s->reuse_cells, NULL, sizeof(*s->reuse));
	wm_wire_array(w, &s->sharing, &s->sharing_rows, NULL,
		      sizeof(*s->sharing));
}

void wm_simulated_release(struct wm_simulated *s)
{
	WM_WIRE_FREE(s, wm_simulated_wire);
}
