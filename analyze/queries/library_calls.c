/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/queries/library_calls.h"

#include <fnmatch.h>
#include <string.h>

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
