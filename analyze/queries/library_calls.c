/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/queries/library_calls.h"

#include <fnmatch.h>
#include <string.h>

#include "analyze/job/analysis.h"
#include "analyze/symbols/rules.h"

static bool has_line(const struct wm_frame *f)
{
	return f->symbol->file && f->symbol->line;
}

static bool is_in_main(const struct wm_analysis *a, const struct wm_frame *f)
{
	const struct wm_module *m = wm_frame_module(a, f);

	return m && m->main;
}

static bool is_of_library(const struct wm_analysis *a, const struct wm_frame *f)
{
	const char *object = f->symbol->object;

	if (has_line(f) || f->symbol->site == WM_SITE_MPI)
		return false;
	return !is_in_main(a, f) || (object && strchr(object, '('));
}

size_t wm_library_caller(const struct wm_analysis *a,
			 const struct wm_path_frames *f)
{
	size_t i, k;

	for (i = 0; i < f->count && is_of_library(a, &f->frame[i]); i++)
		;
	if (!i || i == f->count || f->frame[i].symbol->site == WM_SITE_MPI)
		return 0;
	for (k = i; k < f->count && !has_line(&f->frame[k]); k++)
		;
	return k < f->count ? k : i;
}

bool wm_library_sets_up(const struct wm_path_frames *f, size_t count)
{
	static const char *const names[] = { "*init*",	   "*Init*",
					     "*_once*",	   "*startup*",
					     "*_setup*",   "*register*",
					     "*configure*" };
	size_t i, k;

	for (i = 0; i < count; i++)
		for (k = 0; k < sizeof(names) / sizeof(*names); k++)
			if (fnmatch(names[k], f->frame[i].symbol->name, 0) == 0)
				return true;
	return false;
}

static uint64_t mix(uint64_t hash, uint64_t x)
{
	hash = (hash ^ x) * 0x9e3779b97f4a7c15;
	return hash ^ hash >> 29;
}

uint64_t wm_path_below(const struct wm_analysis *a, uint32_t path,
		       const struct wm_frame *caller)
{
	struct wm_frame f = wm_frame_first(a->symbols, &a->paths,
					   a->paths.leaf[path]);
	uint64_t hash = 0;

	while (f.node != caller->node) {
		const struct wm_path_node *n = &a->paths.nodes[f.node];

		hash = mix(mix(hash, n->module), n->offset);
		if (!wm_frame_next(a->symbols, &a->paths, &f))
			break;
	}
	return hash;
}

static int order(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

int wm_library_compare_callers(const struct wm_frame *x,
			       const struct wm_frame *y)
{
	const struct wm_symbol *a = x->symbol, *b = y->symbol;
	bool has_line = a->file && a->line;
	int d = order(has_line, b->file && b->line);

	if (!d && has_line) {
		d = order(a->function, b->function);
		if (!d)
			d = order(a->line, b->line);
		return d ? d : strcmp(a->file, b->file);
	}
	if (!d)
		d = order(x->node, y->node);
	return d ? d : order((uintptr_t)a, (uintptr_t)b);
}
