/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the page: the timeline in layers, allocation sites, and what each
 * of them holds over time. */
#include "analyze/report/page.h"

#include <stdlib.h>

#include "analyze/queries/functions.h"
#include "analyze/queries/layers.h"

#define LAYERS 12
#define SITES 2000
#define TRENDS 200 /* sites whose bytes over time are there */
#define TREND_POINTS 24
#define NOBODY UINT32_MAX

/* The bins of the layers from @from on, put together; NULL: none. */
static void put_values(const struct wm_layers *l, size_t from, size_t to,
		       struct wm_json *j)
{
	size_t i, k;

	wm_json_array(j, NULL);
	for (k = 0; k < l->bins; k++) {
		uint64_t sum = 0;

		for (i = from; i < to; i++)
			sum += l->layer[i].bytes[k];
		wm_json_uint(j, NULL, sum);
	}
	wm_json_end_array(j);
}

static void put_layer_names(const struct wm_layers *l, size_t shown,
			    struct wm_json *j)
{
	char others[48];
	size_t i;

	wm_json_array(j, "names");
	for (i = 0; i < shown; i++)
		wm_json_text(j, NULL, l->layer[i].name);
	snprintf(others, sizeof(others), "(%zu others)", l->count - shown);
	if (shown < l->count)
		wm_json_text(j, NULL, others);
	wm_json_end_array(j);
	wm_json_array(j, "files");
	for (i = 0; i < shown; i++)
		wm_json_text(j, NULL, l->layer[i].file);
	if (shown < l->count)
		wm_json_text(j, NULL, NULL);
	wm_json_end_array(j);
	wm_json_array(j, "lines");
	for (i = 0; i < shown; i++)
		wm_json_uint(j, NULL, l->layer[i].line);
	if (shown < l->count)
		wm_json_uint(j, NULL, 0);
	wm_json_end_array(j);
}

static void put_stack(struct wm_page *p, const struct wm_layers *l,
		      const char *name)
{
	size_t shown = l->count > LAYERS + 1 ? LAYERS : l->count, i;
	struct wm_json *j = &p->d.data;

	wm_json_object(j, NULL);
	wm_json_text(j, "by", name);
	put_layer_names(l, shown, j);
	wm_json_uint(j, "others", l->count - shown);
	wm_json_array(j, "values");
	for (i = 0; i < shown; i++)
		put_values(l, i, i + 1, j);
	if (shown < l->count)
		put_values(l, shown, l->count, j);
	wm_json_end_array(j);
	wm_json_end_object(j);
}

static enum wm_status make_stack(struct wm_page *p, enum wm_by by,
				 const char *name, struct wm_err *err)
{
	struct wm_layers l;
	enum wm_status s = wm_layers_make(&l, p->a, by, err);

	if (s)
		return s;
	put_stack(p, &l, name);
	wm_layers_release(&l);
	return WM_OK;
}

/* @sites: the layers of sites, for the caller. */
static enum wm_status put_stacks(struct wm_page *p, struct wm_layers *sites,
				 struct wm_err *err)
{
	enum wm_status s = WM_OK;

	wm_json_array(&p->d.data, "stacks");
	if (p->a->chosen != WM_ALL_RANKS) {
		s = wm_layers_make(sites, p->a, WM_BY_SITES, err);
		if (!s)
			put_stack(p, sites, "site");
		if (!s)
			s = make_stack(p, WM_BY_LIBRARIES, "library", err);
		if (!s)
			s = make_stack(p, WM_BY_THREADS, "thread", err);
		if (!s && p->phases)
			s = make_stack(p, WM_BY_PHASES, "phase", err);
		if (!s && p->a->name_series.names > WM_NAMES_NONE)
			s = make_stack(p, WM_BY_NAMES, "name", err);
	}
	wm_json_end_array(&p->d.data);
	return s;
}

/* A function at the peak, at the end, and over all ranks. */
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

	if (row && *row != NOBODY)
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
	size_t i;

	l->site = calloc(l->peak.count + l->end.count + 1, sizeof(*l->site));
	l->row_of = calloc(l->functions + 1, sizeof(*l->row_of));
	if (!l->site || !l->row_of)
		return wm_no_memory(err, "sites");
	for (i = 0; i < l->functions; i++)
		l->row_of[i] = NOBODY;
	for (i = 0; i < l->peak.count; i++) {
		s = find_site(l, &l->peak.function[i], true);
		s->bytes += l->peak.function[i].bytes;
		s->blocks += l->peak.function[i].blocks;
	}
	for (i = 0; i < l->end.count; i++) {
		s = find_site(l, &l->end.function[i], true);
		s->end_bytes += l->end.function[i].bytes;
		s->end_blocks += l->end.function[i].blocks;
	}
	for (i = 0; i < l->sum.count; i++) {
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

static void put_site_names(struct wm_page *p, const struct sites *l, size_t n)
{
	struct wm_json *j = &p->d.data;
	size_t i;

	wm_json_array(j, "name");
	for (i = 0; i < n; i++)
		wm_json_text(j, NULL, l->site[i].function->name);
	wm_json_end_array(j);
	wm_json_array(j, "file");
	for (i = 0; i < n; i++)
		wm_json_text(j, NULL, l->site[i].function->file);
	wm_json_end_array(j);
	wm_json_array(j, "object");
	for (i = 0; i < n; i++) {
		const struct wm_symbol *s = l->site[i].function->symbol;

		wm_json_text(j, NULL, s ? s->object : NULL);
	}
	wm_json_end_array(j);
	wm_json_array(j, "function");
	for (i = 0; i < n; i++) {
		const struct wm_symbol *s = l->site[i].function->symbol;
		int64_t row = s ? wm_page_name(p, s->function) : -1;

		wm_json_known(j, NULL, row >= 0, (uint64_t)row);
	}
	wm_json_end_array(j);
}

static void put_sites(struct wm_page *p, const struct sites *l)
{
	static const char *const key[] = { "line",	 "bytes",
					   "blocks",	 "end_bytes",
					   "end_blocks", "sum_bytes" };
	size_t n = l->count < SITES ? l->count : SITES, i, k;
	struct wm_json *j = &p->d.data;

	wm_json_object(j, "sites");
	put_site_names(p, l, n);
	for (k = 0; k < sizeof(key) / sizeof(*key); k++) {
		wm_json_array(j, key[k]);
		for (i = 0; i < n; i++) {
			const struct site *s = &l->site[i];
			const uint64_t value[] = {
				s->function->line, s->bytes,	  s->blocks,
				s->end_bytes,	   s->end_blocks, s->sum_bytes,
			};

			wm_json_uint(j, NULL, value[k]);
		}
		wm_json_end_array(j);
	}
	wm_json_end_object(j);
	if (n < l->count)
		wm_page_bound(p,
			      "%zu sites are left out: wm-analyze --functions "
			      "--json has all",
			      l->count - n);
}

/* Point @i begins with this bin. */
static size_t first_bin(const struct wm_layers *l, size_t points, size_t i)
{
	return i * l->bins / points;
}

static void put_trend(const struct wm_layers *l, const struct wm_layer *of,
		      size_t points, struct wm_json *j)
{
	size_t i, k;

	wm_json_array(j, NULL);
	for (i = 0; i < points && of; i++) {
		uint64_t most = 0;

		for (k = first_bin(l, points, i);
		     k < first_bin(l, points, i + 1); k++)
			if (of->bytes[k] > most)
				most = of->bytes[k];
		wm_json_uint(j, NULL, most);
	}
	wm_json_end_array(j);
}

/* What a site holds over time, one row for each of `sites`; of those that hold
 * most. */
static enum wm_status put_trends(struct wm_page *p, const struct sites *l,
				 const struct wm_layers *layers,
				 struct wm_err *err)
{
	size_t points = layers->bins < TREND_POINTS ? layers->bins :
						      TREND_POINTS;
	const struct wm_layer **of = calloc(l->functions + 1, sizeof(*of));
	struct wm_json *j = &p->d.data;
	size_t i;

	if (!of)
		return wm_no_memory(err, "sites");
	for (i = 0; i < layers->count && i < TRENDS; i++)
		if (layers->layer[i].function < l->functions)
			of[layers->layer[i].function] = &layers->layer[i];
	wm_json_object(j, "trends");
	wm_json_array(j, "bin");
	for (i = 0; i < points; i++)
		wm_json_uint(j, NULL, first_bin(layers, points, i));
	wm_json_end_array(j);
	wm_json_array(j, "values");
	for (i = 0; i < l->count && i < SITES; i++) {
		const struct wm_symbol *s = l->site[i].function->symbol;

		put_trend(layers, s ? of[s->function] : NULL, points, j);
	}
	wm_json_end_array(j);
	wm_json_end_object(j);
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
		put_sites(p, &l);
	if (!s)
		s = put_trends(p, &l, &layers, err);
	wm_layers_release(&layers);
	wm_functions_release(&l.peak);
	wm_functions_release(&l.end);
	wm_functions_release(&l.sum);
	free(l.site);
	free(l.row_of);
	return s;
}
