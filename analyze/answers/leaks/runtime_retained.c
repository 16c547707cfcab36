/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/leaks/runtime_retained.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "analyze/symbols/site.h"
#include "input/path.h"

/* Functions of libc that give blocks to their callers, and their internals. */
/* clang-format off */
static const char *const gives[] = {
	"*strdup*", "*strndup*", "*wcsdup*", "*asprintf*", "*getline*",
	"*getdelim*", "*fopen*", "*fdopen*", "*popen*", "*open_memstream*",
	"*open_wmemstream*", "*opendir*", "*alloc_dir*", "*scandir*",
	"*realpath*", "*getcwd*", "*get_current_dir_name*", "*tempnam*",
	"glob", "glob64", "*wordexp*", "*regcomp*", "*getaddrinfo*",
	"*getifaddrs*", "*if_nameindex*", "*backtrace_symbols*", "*tsearch*",
	"*hcreate*", "*newlocale*", "*duplocale*", "iconv_open*",
};
/* clang-format on */

static bool gives_away(const struct wm_symbol *f)
{
	for (size_t i = 0; f->linkage && i < sizeof(gives) / sizeof(*gives);
	     i++)
		if (fnmatch(gives[i], f->linkage, 0) == 0)
			return true;
	return false;
}

/* Returns whether the loader called the library of @site to set it up or to end
 * it, before any function of the executable was called. */
static bool is_of_loader(struct wm_symbols *s, const struct wm_paths *paths,
			 const struct wm_frame *site)
{
	const struct wm_module *m;
	struct wm_frame f = *site;

	do {
		m = &paths->modules[paths->nodes[f.node].module];
		if (m->main)
			return false;
		if (m->path && strncmp(wm_basename(m->path), "ld-", 3) == 0)
			return true;
	} while (wm_frame_next(s, paths, &f));
	return false;
}

enum wm_group wm_runtime_retained_group(struct wm_symbols *s,
					const struct wm_paths *paths,
					uint32_t path)
{
	struct wm_frame site = wm_site_find(s, paths, path), f;
	/* the function of the runtime that was called */
	const struct wm_symbol *called = NULL;

	if (!site.node || !site.symbol)
		return WM_GROUP_none;
	if (site.symbol->site == WM_SITE_MPI)
		return WM_GROUP_mpi;
	if (site.symbol->site == WM_SITE_OPENMP)
		return WM_GROUP_openmp;
	/* such blocks have no function of the program as their site */
	if (site.symbol->site == WM_SITE_BY_OBJECT)
		return (enum wm_group)site.symbol->group;
	if (is_of_loader(s, paths, &site))
		return WM_GROUP_library;
	f = wm_frame_first(s, paths, paths->leaf[path]);
	while (f.symbol != site.symbol || f.node != site.node) {
		if (f.symbol && (f.symbol->group == WM_GROUP_libc ||
				 f.symbol->group == WM_GROUP_fortran))
			called = f.symbol;
		if (!wm_frame_next(s, paths, &f))
			break;
	}
	/* setlocale() keeps its copies, though strdup() makes them */
	return !called || gives_away(called) ? WM_GROUP_none :
					       (enum wm_group)called->group;
}
