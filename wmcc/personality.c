/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/personality.h"

#include <stdlib.h>
#include <string.h>

#include "wmcc/home.h"

static const struct wm_personality personalities[] = {
	{ "wmcc", "WM_CC" },	      { "wmcxx", "WM_CXX" },
	{ "wmc++", "WM_CXX" },	      { "wmf90", "WM_FC" },
	{ "wmfc", "WM_FC" },	      { "wm-gfortran", "WM_FC" },
};

const struct wm_personality *wm_personality_find(const char *argv0)
{
	const char *name = wm_basename(argv0);
	size_t n = sizeof(personalities) / sizeof(*personalities);

	for (size_t i = 0; i < n; i++) {
		if (!strcmp(name, personalities[i].name))
			return &personalities[i];
	}
	return &personalities[0];
}

static const char *default_compiler(const char *variable)
{
	char *ftn;

	if (!strcmp(variable, "WM_CC"))
		return "cc";
	if (!strcmp(variable, "WM_CXX"))
		return "c++";
	ftn = wm_find_program(getenv("PATH"), "ftn");
	if (!ftn)
		return "gfortran";
	free(ftn);
	return "ftn";
}

void wm_personality_compiler(const struct wm_personality *p,
			     struct wm_strv *words)
{
	const char *user = getenv(p->variable);

	if (user)
		wm_strv_split(words, user);
	if (!words->n)
		wm_strv_add(words, default_compiler(p->variable));
}
