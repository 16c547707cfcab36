/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/heap/layers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/order.h"
#include "analyze/lib/base/shorten.h"
#include "analyze/lib/base/vec.h"
#include "analyze/lib/base/whole.h"
#include "analyze/answers/heap/functions.h"
#include "analyze/answers/heap/libraries.h"
#include "analyze/answers/heap/path_frames.h"
#include "analyze/symbols/site.h"
#include "input/path.h"

#define FILE_COLUMNS 40

const char *const wm_by_name[] = { NULL,    "sites",  "libraries",
				   "names", "phases", "threads" };

struct making {
	struct wm_layers *l;
	const struct wm_analysis *a;
	size_t keys, cap;
	uint32_t *layer_of; /* by key */
	uint64_t *now; /* bytes of each key in the bin being filled */
};

#define NO_LAYER UINT32_MAX

/* Returns NO_LAYER if memory is short. */
static uint32_t add_layer(struct making *m, const char *name, const char *file,
			  uint32_t line)
{
	struct wm_layer *l = WM_MORE(m->l->layer, m->cap, m->l->count);

	if (!l)
		return NO_LAYER;
	l->line = line;
	l->function = WM_NO_FUNCTION;
	l->name = name ? strdup(name) : NULL;
	l->file = file ? strdup(file) : NULL;
	m->l->count++;
	return (name && !l->name) || (file && !l->file) ?
		       NO_LAYER :
		       (uint32_t)m->l->count - 1;
}

/* Makes a layer for each function that --functions lists. */
static enum wm_status name_sites(struct making *m, struct wm_err *err)
{
	const struct wm_series *b = &m->a->series;
	struct wm_use *use = calloc(m->keys, sizeof(*use));
	struct wm_functions f;
	enum wm_status s;

	if (!use)
		return wm_no_memory(err, "the timeline");
	for (size_t i = 0; i < b->count; i++) {
		struct wm_use *u = &use[b->step[i].key];

		u->peak_blocks = 1;
		wm_raise(&u->peak_bytes, b->step[i].bytes);
	}
	s = wm_functions_of(&f, m->a, use, err);
	free(use);
	for (size_t i = 0; !s && i < f.count; i++) {
		const struct wm_function *fn = &f.function[i];
		uint32_t layer = add_layer(m, fn->name, fn->file, fn->line);

		if (layer == NO_LAYER)
			s = wm_no_memory(err, "the timeline");
		else if (fn->symbol)
			m->l->layer[layer].function = fn->symbol->function;
		for (size_t k = 0; k < fn->held_count; k++)
			m->layer_of[fn->held[k].path] = layer;
	}
	wm_functions_release(&f);
	return s;
}

/* Writes the archive, library or program of the site of @path into @name, with
 * the name that --libraries shows. */
static void library_of(const struct wm_analysis *a, uint32_t path, char *name,
		       size_t size)
{
	struct wm_frame f = wm_site_find(a->symbols, &a->paths, path);
	const struct wm_module *m =
		&a->paths.modules[a->paths.nodes[f.node].module];
	const char *object = f.symbol ? f.symbol->object : NULL;
	size_t n = object ? wm_library_archive(object) : 0;

	if (m->main && n)
		snprintf(name, size, "%.*s", (int)n, object);
	else
		snprintf(name, size, "%s",
			 m->main ? a->name :
			 m->path ? m->path :
				   "??");
	memmove(name, wm_basename(name), strlen(wm_basename(name)) + 1);
}

/* Returns the layer with this name, which is added if there is none. */
static uint32_t get_layer(struct making *m, const char *name)
{
	for (uint32_t k = 0; k < m->l->count && name; k++)
		if (m->l->layer[k].name &&
		    strcmp(m->l->layer[k].name, name) == 0)
			return k;
	return add_layer(m, name, NULL, 0);
}

static enum wm_status name_libraries(struct making *m, struct wm_err *err)
{
	const struct wm_series *b = &m->a->series;
	char name[4096];

	for (size_t i = 0; i < b->count; i++) {
		uint32_t key = b->step[i].key;

		if (m->layer_of[key] != NO_LAYER)
			continue;
		library_of(m->a, key, name, sizeof(name));
		m->layer_of[key] = get_layer(m, name);
		if (m->layer_of[key] == NO_LAYER)
			return wm_no_memory(err, "the timeline");
	}
	return WM_OK;
}

/* Makes a layer for each outermost function of the paths. */
static enum wm_status name_threads(struct making *m, struct wm_err *err)
{
	const struct wm_series *b = &m->a->series;
	struct wm_path_frames f = { .count = 0 };
	/* by function, number 0 for none: index + 1 of the layer; the array
	 * grows because symbols are read on demand */
	uint32_t *layer_of = NULL;
	enum wm_status s = WM_OK;
	size_t cap = 0;

	for (size_t i = 0; i < b->count && !s; i++) {
		uint32_t *layer = &m->layer_of[b->step[i].key];
		const struct wm_symbol *outer;
		size_t at;

		if (*layer != NO_LAYER)
			continue;
		s = wm_path_frames_fill(&f, m->a, b->step[i].key, err);
		if (s)
			break;
		outer = f.count ? f.frame[f.count - 1].symbol :
				  wm_site_find(m->a->symbols, &m->a->paths,
					       b->step[i].key)
					  .symbol;
		at = outer ? (size_t)outer->function + 1 : 0;
		if (WM_ZEROED(layer_of, cap, at + 1)) {
			*layer = layer_of[at] ?
					 layer_of[at] - 1 :
					 add_layer(m,
						   outer ? outer->name : "??",
						   NULL, 0);
			layer_of[at] = *layer + 1;
		}
		if (*layer == NO_LAYER)
			s = wm_no_memory(err, "the timeline");
	}
	wm_path_frames_release(&f);
	free(layer_of);
	return s;
}

/* Makes a layer for each name of blocks, which several variables may share. */
static enum wm_status name_names(struct making *m, struct wm_err *err)
{
	const struct wm_series *b = &m->a->name_series;

	for (size_t i = 0; i < b->count; i++) {
		uint32_t *layer = &m->layer_of[b->step[i].key];

		if (*layer == NO_LAYER)
			*layer = get_layer(m, b->name[b->step[i].key]);
		if (*layer == NO_LAYER)
			return wm_no_memory(err, "the timeline");
		m->l->layer[*layer].unnamed = "without a name";
	}
	return WM_OK;
}

static enum wm_status name_phases(struct making *m, struct wm_err *err)
{
	const struct wm_series *b = &m->a->phase_series;

	for (size_t i = 0; i < b->count; i++) {
		uint32_t *layer = &m->layer_of[b->step[i].key];

		if (*layer == NO_LAYER)
			*layer = add_layer(m, b->name[b->step[i].key], NULL, 0);
		if (*layer == NO_LAYER)
			return wm_no_memory(err, "the timeline");
		m->l->layer[*layer].unnamed = "outside of all phases";
	}
	return WM_OK;
}

static void fill_bins(struct making *m, const struct wm_series *b)
{
	struct wm_layers *l = m->l;
	size_t bin, i, next = 0;

	for (i = 0; i < l->count; i++)
		l->layer[i].bytes = l->bytes + i * l->bins;
	for (bin = 0; bin < l->bins; bin++) {
		for (i = 0; i < l->count && bin; i++)
			l->layer[i].bytes[bin] = l->layer[i].bytes[bin - 1];
		for (; next < b->count && b->step[next].bin == bin; next++) {
			const struct wm_series_step *s = &b->step[next];

			l->layer[m->layer_of[s->key]].bytes[bin] +=
				s->bytes - m->now[s->key];
			m->now[s->key] = s->bytes;
		}
		for (i = 0; i < l->count; i++)
			wm_raise(&l->layer[i].most, l->layer[i].bytes[bin]);
	}
}

static int by_most(const void *a, const void *b)
{
	const struct wm_layer *x = a, *y = b;

	/* layers with equal names stay in the order in which they were made */
	return WM_KEYS(WM_ORDER(y->most, x->most),
		       wm_text_order(x->name, y->name),
		       WM_ORDER(x->bytes, y->bytes));
}

static const struct wm_series *series_of(const struct wm_analysis *a,
					 enum wm_by by)
{
	return by == WM_BY_PHASES ? &a->phase_series :
	       by == WM_BY_NAMES  ? &a->name_series :
				    &a->series;
}

static enum wm_status make_layers(struct making *m, enum wm_by by,
				  struct wm_err *err)
{
	struct wm_layers *l = m->l;
	enum wm_status s;

	m->layer_of = malloc(m->keys * sizeof(*m->layer_of));
	m->now = calloc(m->keys, sizeof(*m->now));
	if (!m->layer_of || !m->now)
		return wm_no_memory(err, "the timeline");
	for (size_t i = 0; i < m->keys; i++)
		m->layer_of[i] = NO_LAYER;
	s = by == WM_BY_SITES	  ? name_sites(m, err) :
	    by == WM_BY_LIBRARIES ? name_libraries(m, err) :
	    by == WM_BY_THREADS	  ? name_threads(m, err) :
	    by == WM_BY_NAMES	  ? name_names(m, err) :
				    name_phases(m, err);
	if (s)
		return s;
	l->bytes = calloc(l->count * l->bins + 1, sizeof(*l->bytes));
	if (!l->bytes)
		return wm_no_memory(err, "the timeline");
	fill_bins(m, series_of(m->a, by));
	WM_SORT(l->layer, l->count, by_most);
	return WM_OK;
}

enum wm_status wm_layers_make(struct wm_layers *l, const struct wm_analysis *a,
			      enum wm_by by, struct wm_err *err)
{
	struct making m = { .l = l, .a = a };
	enum wm_status s;

	memset(l, 0, sizeof(*l));
	l->bins = a->ranks[a->chosen].timeline.count;
	m.keys = by == WM_BY_PHASES || by == WM_BY_NAMES ?
			 series_of(a, by)->names :
			 a->paths.path_count;
	s = make_layers(&m, by, err);
	free(m.layer_of);
	free(m.now);
	if (s)
		wm_layers_release(l);
	return s;
}

void wm_layers_release(struct wm_layers *l)
{
	for (size_t i = 0; i < l->count; i++) {
		free(l->layer[i].name);
		free(l->layer[i].file);
	}
	free(l->layer);
	free(l->bytes);
	memset(l, 0, sizeof(*l));
}

const char *wm_layer_name(const struct wm_layer *l, char buf[WM_LAYER_TEXT])
{
	char name[WM_NAME_COLUMNS + 1], file[FILE_COLUMNS + 1];
	size_t n;

	if (!l->name)
		return l->unnamed;
	n = (size_t)snprintf(buf, WM_LAYER_TEXT, "%s",
			     wm_shorten(l->name, WM_NAME_COLUMNS, name));
	if (l->file && l->line && n < WM_LAYER_TEXT)
		snprintf(buf + n, WM_LAYER_TEXT - n, "  %s:%u",
			 wm_shorten(wm_basename(l->file), FILE_COLUMNS, file),
			 l->line);
	return buf;
}
