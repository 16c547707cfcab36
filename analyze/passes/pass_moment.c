/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Live bytes by call path at one moment (--at): all changes count up to the
 * first one that comes later.
 *
 * Puts what was alive at that time where the breakdown at the peak would be,
 * in wm_use.peak_bytes and peak_blocks, so that every list can be asked for
 * any time.
 */
#include "analyze/replay/pass.h"

#include <stdbool.h>
#include <stdlib.h>

#include "analyze/passes/moment.h"
#include "analyze/passes/rank.h"
#include "analyze/trace/reader.h"

struct path_live {
	uint64_t bytes, blocks;
};

struct moment {
	struct path_live *path;
	size_t count;
	double seconds; /* since the process began */
	uint64_t last; /* ticks of the moment */
	bool over;
};

static void moment_wish(void *state, const struct wm_wish *wish)
{
	struct moment *m = state;

	m->seconds = wish->moment;
}

static enum wm_status moment_init(void *state, const struct wm_trace *t,
				  struct wm_err *err)
{
	struct moment *m = state;

	m->count = t->paths.path_count;
	m->last = wm_moment_tick(t, m->seconds);
	m->path = calloc(m->count, sizeof(*m->path));
	if (!m->path)
		return wm_err_set(err, WM_NO_MEMORY,
				  "no memory for %zu call paths", m->count);
	return WM_OK;
}

static enum wm_status moment_take(void *state, const struct wm_changes *c,
				  struct wm_err *err)
{
	struct moment *m = state;
	size_t i;

	(void)err;
	for (i = 0; i < c->count && !m->over; i++) {
		struct path_live *p = &m->path[c->who[i] & ~WM_RELEASE];
		bool gone = (c->who[i] & WM_RELEASE) != 0;

		if (!wm_family_in_peak[c->family[i]])
			continue;
		if (c->time[i] > m->last) {
			m->over = true;
			break;
		}
		p->bytes += gone ? -c->bytes[i] : c->bytes[i];
		p->blocks += gone ? -1ull : 1;
	}
	return WM_OK;
}

static enum wm_status moment_finish(void *state, const struct wm_trace *t,
				    struct wm_rank *rank, struct wm_err *err)
{
	struct moment *m = state;
	size_t i;

	(void)t;
	if (!rank->use)
		rank->use = calloc(m->count, sizeof(*rank->use));
	if (!rank->use)
		return wm_no_memory(err, NULL);
	for (i = 0; i < m->count; i++) {
		rank->use[i].peak_bytes = m->path[i].bytes;
		rank->use[i].peak_blocks = m->path[i].blocks;
	}
	return WM_OK;
}

static void moment_release(void *state)
{
	struct moment *m = state;

	free(m->path);
}

const struct wm_pass_ops wm_pass_moment = {
	.name = "moment",
	.state_size = sizeof(struct moment),
	.wish = moment_wish,
	.init = moment_init,
	.take = moment_take,
	.finish = moment_finish,
	.release = moment_release,
};
