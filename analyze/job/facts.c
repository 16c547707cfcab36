/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/facts.h"

#include <stdlib.h>

#include "analyze/lib/base/whole.h"
#include "analyze/passes/rank.h"
#include "analyze/lib/trace/reader.h"

static void move_text(char **to, char **from)
{
	*to = *from;
	*from = NULL;
}

/* The process of @x, a trace or a rank. */
#define MARK(x)                                                                \
	{                                                                      \
		.boot_id = (x)->boot_id, .host = (x)->host,                    \
		.exe = (x)->exe.path, .pid = (x)->pid,                         \
		.start_ns = (x)->start.mono_ns,                                \
	}

/* A process without END that ends after this call was not killed. */
static enum wm_running look_up(const struct wm_trace *t)
{
	const struct wm_process_mark process = MARK(t);

	return t->ended ? WM_RUNNING_NO : wm_process_running(&process);
}

enum wm_running wm_facts_running(const struct wm_rank *r)
{
	const struct wm_process_mark process = MARK(r);

	return wm_process_running(&process);
}

enum wm_status wm_facts_read(struct wm_run_file *f, struct wm_err *err)
{
	struct wm_facts *k;
	struct wm_trace t;
	enum wm_status r = wm_trace_open_heads(&t, f->path, f->name, err);

	if (!r && (t.unborn || t.corrected)) {
		/* START may be only in the crash buffer, and a correction after
		 * an unreadable block does not count */
		wm_trace_release(&t);
		r = wm_trace_open(&t, f->path, f->name, WM_ALL_BLOCKS, NULL,
				  err);
	}
	if (r)
		return r == WM_NO_MEMORY ? r : WM_OK;
	f->running = look_up(&t);
	f->size = t.src.size;
	f->start = t.start;
	f->ranks = t.ranks;
	f->rank_told = f->rank == WM_RANK_UNKNOWN;
	if (f->rank_told)
		f->rank = t.rank;
	f->facts = k = calloc(1, sizeof(*k));
	if (k) {
		move_text(&k->run_id, &t.run_id);
		move_text(&k->program, &t.program);
		move_text(&k->host, &t.host);
		move_text(&k->boot_id, &t.boot_id);
		k->pid = t.pid;
		k->seconds = wm_trace_seconds(&t, t.end_ticks);
		k->rank = f->rank;
		k->ranks = t.ranks;
		k->spawned = t.spawned;
	}
	wm_trace_release(&t);
	return k ? WM_OK : wm_no_memory(err, NULL);
}

uint64_t wm_facts_end(struct wm_run_file *f)
{
	struct wm_facts *k = f->facts;
	struct wm_trace t;

	if (k->end_ns)
		return k->end_ns;
	k->end_ns = f->start.real_ns;
	if (!wm_trace_open(&t, f->path, f->name, WM_ALL_BLOCKS, NULL, NULL)) {
		k->end_ns += wm_whole(wm_trace_seconds(&t, t.end_ticks) * 1e9);
		k->ended = t.ended;
		wm_trace_release(&t);
	}
	return k->end_ns;
}

void wm_facts_free(struct wm_run_file *f)
{
	if (!f->facts)
		return;
	free(f->facts->run_id);
	free(f->facts->program);
	free(f->facts->host);
	free(f->facts->boot_id);
	free(f->facts);
	f->facts = NULL;
}
