/* SPDX-License-Identifier: Apache-2.0 */
/* The sites, phases and ranks that a model is made of. */
#include "analyze/model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analyze/base/vec.h"

void wm_model_release(struct wm_model *m)
{
	size_t i;

	for (i = 0; i < m->sites; i++)
		free(m->site[i].name);
	for (i = 0; i < m->samples; i++)
		free(m->sample[i].held);
	free(m->cell);
	free(m->site);
	free(m->sample);
	wm_keys_release(&m->paths);
	wm_keys_release(&m->names);
	memset(m, 0, sizeof(*m));
}

/* By the functions of a path, with the P of MPI's profiling names or without. */
static enum wm_model_place place_of(const char *path)
{
	enum wm_model_place place = WM_PLACE_PROGRAM;

	if (*path == '(')
		return WM_PLACE_START;
	for (; path; path = strchr(path, ';')) {
		path += *path == ';';
		path += *path == 'P' || *path == 'p';
		if (!strncasecmp(path, "MPI_Init", 8))
			return WM_PLACE_START;
		if (!strncasecmp(path, "MPI_", 4) ||
		    !strncasecmp(path, "MPIR_", 5) ||
		    !strncasecmp(path, "MPID", 4))
			place = WM_PLACE_MPI;
	}
	return place;
}

uint32_t wm_model_site(struct wm_model *m, uint32_t part, const char *path,
		       const char *name)
{
	enum wm_model_place place = place_of(path);
	struct wm_model_site *s;
	uint32_t number;
	char *key;

	if (asprintf(&key, "%c%s", 'A' + (int)part,
		     place == WM_PLACE_MPI ? name : path) < 0)
		return UINT32_MAX;
	number = wm_keys_text(&m->paths, key);
	free(key);
	if (m->paths.failed || number < m->sites)
		return m->paths.failed ? UINT32_MAX : number;
	s = WM_MORE(m->site, m->site_cap, m->sites);
	if (!s)
		return UINT32_MAX;
	m->sites++;
	s->part = part;
	s->path = m->paths.item[number].key + 1;
	s->name = strdup(name);
	s->place = place;
	return s->name ? number : UINT32_MAX;
}

uint32_t wm_model_part(struct wm_model *m, const char *name)
{
	uint32_t number = wm_keys_text(&m->names, name ? name : "");

	if (m->names.failed || number >= WM_MODEL_PARTS)
		return UINT32_MAX;
	m->part[number].name = name ? m->names.item[number].key : NULL;
	m->parts = m->names.count;
	return number;
}

size_t wm_model_run(struct wm_model *m, struct wm_point x)
{
	size_t i;

	for (i = 0; i < m->runs; i++)
		if (m->point[i].n == x.n && m->point[i].p == x.p)
			return i;
	m->point[i] = x;
	return m->runs++;
}

struct wm_sample *wm_model_sample(struct wm_model *m, size_t run, uint64_t rank)
{
	struct wm_sample *s = WM_MORE(m->sample, m->sample_cap, m->samples);

	if (!s)
		return NULL;
	s->run = run;
	s->rank = rank;
	if (!m->samples || s[-1].run != run)
		m->first[run] = m->samples;
	m->samples++;
	return s;
}

enum wm_status wm_sample_add(struct wm_sample *s, uint32_t site, double bytes,
			     struct wm_err *err)
{
	if (site == UINT32_MAX || !WM_ROOM(s->held, s->cap, site + 1))
		return wm_no_memory(err, "the model");
	while (s->count <= site)
		s->held[s->count++] = 0;
	s->held[site] += bytes;
	return WM_OK;
}

double wm_sample_sum(const struct wm_model *m, const struct wm_sample *s,
		     size_t part)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < s->count; i++)
		sum += m->site[i].part == part ? s->held[i] : 0;
	return sum;
}

size_t wm_model_largest(const struct wm_model *m)
{
	size_t best = 0, i;

	for (i = 1; i < m->runs; i++) {
		const struct wm_point *x = &m->point[i], *b = &m->point[best];

		if (x->n > b->n || (x->n == b->n && x->p > b->p))
			best = i;
	}
	return best;
}
