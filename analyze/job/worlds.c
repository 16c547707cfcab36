/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/trace/block.h"

#define SPAWN "-spawn"
/* What a damaged trace says beyond that is not believed. */
#define MAX_RANKS (1u << 30)

/* What the first block of the trace @path says; what can not be read is of the
 * launched world, and will be told when it is read as a rank. */
static enum wm_status read_world(const char *path, struct wm_world *w,
				 struct wm_err *err)
{
	struct wm_head *h = malloc(sizeof(*h));
	const struct wm_head_field *id;
	struct wm_xz xz = { 0 };
	struct wm_source src;
	struct wm_err why;
	uint8_t *buf = NULL;
	size_t cap = 0;

	if (h && !wm_source_open(&src, path, &why)) {
		if (!wm_block_head(&src, &xz, 0, h, &buf, &cap, &why) &&
		    h->type == WMT_BLOCK_START) {
			id = &h->field[WMT_F_RUN_ID];
			w->ranks = wm_head_uint(h, WMT_F_RANKS);
			if (w->ranks > MAX_RANKS)
				w->ranks = 0;
			if (wm_head_uint(h, WMT_F_SPAWNED) && id->data)
				w->id = strndup((const char *)id->data,
						id->size);
		}
		wm_xz_release(&xz);
		wm_source_release(&src);
	}
	free(buf);
	free(h);
	if (!w->id)
		w->id = strdup("");
	return w->id ? WM_OK : wm_no_memory(err, NULL);
}

/* The number of the spawn: "17.0-spawn2" comes before "17.0-spawn10". */
static unsigned long number(const char *id)
{
	const char *s = strstr(id, SPAWN);

	return s ? strtoul(s + strlen(SPAWN), NULL, 10) : 0;
}

static int by_number(const void *a, const void *b)
{
	const struct wm_world *x = a, *y = b;
	unsigned long n = number(x->id), m = number(y->id);

	return n != m ? (n < m ? -1 : 1) : strcmp(x->id, y->id);
}

static size_t world_of(const struct wm_run *run, const char *id)
{
	size_t i = 0;

	while (i < run->world_count && strcmp(run->worlds[i].id, id) != 0)
		i++;
	return i;
}

/* The worlds of all directories; *@ids: which each one belongs to. */
static enum wm_status find(struct wm_run *run, char **ids, struct wm_err *err)
{
	size_t i, d, w;

	for (d = 0; d < run->dir_count; d++) {
		struct wm_world found = { 0 };

		for (i = 0; i < run->file_count && !found.id; i++)
			if (run->files[i].dir == d &&
			    read_world(run->files[i].path, &found, err))
				return WM_NO_MEMORY;
		if (!found.id)
			continue;
		ids[d] = found.id;
		w = world_of(run, found.id);
		if (w == run->world_count) {
			run->worlds[w].id = strdup(found.id);
			run->world_count++;
			if (!run->worlds[w].id)
				return wm_no_memory(err, NULL);
		}
		if (found.ranks > run->worlds[w].ranks)
			run->worlds[w].ranks = found.ranks;
		for (i = 0; i < run->file_count; i++)
			if (run->files[i].dir == d &&
			    run->files[i].rank >= run->worlds[w].ranks)
				run->worlds[w].ranks = run->files[i].rank + 1;
	}
	return WM_OK;
}

static enum wm_status shift(struct wm_run *run, char **ids, struct wm_err *err)
{
	size_t i;

	for (i = 0; i < run->file_count; i++) {
		struct wm_run_file *f = &run->files[i];
		const struct wm_world *w;

		if (f->dir == SIZE_MAX || !ids[f->dir])
			continue;
		f->world = world_of(run, ids[f->dir]);
		w = &run->worlds[f->world];
		if (!w->first)
			continue;
		f->rank += w->first;
		free(f->name);
		if (asprintf(&f->name, "rank %llu: '%s'",
			     (unsigned long long)f->rank, f->path) < 0) {
			f->name = NULL;
			return wm_no_memory(err, NULL);
		}
	}
	for (i = 0; i < run->child_count; i++) {
		struct wm_run_child *c = &run->children[i];

		if (ids[c->dir])
			c->rank +=
				run->worlds[world_of(run, ids[c->dir])].first;
	}
	return WM_OK;
}

static enum wm_status note(struct wm_run *run, struct wm_err *err)
{
	size_t i;

	for (i = 0; i < run->world_count; i++) {
		const struct wm_world *w = &run->worlds[i];
		unsigned long long last = w->first + w->ranks - 1;
		enum wm_status r;

		if (!w->id[0] || !w->first)
			continue;
		if (w->ranks == 1)
			r = wm_run_note(run, err,
					"MPI_Comm_spawn started run "
					"%s: its rank 0 is rank %llu of the "
					"job",
					w->id, last);
		else
			r = wm_run_note(run, err,
					"MPI_Comm_spawn started run "
					"%s: its ranks 0 to %llu are ranks "
					"%llu to %llu of the job",
					w->id, (unsigned long long)w->ranks - 1,
					(unsigned long long)w->first, last);
		if (r)
			return r;
	}
	return WM_OK;
}

enum wm_status wm_worlds_number(struct wm_run *run, struct wm_err *err)
{
	char **ids;
	enum wm_status r;
	size_t i;

	if (run->dir_count < 2)
		return WM_OK;
	ids = calloc(run->dir_count, sizeof(*ids));
	run->worlds = calloc(run->dir_count, sizeof(*run->worlds));
	r = ids && run->worlds ? find(run, ids, err) : wm_no_memory(err, NULL);
	if (!r && run->world_count > 1) {
		qsort(run->worlds, run->world_count, sizeof(*run->worlds),
		      by_number);
		for (i = 1; i < run->world_count; i++)
			run->worlds[i].first = run->worlds[i - 1].first +
					       run->worlds[i - 1].ranks;
		r = shift(run, ids, err);
		if (!r)
			r = note(run, err);
	}
	for (i = 0; ids && i < run->dir_count; i++)
		free(ids[i]);
	free(ids);
	return r;
}

uint64_t wm_worlds_size(const struct wm_run *run, const struct wm_run_file *f,
			uint64_t ranks)
{
	const struct wm_world *last;

	if (run->world_count < 2 || !ranks || f->dir == SIZE_MAX)
		return ranks;
	last = &run->worlds[run->world_count - 1];
	return last->first + last->ranks + ranks - run->worlds[f->world].ranks;
}

void wm_worlds_release(struct wm_run *run)
{
	size_t i;

	for (i = 0; i < run->world_count; i++)
		free(run->worlds[i].id);
	free(run->worlds);
}
