/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that MPI_Comm_spawn started, in a job with ranks that were launched.
 * Each MPI_COMM_WORLD counts its ranks from 0 and has its own run directories.
 * In a run of several worlds all ranks are numbered in one sequence: first the
 * launched ranks, then those of the spawned worlds by world number. */
#include "analyze/job/scan_heads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/job/facts.h"
#include "wm/search.h"

#define SPAWN "-spawn"
/* A larger number comes from a damaged trace. */
#define MAX_RANKS (1u << 30)

struct world {
	const char *id; /* of its run directories; "": the launched world */
	uint64_t first, ranks; /* first rank in the job; number of ranks */
};

/* Returns the number of the spawn: "17.0-spawn2" must
 * precede "17.0-spawn10". */
static unsigned long spawn_number(const char *id)
{
	const char *s = strstr(id, SPAWN);

	return s ? strtoul(s + strlen(SPAWN), NULL, 10) : 0;
}

static int by_number(const void *a, const void *b)
{
	const struct world *x = a, *y = b;
	unsigned long n = spawn_number(x->id), m = spawn_number(y->id);

	return WM_KEYS(WM_ORDER(n, m), strcmp(x->id, y->id));
}

static size_t find_world(const struct world *w, size_t count, const char *id)
{
	size_t i = 0;

	while (i < count && strcmp(w[i].id, id) != 0)
		i++;
	return i;
}

/* Returns the facts of the first readable trace of directory @d, or NULL. */
static const struct wm_facts *facts_of(const struct wm_run *run, size_t d)
{
	for (size_t i = 0; i < run->all_count; i++)
		if (run->files[i].dir == d && run->files[i].facts)
			return run->files[i].facts;
	return NULL;
}

/* Finds the worlds, and in @ids the world of each directory. */
static size_t find_worlds(const struct wm_run *run, struct world *worlds,
			  const char **ids)
{
	size_t d, i, n, count = 0;

	for (d = 0; d < run->dir_count; d++) {
		const struct wm_facts *k = facts_of(run, d);
		struct world *w;

		ids[d] = k && k->spawned && k->run_id ? k->run_id : "";
		n = find_world(worlds, count, ids[d]);
		w = &worlds[n];
		w->id = ids[d];
		count += n == count;
		if (k && k->ranks <= MAX_RANKS && k->ranks > w->ranks)
			w->ranks = k->ranks;
		for (i = 0; i < run->all_count; i++)
			if (run->files[i].dir == d &&
			    run->files[i].rank >= w->ranks)
				w->ranks = run->files[i].rank + 1;
	}
	return count;
}

static enum wm_status shift_file(struct wm_run_file *f, const struct world *w,
				 uint64_t job, struct wm_err *err)
{
	if (f->ranks)
		f->ranks += job - w->ranks;
	if (!w->first)
		return WM_OK;
	f->rank += w->first;
	free(f->name);
	if (asprintf(&f->name, "rank %" PRIu64 ": '%s'", f->rank, f->path) < 0)
		f->name = NULL;
	return f->name ? WM_OK : wm_no_memory(err, NULL);
}

static enum wm_status shift_ranks(struct wm_run *run,
				  const struct world *worlds, size_t count,
				  const char **ids, struct wm_err *err)
{
	const struct world *last = &worlds[count - 1];
	enum wm_status r = WM_OK;

	for (size_t i = 0; i < run->all_count && !r; i++) {
		struct wm_run_file *f = &run->files[i];

		if (f->dir == SIZE_MAX)
			continue;
		f->world = find_world(worlds, count, ids[f->dir]);
		r = shift_file(f, &worlds[f->world], last->first + last->ranks,
			       err);
	}
	for (size_t i = 0; i < run->child_count; i++) {
		struct wm_run_child *c = &run->children[i];

		c->rank += worlds[find_world(worlds, count, ids[c->dir])].first;
	}
	return r;
}

static enum wm_status note_world(struct wm_run *run, const struct world *w,
				 struct wm_err *err)
{
	uint64_t last = w->first + w->ranks - 1;

	if (!w->id[0] || !w->first)
		return WM_OK;
	if (w->ranks == 1)
		return wm_run_note(run, err,
				   "MPI_Comm_spawn started run %s: "
				   "its rank 0 is rank %" PRIu64 " of the job",
				   w->id, last);
	return wm_run_note(run, err,
			   "MPI_Comm_spawn started run %s: its ranks "
			   "0 to %" PRIu64 " are ranks %" PRIu64 " to %" PRIu64
			   " of the job",
			   w->id, w->ranks - 1, w->first, last);
}

static enum wm_status number_worlds(struct wm_run *run, struct world *worlds,
				    size_t count, const char **ids,
				    struct wm_err *err)
{
	enum wm_status r;

	WM_SORT(worlds, count, by_number);
	for (size_t i = 1; i < count; i++)
		worlds[i].first = worlds[i - 1].first + worlds[i - 1].ranks;
	r = shift_ranks(run, worlds, count, ids, err);
	for (size_t i = 0; i < count && !r; i++)
		r = note_world(run, &worlds[i], err);
	return r;
}

enum wm_status wm_spawned_number(struct wm_run *run, struct wm_err *err)
{
	enum wm_status r = WM_OK;
	struct world *worlds;
	const char **ids;
	size_t count;

	if (run->dir_count < 2)
		return WM_OK;
	ids = calloc(run->dir_count, sizeof(*ids));
	worlds = calloc(run->dir_count, sizeof(*worlds));
	if (ids && worlds) {
		count = find_worlds(run, worlds, ids);
		if (count > 1)
			r = number_worlds(run, worlds, count, ids, err);
	} else {
		r = wm_no_memory(err, NULL);
	}
	free(ids);
	free(worlds);
	return r;
}
