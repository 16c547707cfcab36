/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "wmcc/base/subprocess.h"
#include "wmcc/base/strv.h"

static char *find_complaint(const char *text)
{
	const char *at = strstr(text, "error");

	while (at && at > text && at[-1] != '\n')
		at--;
	at = at ? at : text;
	return wm_strf("%.*s", (int)strcspn(at, "\n"), at);
}

char *wm_compiler_run(char *const *argv)
{
	/* MPICH's mpicc, if it runs wmcc, takes a second call for an error */
	char check[] = "MPICH_RECURSION_CHECK=";
	char *set[] = { check, NULL };
	struct wm_command run = { .argv = argv, .set = set, .no_stdin = true };
	char *text, *why = NULL;
	int status;

	run.out = run.err = wm_capture_open();
	if (run.err < 0)
		return wm_strf("memfd_create: %s", strerror(errno));
	status = wm_child_run(&run);
	text = wm_capture_read(run.err);
	if (status)
		why = find_complaint(text);
	free(text);
	if (!why || *why)
		return why;
	free(why);
	return wm_strf("'%s' failed", argv[0]);
}
