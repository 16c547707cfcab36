/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/read_fields.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/plain.h"

enum wm_status wm_trace_set_text(char **to, const struct wm_head *head,
				 enum wmt_field f, struct wm_err *err)
{
	const struct wm_head_field *v = &head->field[f];
	char *s;

	if (!v->data)
		return WM_OK;
	s = f == WMT_F_WINDOW ? strndup((const char *)v->data, v->size) :
				wm_plain((const char *)v->data, v->size);
	if (!s)
		return wm_no_memory(err, NULL);
	free(*to);
	*to = s;
	return WM_OK;
}

static void set_clocks(struct wm_clocks *to, const struct wm_head *head,
		       enum wmt_field f)
{
	const struct wm_head_field *v = &head->field[f];

	if (!v->data)
		return;
	to->ticks = v->v[0];
	to->mono_ns = v->v[1];
	to->real_ns = v->v[2];
}

enum wm_status wm_trace_take_start(struct wm_trace *t, const struct wm_head *h,
				   struct wm_err *err)
{
	const struct wm_head_field *id = &h->field[WMT_F_BUILD_ID];
	enum wm_status r;

	if ((r = wm_trace_set_text(&t->program, h, WMT_F_PROGRAM, err)) ||
	    (r = wm_trace_set_text(&t->exe.path, h, WMT_F_EXE, err)) ||
	    (r = wm_trace_set_text(&t->host, h, WMT_F_HOST, err)) ||
	    (r = wm_trace_set_text(&t->boot_id, h, WMT_F_BOOT_ID, err)) ||
	    (r = wm_origin_take(&t->origin, h, err)) ||
	    (r = wm_trace_set_text(&t->traced_ranks, h, WMT_F_TRACED_RANKS,
				   err)) ||
	    (r = wm_trace_set_text(&t->crash_buffer_path, h, WMT_F_WINDOW,
				   err)))
		return r;
	t->buffer_events = wm_head_uint(h, WMT_F_BUFFER_EVENTS);
	if (id->size && !t->exe.build_id) {
		t->exe.build_id = malloc(id->size);
		if (!t->exe.build_id)
			return wm_no_memory(err, NULL);
		memcpy(t->exe.build_id, id->data, id->size);
		t->exe.build_id_size = id->size;
	}
	t->exe.main = true;
	t->pid = wm_head_uint(h, WMT_F_PID);
	t->parent = wm_head_uint(h, WMT_F_PARENT);
	t->born = wm_head_uint(h, WMT_F_BORN);
	t->clock = wm_head_uint(h, WMT_F_CLOCK);
	t->tool.start = wm_head_uint(h, WMT_F_TOOL_START);
	t->tool.thread = wm_head_uint(h, WMT_F_TOOL_THREAD);
	t->tool.paths = wm_head_uint(h, WMT_F_TOOL_PATHS);
	t->spawned = wm_head_uint(h, WMT_F_SPAWNED) != 0;
	set_clocks(&t->start, h, WMT_F_START_TIME);
	t->last = t->start;
	return WM_OK;
}

enum wm_status wm_trace_take_end(struct wm_trace *t, const struct wm_head *h,
				 struct wm_err *err)
{
	enum wm_status r;

	if ((r = wm_trace_set_text(&t->end_reason, h, WMT_F_END_REASON, err)) ||
	    (r = wm_trace_set_text(&t->drop_reason, h, WMT_F_DROP_REASON, err)))
		return r;
	t->ended = true;
	wm_head_set(&t->exit_status, h, WMT_F_EXIT_STATUS);
	t->mpi = wm_head_uint(h, WMT_F_MPI);
	t->events_total = wm_head_uint(h, WMT_F_EVENTS_TOTAL);
	t->tool.memory = wm_head_uint(h, WMT_F_TOOL_MEMORY);
	t->tool.resident = wm_head_uint(h, WMT_F_TOOL_RESIDENT);
	t->paused_allocations = wm_head_uint(h, WMT_F_PAUSED_ALLOCATIONS);
	return WM_OK;
}

void wm_trace_raise_back(uint64_t *back, uint64_t before, uint64_t now)
{
	if (now < before && before - now > *back)
		*back = before - now;
}

enum wm_status wm_trace_take_common(struct wm_trace *t, const struct wm_head *h,
				    struct wm_err *err)
{
	enum wm_status r = wm_trace_set_text(&t->run_id, h, WMT_F_RUN_ID, err);
	struct wm_clocks before = t->last;

	if (r ||
	    (r = wm_trace_set_text(&t->unseen_libraries, h,
				   WMT_F_UNSEEN_LIBRARIES, err)) ||
	    (r = wm_trace_set_text(&t->overwritten, h, WMT_F_OVERWRITTEN, err)))
		return r;
	if (h->type != WMT_BLOCK_START)
		t->corrected |= wm_head_has(h, WMT_F_RUN_ID) ||
				wm_head_has(h, WMT_F_RANK) ||
				wm_head_has(h, WMT_F_RANKS);
	wm_head_set(&t->rank, h, WMT_F_RANK);
	wm_head_set(&t->ranks, h, WMT_F_RANKS);
	if (wm_head_has(h, WMT_F_MPI_RANKS))
		t->conflict = (struct wm_rank_conflict){
			wm_head_uint(h, WMT_F_LAUNCHER_RANK),
			wm_head_uint(h, WMT_F_LAUNCHER_RANKS),
			wm_head_uint(h, WMT_F_MPI_RANK),
			wm_head_uint(h, WMT_F_MPI_RANKS),
		};
	wm_head_set(&t->dropped, h, WMT_F_DROPPED);
	wm_head_set(&t->paths_cut, h, WMT_F_PATHS_CUT);
	wm_head_set(&t->accesses_lost, h, WMT_F_ALL_ACCESSES_LOST);
	if (wm_head_has(h, WMT_F_BURST))
		t->bursts = (struct wm_bursts){
			wm_head_uint(h, WMT_F_BURST),
			wm_head_uint(h, WMT_F_BURST_EVERY),
			wm_head_uint(h, WMT_F_BURSTS_RECORDED),
			wm_head_uint(h, WMT_F_BURSTS_ELAPSED),
		};
	if (wm_head_has(h, WMT_F_HEAP_FOOTPRINT)) {
		t->footprint = wm_head_uint(h, WMT_F_HEAP_FOOTPRINT);
		t->footprint_peak = wm_head_uint(h, WMT_F_HEAP_FOOTPRINT_PEAK);
	}
	set_clocks(&t->last, h, WMT_F_NOW);
	wm_trace_raise_back(&t->ticks_back, before.ticks, t->last.ticks);
	wm_trace_raise_back(&t->mono_back, before.mono_ns, t->last.mono_ns);
	return wm_usage_take(&t->usage, h, t->last.ticks) ?
		       WM_OK :
		       wm_no_memory(err, NULL);
}
