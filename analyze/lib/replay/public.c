/* SPDX-License-Identifier: Apache-2.0 */
/* The public reader (wm/reader.h), with a pass that keeps changes. */
#include "wm/reader.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyze/lib/base/vec.h"
#include "analyze/lib/replay/merge.h"

struct wm_reader {
	struct wm_trace trace;
	struct wm_passes passes;
	struct wm_tally tally;
	struct wm_merge *merge; /* NULL: all has been read */
	struct wm_reader_process process;
	struct wm_err err;
	enum wm_status status;
	struct wm_reader_change *change; /* changes to return, from `next` on */
	size_t count, cap, next;
};

struct state {
	struct wm_reader *reader;
};

static enum wm_status keep_changes(void *state, const struct wm_changes *c,
				   struct wm_err *err)
{
	struct wm_reader *r = ((struct state *)state)->reader;

	if (!WM_ROOM(r->change, r->cap, r->count + c->count))
		return wm_no_memory(err, NULL);
	for (size_t i = 0; i < c->count; i++)
		r->change[r->count++] = (struct wm_reader_change){
			.seconds = wm_trace_seconds(&r->trace, c->time[i]),
			.address = c->addr[i],
			.bytes = c->bytes[i],
			.path = c->who[i] & ~WM_RELEASE,
			.thread = wm_changes_thread(c, i),
			.family = c->family[i],
			.freed = (c->who[i] & WM_RELEASE) != 0,
		};
	return WM_OK;
}

static const struct wm_pass_ops keeper = {
	.name = "reader",
	.state_size = sizeof(struct state),
	.alloc_times = true,
	.addresses = true,
	.take = keep_changes,
};
static const struct wm_pass_ops *const passes[WM_PASS_COUNT] = { &keeper };

static void describe(struct wm_reader *r)
{
	const struct wm_trace *t = &r->trace;

	r->process = (struct wm_reader_process){
		.program = t->program,
		.run_id = t->run_id,
		.host = t->host,
		.rank = t->rank,
		.ranks = t->ranks,
		.pid = t->pid,
		.seconds = wm_trace_seconds(t, t->end_ticks),
		.exit_status = t->ended ? t->exit_status : WM_NO_STATUS,
		.ended = t->ended,
		.damage = t->damage.text[0] ? t->damage.text : NULL,
	};
}

struct wm_reader *wm_reader_open(const char *path, char *why, size_t room)
{
	struct wm_reader *r = calloc(1, sizeof(*r));
	struct wm_err err = { 0 };

	if (!r) {
		snprintf(why, room, "not enough memory");
		return NULL;
	}
	if (!wm_trace_open(&r->trace, path, path, WM_ALL_BLOCKS, NULL, &err) &&
	    !wm_passes_init(&r->passes, passes, 1, NULL, &r->trace, &err)) {
		((struct state *)r->passes.state[0])->reader = r;
		describe(r);
		if (!wm_merge_open(&r->merge, &r->trace, &r->passes, &r->tally,
				   NULL, &err))
			return r;
	}
	snprintf(why, room, "%s", err.text);
	wm_reader_close(r);
	return NULL;
}

void wm_reader_close(struct wm_reader *r)
{
	if (!r)
		return;
	if (r->merge)
		wm_merge_close(r->merge);
	if (r->passes.ops)
		wm_passes_release(&r->passes);
	wm_trace_release(&r->trace);
	free(r->change);
	free(r);
}

const struct wm_reader_process *wm_reader_process(const struct wm_reader *r)
{
	return &r->process;
}

int wm_reader_next(struct wm_reader *r, struct wm_reader_change *change)
{
	while (r->next == r->count && !r->status) {
		r->next = r->count = 0;
		r->status = wm_merge_next(r->merge, &r->err);
	}
	if (r->next < r->count) {
		*change = r->change[r->next++];
		return 1;
	}
	return r->status == WM_END ? 0 : -1;
}

const char *wm_reader_why(const struct wm_reader *r)
{
	return r->err.text;
}

size_t wm_reader_path(const struct wm_reader *r, uint32_t path,
		      struct wm_reader_frame *frame, size_t room)
{
	const struct wm_paths *p = &r->trace.paths;
	size_t n = 0;

	if (path >= p->path_count)
		return 0;
	for (uint32_t i = p->leaf[path]; i; i = p->nodes[i].parent, n++) {
		const struct wm_module *m = &p->modules[p->nodes[i].module];

		if (n < room)
			frame[n] = (struct wm_reader_frame){
				.module = m->path,
				.build_id = m->build_id,
				.build_id_bytes = m->build_id_size,
				.offset = p->nodes[i].offset,
			};
	}
	return n;
}

const char *wm_reader_family(unsigned family)
{
	return family < WM_FAMILIES ? wm_family_name[family] : NULL;
}
