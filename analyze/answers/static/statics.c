/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/static/statics.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/symbols/symbols.h"
#include "wm/search.h"

static const char *const class_names[] = {
	[WM_CENSUS_DATA] = "data",   [WM_CENSUS_BSS] = "bss",
	[WM_CENSUS_TLS] = "tls",     [WM_CENSUS_RODATA] = "rodata",
	[WM_CENSUS_RELRO] = "relro", [WM_CENSUS_OTHER] = "other",
};

const char *wm_static_class(enum wm_census_class class)
{
	return class_names[class];
}

bool wm_static_is_counted(enum wm_census_class class)
{
	return class == WM_CENSUS_DATA || class == WM_CENSUS_BSS ||
	       class == WM_CENSUS_TLS;
}

const char *wm_static_object(const char *path)
{
	const char *end = strchr(path, '('), *p;

	for (p = end ? end : path + strlen(path); p > path; p--)
		if (p[-1] == '/')
			break;
	return p;
}

char *wm_static_name(const char *linkage, size_t n)
{
	char *copy = linkage ? strndup(linkage, n ? n : strlen(linkage)) : NULL;
	char *name = copy ? wm_demangle(copy, NULL) : NULL;

	if (!name)
		return copy;
	free(copy);
	return name;
}

int wm_census_by_object(const void *pa, const void *pb)
{
	const struct wm_census_row *a, *b;

	a = *(const struct wm_census_row *const *)pa;
	b = *(const struct wm_census_row *const *)pb;
	return WM_KEYS(a->object && b->object ? strcmp(a->object, b->object) :
						!a->object - !b->object,
		       WM_ORDER(b->bytes, a->bytes), WM_ORDER(a, b));
}
