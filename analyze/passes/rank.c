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

void wm_series_release(struct wm_series *b)
{
	size_t i;

	for (i = 0; i < b->names; i++)
		free(b->name[i]);
	free(b->name);
	free(b->step);
	memset(b, 0, sizeof(*b));
}

void wm_threads_release(struct wm_threads *t)
{
	free(t->thread);
	free(t->hold);
	memset(t, 0, sizeof(*t));
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
	wm_series_release(&r->series);
	wm_series_release(&r->phase_series);
	wm_series_release(&r->name_series);
	wm_pages_release(&r->pages);
	wm_threads_release(&r->by_thread);
	wm_access_table_release(&r->accesses);
	wm_simulated_release(&r->simulated);
	free(r->lifetime);
	r->lifetime = NULL;
	wm_paths_release(&r->paths);
	wm_annotations_release(&r->annotations);
	free(r->use);
	r->use = NULL;
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
	wm_rank_shrink(r);
	wm_paths_release(&r->last_path);
	wm_failures_release(&r->failures);
	free(r->file);
	free(r->program);
	free(r->run_id);
	free(r->host);
	free(r->access_only);
	free(r->traced_ranks);
	free(r->boot_id);
	free(r->end_reason);
	free(r->drop_reason);
	free(r->unseen_libraries);
	free(r->crash_buffer_path);
	free(r->peak_phase);
	free(r->damage);
	free(r->crash_buffer_damage);
	wm_origin_release(&r->origin);
	free(r->exe.path);
	free(r->exe.build_id);
	free(r->course.large.step);
	free(r->course.live.step);
	free(r->timeline.bin);
	free(r->timeline.point);
	free(r->sizes);
	wm_usage_release(&r->usage);
	memset(r, 0, sizeof(*r));
}
