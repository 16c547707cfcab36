/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/outside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/access/debuginfod.h"
#include "analyze/access/places.h"
#include "analyze/lib/base/plain.h"
#include "wm/census_format.h"

struct outside {
	const char *first;
	size_t count;
};

static void add_path(struct outside *x, const char *path)
{
	if (!x->count++)
		x->first = path;
}

/* Returns the file of @p's bundle if it is an executable outside of the run. */
static const char *outside_executable(const struct wm_program *p)
{
	size_t n = strlen(p->dir);

	return p->bundle && p->bundle_path && !p->named &&
			       (strncmp(p->bundle_path, p->dir, n) != 0 ||
				strcmp(p->bundle_path + n, "/" WMC_FILE_NAME) !=
					0) ?
		       p->bundle_path :
		       NULL;
}

static bool is_executable(const struct wm_analysis *a, const char *path)
{
	const char *exe;

	for (size_t i = 0; i < a->program_count; i++)
		if ((exe = outside_executable(&a->programs[i])) &&
		    strcmp(exe, path) == 0)
			return true;
	return false;
}

/* Reports names from files that the trace does not name. */
static void print_elsewhere(const struct wm_analysis *a)
{
	struct outside x = { NULL, 0 };
	const char *module = NULL, *path;
	char *plain;

	for (size_t i = 0; a->symbols && i < a->symbols->module_count; i++) {
		path = wm_symbols_elsewhere(a->symbols, (uint32_t)i);
		/* this is the usual folder of debug files */
		if (path && strncmp(path, WM_PLACES_USUAL "/",
				    sizeof(WM_PLACES_USUAL)) == 0)
			path = NULL;
		if (path && !module)
			module = a->paths.modules[i].path;
		if (path)
			add_path(&x, path);
	}
	plain = x.count ? wm_plain(x.first, strlen(x.first)) : NULL;
	if (!plain)
		return;
	fprintf(stderr,
		"wm-analyze: for information: names of '%s' come from "
		"'%s'",
		module, plain);
	if (x.count > 1)
		fprintf(stderr, ", those of %zu more from files elsewhere",
			x.count - 1);
	fputc('\n', stderr);
	free(plain);
}

/* Libraries of distributions are always stripped: no line for them. */
static bool is_usual(const char *path, enum wm_module_state state)
{
	return state == WM_MODULE_STRIPPED && (strncmp(path, "/usr/", 5) == 0 ||
					       strncmp(path, "/lib", 4) == 0);
}

/* Reports libraries without names; the program itself has a note. */
static void print_nameless(const struct wm_analysis *a)
{
	static const char *const what[] = {
		[WM_MODULE_ABSENT] = "is not here",
		[WM_MODULE_OTHER] = "is of another build here than in the run",
		[WM_MODULE_STRIPPED] = "is stripped",
	};
	enum wm_module_state state, first_state = WM_MODULE_GOOD;
	const struct wm_module *first = NULL;
	const char *why, *first_why = NULL;
	char id[WM_BUILD_TEXT];
	size_t count = 0;

	for (size_t i = 0; a->symbols && i < a->symbols->module_count; i++) {
		const struct wm_module *m = &a->paths.modules[i];

		if (!wm_symbols_unnamed(a->symbols, (uint32_t)i, &state,
					&why) ||
		    m->main || !m->path || m->path[0] != '/' ||
		    state >= sizeof(what) / sizeof(*what) || !what[state] ||
		    is_usual(m->path, state))
			continue;
		if (!count++) {
			first = m;
			first_state = state;
			first_why = why;
		}
	}
	if (!first)
		return;
	fprintf(stderr, "wm-analyze: for information: '%s' (build-id %s) %s",
		first->path,
		wm_build_text(id, first->build_id, first->build_id_size),
		what[first_state]);
	if (count > 1)
		fprintf(stderr, ", and so with %zu more", count - 1);
	fprintf(stderr, ": functions have no names; %s", wm_places_ways());
	if (first_why) {
		fputs("; ", stderr);
		wm_put_plain(first_why, stderr);
	}
	fputc('\n', stderr);
}

static void print_servers(void)
{
	static bool told;
	const char *why = wm_debuginfod_why();

	if (why && !told)
		fprintf(stderr, "wm-analyze: for information: debuginfod: %s\n",
			why);
	told |= why != NULL;
}

void wm_print_outside(const struct wm_analysis *a, bool quiet)
{
	struct outside x = { NULL, 0 };
	const char *path;
	char *plain;

	if (quiet)
		return;
	print_servers();
	print_elsewhere(a);
	print_nameless(a);
	for (size_t i = 0; i < a->program_count; i++)
		if ((path = outside_executable(&a->programs[i])))
			add_path(&x, path);
	for (size_t i = 0; a->symbols && i < a->symbols->module_count; i++) {
		path = wm_symbols_file(a->symbols, &a->paths, (uint32_t)i);
		if (path && !is_executable(a, path))
			add_path(&x, path);
	}
	for (size_t i = 0; i < a->rank_count; i++)
		if (a->ranks[i].crash_buffer_path)
			add_path(&x, a->ranks[i].crash_buffer_path);
	plain = x.count ? wm_plain(x.first, strlen(x.first)) : NULL;
	if (plain && x.count == 1)
		fprintf(stderr,
			"wm-analyze: for information: also read '%s', "
			"which the traces name\n",
			plain);
	else if (plain)
		fprintf(stderr,
			"wm-analyze: for information: also read '%s' "
			"and %zu more file%s, which the traces name\n",
			plain, x.count - 1, x.count == 2 ? "" : "s");
	free(plain);
}
