/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the page about the timeline in layers, allocation sites, and the
 * memory of each site over time. */
#include "analyze/answers/page/page.h"

#include <stdlib.h>

#include "analyze/answers/heap/functions.h"
#include "analyze/answers/heap/layers.h"
#include "analyze/answers/reports.h"

#define SITES 2000
#define TRENDS 200 /* sites that have bytes over time */
#define TREND_POINTS 24
#define NO_ROW UINT32_MAX

static enum wm_status put_stack(struct wm_page *p, enum wm_by by,
				struct wm_layers *l, struct wm_err *err)
{
	enum wm_status s = wm_layers_make(l, p->a, by, err);

	if (s)
		return s;
	wm_json_object(&p->d.data, NULL);
	wm_layers_data(l, by, &p->d);
	wm_json_end_object(&p->d.data);
	return WM_OK;
}

/* Stores the layers of sites in @sites, which the caller releases. */
static enum wm_status put_stacks(struct wm_page *p, struct wm_layers *sites,
				 struct wm_err *err)
{
	static const enum wm_by order[] = { WM_BY_LIBRARIES, WM_BY_THREADS,
					    WM_BY_PHASES, WM_BY_NAMES };
	const struct wm_analysis *a = p->a;
	enum wm_status s = WM_OK;

	wm_json_array(&p->d.data, "stacks");
	if (a->chosen != WM_ALL_RANKS)
		s = put_stack(p, WM_BY_SITES, sites, err);
	for (size_t i = 0; i < sizeof(order) / sizeof(*order) && !s; i++) {
		enum wm_by by = order[i];
		struct wm_layers l = { .count = 0 };

		if (a->chosen == WM_ALL_RANKS ||
		    (by == WM_BY_PHASES && !a->annotations.phase_count) ||
		    (by == WM_BY_NAMES &&
		     a->name_series.names <= WM_NAMES_NONE))
			continue;
		s = put_stack(p, by, &l, err);
		wm_layers_release(&l);
	}
	wm_json_end_array(&p->d.data);
	return s;
}

struct site {
	const struct wm_function *function;
	uint64_t bytes, blocks, end_bytes, end_blocks, sum_bytes;
};

struct sites {
	struct site *site;
	size_t count;
	uint32_t *row_of; /* by number of function */
	size_t functions;
	struct wm_functions peak, end, sum;
};

static struct site *find_site(struct sites *l, const struct wm_function *f,
			      bool make)
{
	uint32_t *row = f->symbol && f->symbol->function < l->functions ?
				&l->row_of[f->symbol->function] :
				NULL;
	struct site *s;

	if (row && *row != NO_ROW)
		return &l->site[*row];
	if (!make)
		return NULL;
	if (row)
		*row = (uint32_t)l->count;
	s = &l->site[l->count++];
	s->function = f;
	return s;
}

static enum wm_status fill_sites(struct sites *l, struct wm_err *err)
{
	struct site *s;

	l->site = calloc(l->peak.count + l->end.count + 1, sizeof(*l->site));
	l->row_of = calloc(l->functions + 1, sizeof(*l->row_of));
	if (!l->site || !l->row_of)
		return wm_no_memory(err, "sites");
	for (size_t i = 0; i < l->functions; i++)
		l->row_of[i] = NO_ROW;
	for (size_t i = 0; i < l->peak.count; i++) {
		s = find_site(l, &l->peak.function[i], true);
		s->bytes += l->peak.function[i].bytes;
		s->blocks += l->peak.function[i].blocks;
	}
	for (size_t i = 0; i < l->end.count; i++) {
		s = find_site(l, &l->end.function[i], true);
		s->end_bytes += l->end.function[i].bytes;
		s->end_blocks += l->end.function[i].blocks;
	}
	for (size_t i = 0; i < l->sum.count; i++) {
		s = find_site(l, &l->sum.function[i], false);
		if (s)
			s->sum_bytes += l->sum.function[i].bytes;
	}
	return WM_OK;
}

static enum wm_status make_sites(struct sites *l, const struct wm_analysis *a,
				 struct wm_err *err)
{
	const struct wm_use *all = a->retained[WM_RETAINED_all].use;
	enum wm_status s = wm_functions_make(&l->peak, a, WM_AT_PEAK, err);

	if (!s)
		s = wm_functions_make(&l->end, a, WM_AT_END, err);
	if (!s && all)
		s = wm_functions_of(&l->sum, a, all, err);
	l->functions = a->symbols->functions.count;
	return s ? s : fill_sites(l, err);
}

static size_t first_bin(const struct wm_layers *l, size_t points, size_t i)
{
	return i * l->bins / points;
}

static void fill_trend(const struct wm_layers *l, const struct wm_layer *of,
		       size_t points, uint64_t *most)
{
	for (size_t i = 0; i < points; i++)
		for (size_t k = first_bin(l, points, i);
		     k < first_bin(l, points, i + 1); k++)
			if (of->bytes[k] > most[i])
				most[i] = of->bytes[k];
}

/* Returns, by function, the layer of each function that holds much over time,
 * or NULL for other functions. */
static const struct wm_layer **find_layers(const struct sites *l,
					   const struct wm_layers *layers)
{
	const struct wm_layer **of = calloc(l->functions + 1, sizeof(*of));

	for (size_t i = 0; of && i < layers->count && i < TRENDS; i++)
		if (layers->layer[i].function < l->functions)
			of[layers->layer[i].function] = &layers->layer[i];
	return of;
}

static void add_site(struct wm_page *p, const struct site *s,
		     struct wm_table *t)
{
	const struct wm_symbol *symbol = s->function->symbol;
	int64_t row = symbol ? wm_page_name(p, symbol->function) : -1;

	WM_TABLE_ADD(t, s->function->name, s->function->file, s->function->line,
		     symbol ? symbol->object : NULL,
		     wm_known(row >= 0, (uint64_t)row), s->bytes, s->blocks,
		     s->end_bytes, s->end_blocks, s->sum_bytes);
}

/* Key trend has the bytes of the largest sites at a few points of time. */
static enum wm_status put_sites(struct wm_page *p, const struct sites *l,
				const struct wm_layers *layers,
				struct wm_err *err)
{
	static const struct wm_table_column columns[] = {
		{ "name", "", WM_UNIT_TEXT },
		{ "file", "", WM_UNIT_TEXT },
		{ "line", "", WM_UNIT_NUMBER },
		{ "object", "", WM_UNIT_TEXT },
		{ "function", "", WM_UNIT_NUMBER },
		{ "bytes", "", WM_UNIT_BYTES },
		{ "blocks", "", WM_UNIT_COUNT },
		{ "end_bytes", "", WM_UNIT_BYTES },
		{ "end_blocks", "", WM_UNIT_COUNT },
		{ "sum_bytes", "", WM_UNIT_BYTES },
		{ "trend", "", WM_UNIT_BYTES },
	};
	size_t points = layers->bins < TREND_POINTS ? layers->bins :
						      TREND_POINTS;
	const struct wm_layer **of = find_layers(l, layers), *layer;
	uint64_t *trend = calloc(TRENDS * TREND_POINTS, sizeof(*trend)), *next;
	struct wm_table t;
	size_t i;

	if (!of || !trend) {
		free(of);
		free(trend);
		return wm_no_memory(err, "sites");
	}
	WM_TABLE_INIT(&t, columns);
	for (i = 0, next = trend; i < l->count && i < SITES; i++) {
		const struct wm_symbol *s = l->site[i].function->symbol;

		add_site(p, &l->site[i], &t);
		layer = s ? of[s->function] : NULL;
		if (layer)
			fill_trend(layers, layer, points, next);
		wm_table_numbers(&t, next, layer ? points : 0);
		next += layer ? points : 0;
		if (layer)
			of[s->function] = NULL;
	}
	p->d.left_out = l->count - i;
	wm_doc_table(&p->d, &t, "sites", 0, WM_FOR_DATA);
	wm_page_left_out(p, "functions");
	free(trend);
	free(of);
	return WM_OK;
}

enum wm_status wm_page_sites(struct wm_page *p, struct wm_err *err)
{
	struct wm_layers layers = { .count = 0 };
	struct sites l = { .count = 0 };
	enum wm_status s = put_stacks(p, &layers, err);

	if (!s)
		s = make_sites(&l, p->a, err);
	if (!s)
		s = put_sites(p, &l, &layers, err);
	wm_layers_release(&layers);
	wm_functions_release(&l.peak);
	wm_functions_release(&l.end);
	wm_functions_release(&l.sum);
	free(l.site);
	free(l.row_of);
	return s;
}
