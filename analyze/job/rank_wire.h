/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks and nodes between processes (analyze/job/wire.h).
 */
#ifndef WM_ANALYZE_RANK_WIRE_H
#define WM_ANALYZE_RANK_WIRE_H

#include "analyze/job/group.h"
#include "analyze/job/wire.h"
#include "analyze/passes/rank.h"

/* Puts @r, or takes what is put there into @r, whose contents do not matter. */
void wm_rank_wire(struct wm_wire *w, struct wm_rank *r);
void wm_node_peak_wire(struct wm_wire *w, struct wm_node_peak *m);

#endif
