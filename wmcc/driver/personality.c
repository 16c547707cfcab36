/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/driver/driver.h"

#include <stdlib.h>
#include <string.h>

#include "wmcc/base/home.h"

static const struct wm_personality personalities[] = {
	{ "wmcc", "WM_CC", NULL },
	{ "wmcxx", "WM_CXX", NULL },
	{ "wmc++", "WM_CXX", NULL },
	{ "wmf90", "WM_FC", NULL },
	{ "wmfc", "WM_FC", NULL },
	{ "wm-gfortran", "WM_FC", NULL },
	/* for makefiles that look at the name, and for MPI */
	{ "wm-mpicc", "WM_CC", "mpicc" },
	{ "wm-mpicxx", "WM_CXX", "mpicxx" },
	{ "wm-mpic++", "WM_CXX", "mpic++" },
	{ "wm-mpif77", "WM_FC", "mpif77" },
	{ "wm-mpif90", "WM_FC", "mpif90" },
	{ "wm-mpifort", "WM_FC", "mpifort" },
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
	const char *user = p->compiler ? NULL : getenv(p->variable);

	if (user)
		wm_strv_split(words, user);
	if (!words->n)
		wm_strv_add(words, p->compiler ? p->compiler :
						 default_compiler(p->variable));
}
