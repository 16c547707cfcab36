/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All that a struct wm_rank and a struct wm_node_peak own.  A pointer that is
 * not here comes out wild on the other side: tests/jobs/t6200-analyze-mpi.sh
 * makes every report with it.
 */
#include "analyze/job/rank_wire.h"

static void wire_module(struct wm_wire *w, struct wm_module *m)
{
	wm_wire_text(w, &m->path);
	wm_wire_block(w, &m->build_id, m->build_id_size);
}

static void wire_origin(struct wm_wire *w, struct wm_origin *o)
{
	wm_wire_text(w, &o->command);
	wm_wire_text(w, &o->launcher);
	wm_wire_text(w, &o->batch);
	wm_wire_text(w, &o->batch_job);
	wm_wire_text(w, &o->tool_version);
	wm_wire_text(w, &o->group);
}

static void wire_paths(struct wm_wire *w, struct wm_paths *p)
{
	size_t i;

	wm_wire_array(w, &p->modules, &p->module_count, &p->module_cap,
		      sizeof(*p->modules));
	for (i = 0; i < p->module_count; i++)
		wire_module(w, &p->modules[i]);
	wm_wire_array(w, &p->module_index.slot, &p->module_index.size, NULL,
		      sizeof(*p->module_index.slot));
	wm_wire_array(w, &p->nodes, &p->node_count, &p->node_cap,
		      sizeof(*p->nodes));
	wm_wire_array(w, &p->leaf, &p->path_count, &p->path_cap,
		      sizeof(*p->leaf));
	wm_wire_array(w, &p->node_index.slot, &p->node_index.size, NULL,
		      sizeof(*p->node_index.slot));
	/* where modules lay has been used up */
	if (w->taking) {
		p->map = NULL;
		p->map_count = p->map_cap = 0;
	}
}

static void wire_snapshot(struct wm_wire *w, struct wm_snapshot *s)
{
	wm_wire_text(w, &s->name);
	wm_wire_array(w, &s->path, &s->path_count, NULL, sizeof(*s->path));
	wm_wire_array(w, &s->named, &s->named_count, NULL, sizeof(*s->named));
}

static void wire_notes(struct wm_wire *w, struct wm_annotations *n)
{
	size_t i;

	wm_wire_array(w, &n->phase, &n->phase_count, &n->phase_cap,
		      sizeof(*n->phase));
	for (i = 0; i < n->phase_count; i++) {
		wm_wire_text(w, &n->phase[i].name);
		wm_wire_array(w, &n->phase[i].held, &n->phase[i].held_count,
			      NULL, sizeof(*n->phase[i].held));
	}
	wm_wire_array(w, &n->name, &n->name_count, &n->name_cap,
		      sizeof(*n->name));
	for (i = 0; i < n->name_count; i++)
		wm_wire_text(w, &n->name[i].name);
	wm_wire_array(w, &n->tag, &n->tag_count, &n->tag_cap, sizeof(*n->tag));
	wm_wire_array(w, &n->stretch, &n->stretch_count, &n->stretch_cap,
		      sizeof(*n->stretch));
	wm_wire_array(w, &n->snapshot, &n->snapshot_count, &n->snapshot_cap,
		      sizeof(*n->snapshot));
	for (i = 0; i < n->snapshot_count; i++)
		wire_snapshot(w, &n->snapshot[i]);
	wm_wire_array(w, &n->text, &n->text_count, &n->text_cap,
		      sizeof(*n->text));
	for (i = 0; i < n->text_count; i++)
		wm_wire_text(w, &n->text[i].text);
	wm_wire_array(w, &n->region, &n->region_count, &n->region_cap,
		      sizeof(*n->region));
	for (i = 0; i < n->region_count; i++)
		wm_wire_text(w, &n->region[i].name);
}

static void wire_series(struct wm_wire *w, struct wm_series *b)
{
	size_t i;

	wm_wire_array(w, &b->step, &b->count, NULL, sizeof(*b->step));
	wm_wire_array(w, &b->name, &b->names, NULL, sizeof(*b->name));
	for (i = 0; i < b->names; i++)
		wm_wire_text(w, &b->name[i]);
}

static void wire_pages(struct wm_wire *w, struct wm_pages *p)
{
	wm_wire_array(w, &p->epoch, &p->epochs, &p->epoch_cap,
		      sizeof(*p->epoch));
	wm_wire_array(w, &p->owner, &p->owners, NULL, sizeof(*p->owner));
	wm_wire_array(w, &p->interval, &p->intervals, &p->interval_cap,
		      sizeof(*p->interval));
	wm_wire_array(w, &p->chart.row, &p->chart.rows, NULL,
		      sizeof(*p->chart.row));
	wm_wire_block(w, &p->chart.access,
		      p->chart.rows * p->chart.columns *
			      sizeof(*p->chart.access));
	wm_wire_block(w, &p->chart.owner,
		      p->chart.rows * p->chart.columns *
			      sizeof(*p->chart.owner));
	wm_wire_array(w, &p->not_covered, &p->not_covered_count, NULL,
		      sizeof(*p->not_covered));
	wm_wire_text(w, &p->end);
	wm_wire_array(w, &p->block, &p->blocks, NULL, sizeof(*p->block));
}

static void wire_accesses(struct wm_wire *w, struct wm_access_table *t)
{
	wm_wire_array(w, &t->cell, &t->cells, &t->cell_cap, sizeof(*t->cell));
	wm_wire_array(w, &t->variable, &t->variables, &t->variable_cap,
		      sizeof(*t->variable));
	for (size_t i = 0; i < t->variables; i++)
		wm_wire_text(w, &t->variable[i].name);
	wm_wire_array(w, &t->spot, &t->spots, &t->spot_cap, sizeof(*t->spot));
	wm_wire_array(w, &t->thread, &t->threads, &t->thread_cap,
		      sizeof(*t->thread));
	wm_wire_array(w, &t->pair, &t->pairs, &t->pair_cap, sizeof(*t->pair));
}

static void wire_simulated(struct wm_wire *w, struct wm_simulated *s)
{
	wm_wire_array(w, &s->cache, &s->cache_cells, NULL, sizeof(*s->cache));
	wm_wire_array(w, &s->reuse, &s->reuse_cells, NULL, sizeof(*s->reuse));
	wm_wire_array(w, &s->sharing, &s->sharing_rows, NULL,
		      sizeof(*s->sharing));
}

void wm_rank_wire(struct wm_wire *w, struct wm_rank *r)
{
	wm_wire_bytes(w, r, sizeof(*r));
	wm_wire_text(w, &r->file);
	wm_wire_text(w, &r->program);
	wm_wire_text(w, &r->run_id);
	wm_wire_text(w, &r->host);
	wm_wire_text(w, &r->access_only);
	wm_wire_text(w, &r->traced_ranks);
	wm_wire_text(w, &r->boot_id);
	wm_wire_text(w, &r->end_reason);
	wm_wire_text(w, &r->drop_reason);
	wm_wire_text(w, &r->unseen_libraries);
	wm_wire_text(w, &r->crash_buffer_path);
	wm_wire_text(w, &r->peak_phase);
	wm_wire_block(w, &r->damage, sizeof(*r->damage));
	wm_wire_block(w, &r->crash_buffer_damage,
		      sizeof(*r->crash_buffer_damage));
	wire_module(w, &r->exe);
	wire_origin(w, &r->origin);
	wm_wire_array(w, &r->usage.rss, &r->usage.rss_count, &r->usage.rss_cap,
		      sizeof(*r->usage.rss));
	wire_paths(w, &r->last_path);
	wm_wire_array(w, &r->failures.site, &r->failures.count,
		      &r->failures.cap, sizeof(*r->failures.site));
	wire_paths(w, &r->failures.paths);
	wire_paths(w, &r->paths);
	wm_wire_block(w, &r->use, r->paths.path_count * sizeof(*r->use));
	wire_notes(w, &r->annotations);
	wm_wire_array(w, &r->course.large.step, &r->course.large.count, NULL,
		      sizeof(*r->course.large.step));
	wm_wire_array(w, &r->course.live.step, &r->course.live.count, NULL,
		      sizeof(*r->course.live.step));
	wm_wire_array(w, &r->timeline.bin, &r->timeline.count, NULL,
		      sizeof(*r->timeline.bin));
	wm_wire_array(w, &r->timeline.point, &r->timeline.points, NULL,
		      sizeof(*r->timeline.point));
	wire_series(w, &r->series);
	wire_series(w, &r->phase_series);
	wire_series(w, &r->name_series);
	wire_pages(w, &r->pages);
	wm_wire_array(w, &r->by_thread.thread, &r->by_thread.count, NULL,
		      sizeof(*r->by_thread.thread));
	wm_wire_array(w, &r->by_thread.hold, &r->by_thread.holds, NULL,
		      sizeof(*r->by_thread.hold));
	wire_accesses(w, &r->accesses);
	wire_simulated(w, &r->simulated);
	wm_wire_block(w, &r->lifetime,
		      r->paths.path_count * sizeof(*r->lifetime));
	wm_wire_block(w, &r->sizes, sizeof(*r->sizes));
}

void wm_node_peak_wire(struct wm_wire *w, struct wm_node_peak *m)
{
	wm_wire_bytes(w, m, sizeof(*m));
	wm_wire_text(w, &m->host);
	wm_wire_array(w, &m->part, &m->parts, NULL, sizeof(*m->part));
}
