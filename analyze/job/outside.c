/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/outside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/base/plain.h"
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

/* The bundle of @p, if it is that of an executable outside of the run. */
static const char *outside_executable(const struct wm_program *p)
{
	size_t n = strlen(p->dir);

	return p->bundle && p->bundle_path &&
			       (strncmp(p->bundle_path, p->dir, n) != 0 ||
				strcmp(p->bundle_path + n, "/" WMC_FILE_NAME) !=
					0) ?
		       p->bundle_path :
		       NULL;
}

static bool is_executable(const struct wm_analysis *a, const char *path)
{
	const char *exe;
	size_t i;

	for (i = 0; i < a->program_count; i++)
		if ((exe = outside_executable(&a->programs[i])) &&
		    strcmp(exe, path) == 0)
			return true;
	return false;
}

void wm_print_outside(const struct wm_analysis *a, bool quiet)
{
	struct outside x = { NULL, 0 };
	const char *path;
	char *plain;
	size_t i;

	if (quiet)
		return;
	for (i = 0; i < a->program_count; i++)
		if ((path = outside_executable(&a->programs[i])))
			add_path(&x, path);
	for (i = 0; a->symbols && i < a->symbols->module_count; i++) {
		path = wm_symbols_file(a->symbols, &a->paths, (uint32_t)i);
		if (path && !is_executable(a, path))
			add_path(&x, path);
	}
	for (i = 0; i < a->rank_count; i++)
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
