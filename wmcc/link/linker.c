/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/link/linker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "wmcc/base/child.h"
#include "wmcc/base/once.h"

/* The first line of a linker's messages that tells something. */
static char *first_line(const char *text)
{
	const char *best = text, *end;

	for (const char *p = text; *p; p = *end ? end + 1 : end) {
		end = strchrnul(p, '\n');
		if (memmem(p, (size_t)(end - p), "error", 5) ||
		    memmem(p, (size_t)(end - p), "undefined", 9) ||
		    memmem(p, (size_t)(end - p), "multiple", 8) ||
		    memmem(p, (size_t)(end - p), "annot", 5)) {
			best = p;
			break;
		}
	}
	end = strchrnul(best, '\n');
	return wm_strf("%.*s", (int)(end - best > 300 ? 300 : end - best),
		       best);
}

/*
 * Answers to --trace-symbol=dlopen.  libc.a has callers of its own, for name
 * services and character sets, which come with nearly every program.
 */
static void warn_of_dlopen(const char *text)
{
	static const char what[] = ": reference to dlopen";
	static bool said; /* of one twin of two */

	for (const char *p = text, *end; *p; p = *end ? end + 1 : end) {
		end = strchrnul(p, '\n');
		if (!memmem(p, (size_t)(end - p), what, sizeof(what) - 1) ||
		    memmem(p, (size_t)(end - p), "/libc.a", 7))
			continue;
		if (!said)
			wm_warn("the program is static and calls dlopen: what it "
				"loads comes with a C library of its own, whose "
				"memory is not traced");
		said = true;
		return;
	}
}

char *wm_linker_run_command(char *const *argv, const struct wm_givers *g)
{
	struct wm_command run = { .argv = argv, .no_stdin = !wm_once_stdin() };
	char *text, *line;
	int status, fd = wm_capture_open();

	if (fd < 0)
		return wm_strf("memfd_create: %s", strerror(errno));
	run.out = run.err = fd;
	wm_once_offer();
	status = wm_child_run(&run);
	wm_once_withdraw();
	if (wm_signal_pending())
		wm_leave_by_signal(wm_signal_pending());
	text = wm_capture_read(fd);
	line = first_line(text);
	if (status == 0) {
		free(line);
		line = g ? wm_givers_compare(g, text) : NULL;
		if (!line)
			warn_of_dlopen(text);
		free(text);
		return line;
	}
	free(text);
	if (WIFSIGNALED(status))
		return wm_strf("%s: %s", wm_basename(argv[0]),
			       strsignal(WTERMSIG(status)));
	return *line ? line : wm_strf("'%s' failed", argv[0]);
}

char *wm_linker_run(const char *ld, const struct wm_strv *cmd, bool response,
		    const char *near, const struct wm_givers *g)
{
	struct wm_strv argv;
	char *why;

	wm_strv_init(&argv);
	wm_strv_add(&argv, ld);
	if (response) {
		const char *file = wm_temp_name(near, "rsp");

		if (wm_strv_write(cmd, file))
			return wm_strf("'%s': %s", file, strerror(errno));
		wm_strv_addf(&argv, "@%s", file);
		why = wm_linker_run_command(argv.v, g);
		wm_temp_remove(file);
	} else {
		wm_strv_addv(&argv, cmd->v);
		why = wm_linker_run_command(argv.v, g);
	}
	wm_strv_release(&argv);
	return why;
}
