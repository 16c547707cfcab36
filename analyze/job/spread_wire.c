/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/spread_wire.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/job/rank_wire.h"

void wm_unit_wire(struct wm_wire *w, struct wm_work_unit *u)
{
	size_t i;

	wm_wire_bytes(w, u, sizeof(*u));
	if (w->taking)
		u->group.file = NULL;
	wm_wire_array(w, &u->file, &u->group.count, NULL, sizeof(*u->file));
	for (i = 0; i < u->group.count; i++) {
		wm_wire_text(w, &u->file[i].path);
		wm_wire_text(w, &u->file[i].name);
	}
	if (!w->taking)
		return;
	u->group.file = calloc(u->group.count + 1, sizeof(*u->group.file));
	w->failed |= !u->group.file;
	for (i = 0; i < u->group.count && !w->failed; i++)
		u->group.file[i] = i;
}

void wm_unit_release(struct wm_work_unit *u)
{
	size_t i;

	for (i = 0; i < u->group.count; i++) {
		free(u->file[i].path);
		free(u->file[i].name);
	}
	free(u->file);
	free(u->group.file);
	memset(u, 0, sizeof(*u));
}

void wm_group_outcome_wire(struct wm_wire *w, struct wm_group_outcome *m,
			   const struct wm_file_group *group)
{
	size_t i;

	wm_wire_bytes(w, &m->status, sizeof(m->status));
	if (m->status) {
		wm_wire_bytes(w, &m->why, sizeof(m->why));
		return;
	}
	for (i = 0; i < group->count; i++) {
		struct wm_outcome *o = &m->out[i];

		wm_wire_bytes(w, &o->status, sizeof(o->status));
		if (o->status)
			wm_wire_bytes(w, &o->why, sizeof(o->why));
		else
			wm_rank_wire(w, &o->rank);
	}
	if (group->node)
		wm_node_peak_wire(w, &m->node_peak);
}
