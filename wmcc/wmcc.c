/* SPDX-License-Identifier: Apache-2.0 */
/* wmcc, wmcxx, wmf90 ..., wm-config and launch: one program, by argv[0]. */
#include <stdlib.h>
#include <string.h>

#include "wmcc/driver/driver.h"
#include "wmcc/base/home.h"
#include "wmcc/base/once.h"
#include "wmcc/base/subprocess.h"

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

/* Returns C's personality for unknown names. */
static const struct wm_personality *find_personality(const char *argv0)
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

/* Adds the compiler's words from the environment or the default. */
static void find_compiler(const struct wm_personality *p, struct wm_strv *words)
{
	const char *user = p->compiler ? NULL : getenv(p->variable);

	if (user)
		wm_strv_split(words, user);
	if (!words->n)
		wm_strv_add(words, p->compiler ? p->compiler :
						 default_compiler(p->variable));
}

/* launch COMPILER ARGUMENT...: for build systems that put a launcher before the
 * compiler.  COMPILER may be another launcher. */
__attribute__((noreturn)) static void launch(char **argv)
{
	static const char launchers[] = "ccache sccache distcc icecc";
	struct wm_personality p = { "wmcc", "WM_CC", argv[1] };
	struct wm_strv words = { 0 };
	bool more = true;
	char *found;

	if (!argv[1])
		wm_die("usage: launch COMPILER ARGUMENT...");
	found = wm_find_program(getenv("PATH"), argv[1]);
	/* wmcc is running already, and must not run itself */
	if (!found || getenv(WM_ENV_ACTIVE))
		wm_exec(argv + 1, NULL);
	free(found);
	while (more && *++argv) {
		wm_strv_add(&words, *argv);
		more = wm_equals_any(wm_basename(*argv), launchers);
	}
	setenv(WM_ENV_ACTIVE, p.name, 1);
	wm_driver(&p, &words, *argv ? argv + 1 : argv);
}

int main(int argc, char **argv)
{
	const struct wm_personality *p;
	struct wm_strv words = { 0 };

	wm_descriptors_reserve();
	if (argc < 1)
		return WM_EXIT_OWN;
	wm_once_response(argv + 1);
	if (!strcmp(wm_basename(argv[0]), "wm-config"))
		return wm_config(argv + 1);
	if (!strcmp(wm_basename(argv[0]), "launch"))
		launch(argv);

	p = find_personality(argv[0]);
	wm_message_name(p->name);
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--wm-help"))
			wm_show_help();
		if (!strcmp(argv[i], "--wm-version"))
			wm_show_version();
	}
	find_compiler(p, &words);
	if (getenv(WM_ENV_ACTIVE))
		wm_die("%s='%s' leads back to %s: set %s to the real compiler",
		       p->variable, words.v[0], p->name, p->variable);
	setenv(WM_ENV_ACTIVE, p->name, 1);
	wm_driver(p, &words, argv + 1);
}
