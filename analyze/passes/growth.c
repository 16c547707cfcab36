/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/passes/growth.h"

#include <stdlib.h>
#include <string.h>

#define LASTED 0.1 /* seconds; a shorter growth is one allocation */

uint64_t *wm_growth_mark(struct wm_growth *g, uint64_t bytes, uint64_t time,
			 size_t paths)
{
	uint64_t *live = g->mark[1].live;

	if (!live)
		live = calloc(paths, sizeof(*live));
	g->mark[1] = g->mark[0];
	g->mark[0] = (struct wm_growth_mark){ bytes, time, live };
	return live;
}

const struct wm_growth_mark *wm_growth_find(const struct wm_growth *g,
					    const struct wm_trace *t,
					    uint64_t peak, uint64_t time,
					    double *rate)
{
	const struct wm_growth_mark *m = &g->mark[0];
	double seconds;

	/* from a mark close to the end there is little growth */
	if (m->bytes > peak / 4 * 3)
		m = &g->mark[1];
	*rate = 0;
	if (!m->live || m->bytes < peak / 8)
		return NULL;
	seconds = wm_trace_seconds(t, time) - wm_trace_seconds(t, m->time);
	if (seconds < LASTED)
		return NULL;
	*rate = (double)(peak - m->bytes) / seconds;
	return m;
}

void wm_growth_release(struct wm_growth *g)
{
	free(g->mark[0].live);
	free(g->mark[1].live);
	memset(g, 0, sizeof(*g));
}
