/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/link/linker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "wmcc/base/subprocess.h"
#include "wmcc/base/once.h"

static bool has(const char *line, size_t n, const char *text)
{
	return memmem(line, n, text, strlen(text)) != NULL;
}

/* Linkers first print the place, on a line that ends with a colon.  Answers to
 * --trace-symbol, warnings and notes are no reason. */
static bool is_reason(const char *line, size_t n)
{
	return n && line[n - 1] != ':' && !has(line, n, "warning: ") &&
	       !has(line, n, "note: ") && !has(line, n, ": definition of ") &&
	       !has(line, n, ": lazy definition of ") &&
	       !has(line, n, ": reference to ");
}

char *wm_linker_reason(const char *text)
{
	const char *best = text, *end;

	for (const char *p = text; *p; p = *end ? end + 1 : end) {
		end = strchrnul(p, '\n');
		if (is_reason(p, (size_t)(end - p))) {
			best = p;
			break;
		}
	}
	end = strchrnul(best, '\n');
	return wm_strf("%.*s", (int)(end - best > 300 ? 300 : end - best),
		       best);
}

/* Functions that run code on another device, and may load libraries for
 * that. */
const char *const wm_device_calls[] = {
	"GOMP_target_ext",	  "GOMP_target_data_ext",
	"GOMP_target_update_ext", "GOMP_target_enter_exit_data",
	"GOACC_parallel_keyed",	  "GOACC_data_start",
	"GOACC_enter_exit_data",  "omp_get_num_devices",
	"omp_target_alloc",	  NULL,
};

/* Returns whether an object refers to @name, apart from libc and libgomp. */
static bool is_referred(const char *text, const char *name)
{
	char *what = wm_strf(": reference to %s\n", name);
	size_t m = strlen(what);
	bool found = false;

	for (const char *p = text, *end; *p && !found; p = end + 1) {
		size_t n;

		end = strchrnul(p, '\n');
		if (!*end)
			break;
		n = (size_t)(end + 1 - p);
		found = n >= m && !memcmp(end + 1 - m, what, m) &&
			!has(p, n, "/libc.a") && !has(p, n, "/libgomp.a") &&
			!has(p, n, "<internal>"); /* lld's own reference */
	}
	free(what);
	return found;
}

/* References from libc.a (name services, character sets) and libgomp.a (other
 * devices) do not count. */
static void warn_of_dlopen(const char *text)
{
	static bool said; /* once for app.wm and app.wma */
	bool loads = is_referred(text, "dlopen");

	for (size_t i = 0; wm_device_calls[i] && !loads; i++)
		loads = is_referred(text, wm_device_calls[i]);
	if (loads && !said)
		wm_warn("the program is static and calls dlopen: libraries that "
			"it loads bring their own C library, whose memory is "
			"not traced");
	said |= loads;
}

/* Returns the option that renames the function at the start of @why, or
 * NULL. */
static const char *find_defsym(char *const *argv, const char *why)
{
	static const char option[] = "-defsym=";

	for (; *argv; argv++) {
		const char *name = *argv + wm_starts(*argv, "--");
		size_t n;

		if (!wm_starts(name, option))
			continue;
		name += strlen(option);
		n = strcspn(name, "=");
		if (!strncmp(name, why, n) && why[n] == ' ')
			return *argv;
	}
	return NULL;
}

static char *compare(char *const *argv, const struct wm_givers *g,
		     const char *text)
{
	char *why = g ? wm_givers_compare(g, text) : NULL, *better;
	const char *option = why ? find_defsym(argv, why) : NULL;

	if (!option)
		return why;
	better = wm_strf("'%s' takes the place of a function that is wrapped: "
			 "define that function itself",
			 option);
	free(why);
	return better;
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
	line = wm_linker_reason(text);
	if (status == 0) {
		free(line);
		line = compare(argv, g, text);
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
	struct wm_strv argv = { 0 };
	char *why;

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
