/* SPDX-License-Identifier: Apache-2.0 */
/* The linker as the compiler sees it: libexec/wmtools/ld, ld.gold ... are links
 * to this program.  It runs the real linker, and then relinks an executable,
 * while the files of the LTO plugin and response files still exist. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wmcc/access/hooked.h"
#include "wmcc/base/home.h"
#include "wmcc/link/hooked_inputs.h"
#include "wmcc/link/ldargs.h"
#include "wmcc/base/once.h"
#include "wmcc/base/subprocess.h"
#include "wmcc/link/twin.h"

/* Reports to the driver that the compiler has run this program. */
static void report_to_driver(void)
{
	const char *fd = getenv(WM_ENV_FD);
	struct stat st;
	int n = fd ? atoi(fd) : -1;

	if (n > STDERR_FILENO && fstat(n, &st) == 0 && S_ISFIFO(st.st_mode)) {
		if (write(n, "s", 1) == 1)
			close(n);
	}
}

static char *find_linker(const char *name)
{
	const char *told = getenv(WM_ENV_REAL_LD);
	size_t n = strlen(name);
	char *path, *found = NULL;

	if (told && !strncmp(told, name, n) && told[n] == '=')
		found = wm_find_program(NULL, told + n + 1);
	if (!found) {
		path = wm_compiler_path_without();
		found = wm_find_program(path, name);
		free(path);
	}
	if (!found)
		found = wm_find_program(getenv("PATH"), name);
	if (!found)
		wm_die("there is no linker '%s' in COMPILER_PATH or PATH "
		       "behind '%s'",
		       name, wm_home()->libexec);
	return found;
}

/* Restores the environment that the linker would have without wmcc. */
static void clean_environment(void)
{
	const char *typed = getenv(WM_ENV_ACTIVE);
	char *path = wm_compiler_path_without();

	wm_twin_quiet = getenv(WM_ENV_QUIET) != NULL;
	/* the name of the command that the user typed: wmf90 ... */
	if (typed && *typed)
		wm_message_name(wm_strdup(typed));
	unsetenv(WM_ENV_ACTIVE);
	unsetenv(WM_ENV_REAL_LD);
	unsetenv(WM_ENV_FD);
	unsetenv(WM_ENV_COMPILE);
	unsetenv(WM_ENV_QUIET);
	if (*path)
		setenv("COMPILER_PATH", path, 1);
	else
		unsetenv("COMPILER_PATH");
	free(path);
}

/* Keeps inputs that can be read only once.  Returns the first that cannot be
 * kept. */
static const char *keep_streams(const struct wm_ldargs *link)
{
	for (size_t i = 0; i < link->streams.n; i++)
		if (!wm_once_keep(link->streams.v[i]))
			return link->streams.v[i];
	return NULL;
}

/* Returns false if the compiler's command made no objects for this link. */
static bool receive_compile(struct wm_compile *c)
{
	const char *fd = getenv(WM_ENV_COMPILE);
	bool received = fd && wm_env_on("WMCC_ACCESS") &&
			!wm_env_on("WM_DISABLE") &&
			wm_compile_receive(c, atoi(fd));

	if (fd && atoi(fd) > STDERR_FILENO)
		close(atoi(fd));
	if (received)
		c->quiet = getenv(WM_ENV_QUIET) != NULL;
	return received;
}

static void link_both(char **argv, const struct wm_ldargs *link,
		      const struct wm_compile *compile)
{
	const char *map = link->map, *unread;
	struct wm_command run = { 0 };
	struct wm_strv cmd = { 0 };
	int status;

	wm_signals_catch();
	wm_strv_addv(&cmd, argv);
	unread = keep_streams(link);
	if (!link->map_wanted && !link->sanitizer && !unread) {
		/* The census needs the object of each piece.  A map beside the
		 * output could make the user's link fail. */
		map = wm_temp_scratch();
		if (map)
			wm_strv_addf(&cmd, "-Map=%s", map);
	}
	run.argv = cmd.v;
	wm_once_offer();
	status = wm_child_run(&run);
	wm_once_withdraw();
	if (wm_signal_pending())
		wm_leave_by_signal(wm_signal_pending());
	if (status == 0 && compile)
		wm_hooked_inputs_compile(compile, link);
	if (status == 0)
		wm_twin_link(argv[0], link, map, unread);
	wm_strv_release(&cmd);
	wm_leave(status);
}

/*
 * Called by wmcc if the compiler did not run this program.  The arguments are
 * --wm-link-again=OUTPUT, or --wm-link-never=OUTPUT to report why there is no
 * relinked program; the number of the compiler's words; these words; its
 * arguments.
 */
static int after_the_compiler(int argc, char **argv)
{
	const char *output = strchr(argv[1], '=') + 1;
	char *end;
	long n = strtol(argv[2], &end, 10);

	if (*end || n < 1 || n > argc - 3)
		return WM_EXIT_OWN;
	clean_environment();
	wm_signals_catch();
	if (wm_starts(argv[1], "--wm-link-never="))
		wm_twin_never(output, argv[3 + n - 1]);
	else
		wm_twin_again(output, argv + 3, (size_t)n);
	wm_temp_cleanup();
	return 0;
}

int main(int argc, char **argv)
{
	struct wm_compile compile;
	struct wm_ldargs link;
	bool compiles;

	wm_descriptors_reserve();
	if (argc > 3 && (wm_starts(argv[1], "--wm-link-again=") ||
			 wm_starts(argv[1], "--wm-link-never=")))
		return after_the_compiler(argc, argv);
	if (argc < 1)
		return WM_EXIT_OWN;
	wm_once_response(argv + 1);
	report_to_driver();
	compiles = receive_compile(&compile);
	argv[0] = find_linker(wm_basename(argv[0]));
	clean_environment();
	if (wm_env_on("WM_DISABLE"))
		wm_exec(argv, NULL);
	wm_ldargs_scan(&link, argv + 1);
	if (!link.other && !link.probe && link.inputs)
		link_both(argv, &link, compiles ? &compile : NULL);
	wm_exec(argv, NULL);
}
