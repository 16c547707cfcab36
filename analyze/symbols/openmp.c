/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/symbols/openmp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/path.h"

static const char *after_digits(const char *s)
{
	const char *end = s + strspn(s, "0123456789");

	return end > s ? end : NULL;
}

/* "__nv_solve_F1L42_1" */
static bool is_nvidia(const char *s, struct wm_openmp_name *n)
{
	const char *at, *f = NULL, *end;

	if (strncmp(s, "__nv_", 5) != 0)
		return false;
	for (at = strstr(s + 5, "_F"); at; at = strstr(at + 1, "_F"))
		f = at;
	end = f && f > s + 5 ? after_digits(f + 2) : NULL;
	if (!end || *end != 'L' || !after_digits(end + 1) ||
	    *after_digits(end + 1) != '_')
		return false;
	n->parent = s + 5;
	n->parent_length = (size_t)(f - n->parent);
	n->line = (uint32_t)strtoul(end + 1, NULL, 10);
	return true;
}

bool wm_openmp_name(const char *linkage, struct wm_openmp_name *n)
{
	static const char *const mark[] = { "._omp_fn.", ".omp_outlined",
					    ".DIR.OMP." };
	const char *at = NULL;

	*n = (struct wm_openmp_name){ .parent = linkage };
	for (size_t i = 0; i < sizeof(mark) / sizeof(*mark) && !at; i++)
		at = strstr(linkage, mark[i]);
	if (!at && strncmp(linkage, ".omp_task_entry.", 16) == 0)
		at = linkage;
	if (!at)
		return is_nvidia(linkage, n);
	n->parent_length = (size_t)(at - linkage);
	n->body = strstr(at, "_debug__") != NULL;
	return true;
}

char *wm_openmp_text(const char *parent, const char *file, uint32_t line)
{
	char place[32] = "", *text = NULL;
	int n;

	if (file && line)
		snprintf(place, sizeof(place), ":%u", line);
	n = asprintf(&text, "OpenMP region%s%s%s%s%s", parent ? " in " : "",
		     parent ? parent : "", file ? ", " : "",
		     file ? wm_basename(file) : "", place);
	return n < 0 ? NULL : text;
}
