/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/job/analysis.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Finds wm-census beside this program; returns -1 if there is none. */
static int find_taker(char path[PATH_MAX])
{
	static const char name[] = "wm-census";
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - sizeof(name));
	char *slash;

	if (n <= 0)
		return -1;
	path[n] = 0;
	slash = strrchr(path, '/');
	if (!slash)
		return -1;
	memcpy(slash + 1, name, sizeof(name));
	return access(path, X_OK);
}

/* Returns 0 after success.  Prints nothing. */
static int run_taker(char *const argv[], int out)
{
	posix_spawn_file_actions_t actions;
	int status = -1, r;
	pid_t pid;

	/* if SIGCHLD is ignored, waitpid() has no status */
	signal(SIGCHLD, SIG_DFL);
	if (posix_spawn_file_actions_init(&actions))
		return -1;
	r = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY,
					     0);
	if (!r)
		r = posix_spawn_file_actions_adddup2(&actions, out, 1);
	if (!r)
		r = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null",
						     O_WRONLY, 0);
	if (!r)
		r = posix_spawn(&pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (r)
		return -1;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

int wm_census_take(const char *path)
{
	char taker[PATH_MAX], quick[] = "--static", *file = strdup(path);
	char *argv[] = { taker, quick, file, NULL };
	int fd = -1;

	if (file && !find_taker(taker))
		fd = memfd_create("wm-census", MFD_CLOEXEC);
	if (fd >= 0 && run_taker(argv, fd)) {
		close(fd);
		fd = -1;
	}
	free(file);
	return fd;
}
