/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/browser.h"

#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyze/job/analysis.h"
#include "analyze/answers/opts.h"

/* Returns the name behind the last "/", "b" for "a/b/".  @path is shortened. */
static const char *last_name(char *path)
{
	size_t n = strlen(path);
	char *slash;

	while (n > 1 && path[n - 1] == '/')
		path[--n] = 0;
	slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Adds the second run to a name that ends in .html; if there are several more
 * runs, adds their number instead. */
static void add_others(char **name, const struct wm_opts *o)
{
	char *path = strdup(o->request.runs[1]), *both = NULL;
	size_t more = o->request.run_count - 1;
	int n = (int)(strlen(*name) - 5), r;

	if (!path)
		r = -1;
	else if (more == 1)
		r = asprintf(&both, "%.*s-%s.html", n, *name, last_name(path));
	else
		r = asprintf(&both, "%.*s-and-%zu-more.html", n, *name, more);
	if (r < 0)
		both = NULL;
	free(path);
	free(*name);
	*name = both;
}

enum wm_status wm_page_file(char **name, const struct wm_analysis *a,
			    const struct wm_opts *o, struct wm_err *err)
{
	const char *run = o->request.run_count ? o->request.runs[0] :
						 a->run.dirs[0];
	char *path = strdup(run);
	const char *last = path ? last_name(path) : NULL;

	if (last && (!strcmp(last, ".") || !strcmp(last, ".."))) {
		free(path);
		path = realpath(run, NULL);
		last = path ? last_name(path) : NULL;
	}
	*name = NULL;
	if (last && asprintf(name, "%s.html", last) < 0)
		*name = NULL;
	if (*name && o->page)
		add_others(name, o);
	free(path);
	return *name ? WM_OK : wm_no_memory(err, "the name of the page");
}

/* Returns false if there is no such program. */
static bool run_program(const char *program, const char *path, int *status)
{
	char *argv[] = { (char *)(uintptr_t)program, (char *)(uintptr_t)path,
			 NULL };
	pid_t pid;

	if (!*program || posix_spawnp(&pid, program, NULL, NULL, argv, environ))
		return false;
	while (waitpid(pid, status, 0) < 0)
		if (errno != EINTR)
			*status = 0; /* unknown */
	return true;
}

enum wm_status wm_browser_open(const char *path, struct wm_err *err)
{
	const char *listed = getenv("BROWSER");
	char *list = strdup(listed ? listed : ""), *rest = list;
	char *whole = realpath(path, NULL);
	const char *program = NULL;
	bool found = false;
	enum wm_status s = WM_OK;
	int status = 0;

	if (!list || !whole)
		s = wm_no_memory(err, "a browser");
	while (!s && !found && (program = strsep(&rest, ":")))
		found = run_program(program, whole, &status);
	if (!s && !found)
		found = run_program(program = "xdg-open", whole, &status);
	if (!s && !found)
		s = wm_err_set(err, WM_NOT_FOUND,
			       "--open: no program opens '%s': xdg-open is not "
			       "here, set BROWSER to a program that is",
			       path);
	else if (!s && status)
		s = wm_err_set(err, WM_IO, "--open: '%s' did not open '%s': %s",
			       program, path,
			       WIFSIGNALED(status) ?
				       strsignal(WTERMSIG(status)) :
				       "see its messages, or set BROWSER to "
				       "another program");
	free(list);
	free(whole);
	return s;
}
