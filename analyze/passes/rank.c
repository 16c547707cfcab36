/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/passes/rank.h"

#include <stdlib.h>
#include <string.h>

enum wm_status wm_rank_init(struct wm_rank *r, const char *name,
			    struct wm_err *err)
{
	memset(r, 0, sizeof(*r));
	r->file = strdup(name);
	return r->file ? WM_OK : wm_no_memory(err, NULL);
}

static void wire_string(struct wm_wire *w, void *string)
{
	wm_wire_text(w, string);
}

static void wire_series(struct wm_wire *w, struct wm_series *b)
{
	wm_wire_array(w, &b->step, &b->count, NULL, sizeof(*b->step));
	wm_wire_items(w, &b->name, &b->names, NULL, sizeof(*b->name),
		      wire_string);
}

void wm_series_release(struct wm_series *b)
{
	WM_WIRE_FREE(b, wire_series);
}

static void wire_threads(struct wm_wire *w, struct wm_threads *t)
{
	wm_wire_array(w, &t->thread, &t->count, NULL, sizeof(*t->thread));
	wm_wire_array(w, &t->hold, &t->holds, NULL, sizeof(*t->hold));
}

void wm_threads_release(struct wm_threads *t)
{
	WM_WIRE_FREE(t, wire_threads);
}

static void wire_simulated(struct wm_wire *w, struct wm_simulated *s)
{
	wm_wire_array(w, &s->cache, &s->cache_cells, NULL, sizeof(*s->cache));
	wm_wire_array(w, &s->reuse, &s->reuse_cells, NULL, sizeof(*s->reuse));
	wm_wire_array(w, &s->sharing, &s->sharing_rows, NULL,
		      sizeof(*s->sharing));
}

void wm_simulated_release(struct wm_simulated *s)
{
	WM_WIRE_FREE(s, wire_simulated);
}

/* Sends the part that only retained ranks have. */
static void wire_details(struct wm_wire *w, struct wm_rank *r)
{
	WM_WIRE_PART(w, &r->series, wire_series);
	WM_WIRE_PART(w, &r->phase_series, wire_series);
	WM_WIRE_PART(w, &r->name_series, wire_series);
	WM_WIRE_PART(w, &r->pages, wm_pages_wire);
	WM_WIRE_PART(w, &r->by_thread, wire_threads);
	WM_WIRE_PART(w, &r->accesses, wm_access_table_wire);
	WM_WIRE_PART(w, &r->simulated, wire_simulated);
	WM_WIRE_PART(w, &r->annotations, wm_annotations_wire);
	WM_WIRE_PART(w, &r->paths, wm_paths_wire);
	wm_wire_block(w, &r->lifetime,
		      r->paths.path_count * sizeof(*r->lifetime));
	wm_wire_block(w, &r->use, r->paths.path_count * sizeof(*r->use));
}

static void wire_course(struct wm_wire *w, struct wm_course *c)
{
	wm_wire_array(w, &c->step, &c->count, NULL, sizeof(*c->step));
}

void wm_rank_wire(struct wm_wire *w, struct wm_rank *r)
{
	char **text[] = {
		&r->file,	 &r->program,	       &r->run_id,
		&r->host,	 &r->access_only,      &r->traced_ranks,
		&r->boot_id,	 &r->end_reason,       &r->drop_reason,
		&r->overwritten, &r->unseen_libraries, &r->crash_buffer_path,
		&r->peak_phase,
	};

	wm_wire_bytes(w, r, sizeof(*r));
	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++)
		wm_wire_text(w, text[i]);
	wm_wire_block(w, &r->damage, sizeof(*r->damage));
	wm_wire_block(w, &r->crash_buffer_damage,
		      sizeof(*r->crash_buffer_damage));
	wm_module_wire(w, &r->exe);
	wm_origin_wire(w, &r->origin);
	wm_wire_array(w, &r->usage.rss, &r->usage.rss_count, &r->usage.rss_cap,
		      sizeof(*r->usage.rss));
	wm_paths_wire(w, &r->last_path);
	wm_failures_wire(w, &r->failures);
	wire_course(w, &r->course.large);
	wire_course(w, &r->course.live);
	wm_wire_array(w, &r->timeline.bin, &r->timeline.count, NULL,
		      sizeof(*r->timeline.bin));
	wm_wire_array(w, &r->timeline.point, &r->timeline.points, NULL,
		      sizeof(*r->timeline.point));
	wm_wire_block(w, &r->sizes, sizeof(*r->sizes));
	wire_details(w, r);
}

void wm_rank_drop(struct wm_rank *r)
{
	free(r->timeline.point);
	r->timeline.point = NULL;
	r->timeline.points = 0;
	wm_rank_shrink(r);
}

void wm_rank_shrink(struct wm_rank *r)
{
	struct wm_wire w = { .freeing = true };

	wire_details(&w, r);
}

enum wm_status wm_rank_keep_err(struct wm_err **kept, const struct wm_err *why,
				struct wm_err *err)
{
	if (!why->text[0]) {
		free(*kept);
		*kept = NULL;
		return WM_OK;
	}
	if (!*kept)
		*kept = malloc(sizeof(**kept));
	if (!*kept)
		return wm_no_memory(err, NULL);
	**kept = *why;
	return WM_OK;
}

void wm_rank_release(struct wm_rank *r)
{
	WM_WIRE_FREE(r, wm_rank_wire);
}
