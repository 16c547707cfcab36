/* SPDX-License-Identifier: Apache-2.0 */
/* The sites, phases and ranks that a model is made of. */
#include "analyze/model/model.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analyze/base/vec.h"

void wm_model_release(struct wm_model *m)
{
	size_t i;

	for (i = 0; m->cell && i < m->parts * m->sites * WM_ROLES; i++)
		free(m->cell[i]);
	free(m->cell);
	for (i = 0; i < m->sites; i++)
		free(m->site[i].name);
	for (i = 0; i < m->samples; i++)
		free(m->sample[i].held);
	free(m->site);
	wm_keys_release(&m->paths);
	wm_keys_release(&m->names);
	free(m->sample);
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

uint32_t wm_model_site(struct wm_model *m, const char *path, const char *name)
{
	uint32_t number = wm_keys_text(&m->paths, path);
	struct wm_model_site *s;

	if (m->paths.failed || number < m->sites)
		return m->paths.failed ? UINT32_MAX : number;
	s = WM_MORE(m->site, m->site_cap, m->sites);
	if (!s)
		return UINT32_MAX;
	m->sites++;
	s->path = m->paths.item[number].key;
	s->name = strdup(name);
	s->place = place_of(path);
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

struct wm_sample *wm_model_sample(struct wm_model *m, size_t run, uint64_t rank,
				  uint64_t ranks)
{
	struct wm_sample *s = WM_MORE(m->sample, m->sample_cap, m->samples);

	if (!s)
		return NULL;
	m->samples++;
	s->run = run;
	s->rank = rank;
	s->ranks = ranks;
	return s;
}

enum wm_status wm_sample_add(struct wm_sample *s, uint32_t part, uint32_t site,
			     double bytes, struct wm_err *err)
{
	struct wm_site_bytes *h = WM_MORE(s->held, s->cap, s->count);

	if (!h || part == UINT32_MAX || site == UINT32_MAX)
		return wm_no_memory(err, "the model");
	*h = (struct wm_site_bytes){ part, site, bytes };
	s->count++;
	return WM_OK;
}

double wm_sample_sum(const struct wm_sample *s, uint32_t part)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < s->count; i++)
		sum += s->held[i].part == part ? s->held[i].bytes : 0;
	return sum;
}

void wm_model_merge_parts(struct wm_model *m)
{
	uint32_t part, highest;
	size_t i, k, n;

	for (i = 0; i < m->samples; i++) {
		struct wm_sample *s = &m->sample[i];

		for (part = highest = 0; part < m->parts; part++)
			if (wm_sample_sum(s, part) > wm_sample_sum(s, highest))
				highest = part;
		for (k = n = 0; k < s->count; k++)
			if (s->held[k].part == highest)
				s->held[n++] = s->held[k];
		for (s->count = n; n-- > 0;)
			s->held[n].part = 0;
	}
	m->parts = 1;
}
