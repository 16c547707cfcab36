/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/base/once.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "wmcc/base/file.h"
#include "wmcc/base/subprocess.h"
#include "wmcc/base/strv.h"

#define MOST_KEPT 8

static struct kept_input {
	int fd;
	int copy;
	pid_t writer; /* feeds the pipe at @fd, or 0 */
} kept_inputs[MOST_KEPT];
static size_t n_kept_inputs;
static bool reads_stdin;

/* Copies @from into a file in memory.  Returns its descriptor, or -1. */
static int copy_input(int from, unsigned int flags)
{
	int to = memfd_create("wmcc", flags);
	char buf[4096];
	ssize_t n;

	while (to >= 0 && (n = read(from, buf, sizeof(buf))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || !wm_write_all(to, buf, (size_t)n)) {
			close(to);
			return -1;
		}
	}
	return to;
}

void wm_once_response(char **argv)
{
	struct stat st;
	int from, to;

	for (; *argv; argv++) {
		const char *path = *argv + 1;

		if (**argv != '@' || stat(path, &st) ||
		    !(S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
			continue;
		from = open(path, O_RDONLY | O_CLOEXEC);
		if (from < 0)
			continue;
		/* the compiler and its linker inherit the descriptor */
		to = copy_input(from, 0);
		close(from);
		if (to < 0)
			wm_die("'%s': cannot keep its content: %s", *argv,
			       strerror(errno));
		*argv = wm_strf("@/dev/fd/%d", to);
	}
}

static int descriptor_of(const char *name)
{
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };
	char *end;
	long n;

	if (!strcmp(name, "/dev/stdin"))
		return STDIN_FILENO;
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		if (!wm_starts(name, folders[i]))
			continue;
		name += strlen(folders[i]);
		n = strtol(name, &end, 10);
		return *name && !*end && n >= 0 && n < 1 << 20 ? (int)n : -1;
	}
	return -1;
}

bool wm_once_keep(const char *name)
{
	int fd = descriptor_of(name);
	struct stat st;

	if (stat(name, &st))
		return true;
	if (fd == STDIN_FILENO)
		reads_stdin = true;
	/* files can be opened again; sockets cannot be opened at all */
	if (!S_ISFIFO(st.st_mode) && !(S_ISCHR(st.st_mode) && isatty(fd)))
		return true;
	for (size_t i = 0; i < n_kept_inputs; i++) {
		if (kept_inputs[i].fd == fd)
			return true;
	}
	if (fd < 0 || n_kept_inputs == MOST_KEPT)
		return false;
	kept_inputs[n_kept_inputs].fd = fd;
	kept_inputs[n_kept_inputs].copy = copy_input(fd, MFD_CLOEXEC);
	if (kept_inputs[n_kept_inputs].copy < 0)
		wm_die("'%s': cannot keep its content: %s", name,
		       strerror(errno));
	n_kept_inputs++;
	return true;
}

__attribute__((noreturn)) static void feed_pipe(int copy, int to)
{
	char buf[4096];
	off_t at = 0;
	ssize_t n;

	/* so that other pipes end when their linkers have ended */
	for (size_t i = 0; i < n_kept_inputs; i++)
		close(kept_inputs[i].fd);
	while ((n = pread(copy, buf, sizeof(buf), at)) > 0 &&
	       wm_write_all(to, buf, (size_t)n))
		at += n;
	_exit(0);
}

void wm_once_offer(void)
{
	sigset_t all, mask;

	/* writers have our handlers, but must not get signals that are for
	 * us */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &mask);
	for (size_t i = 0; i < n_kept_inputs; i++) {
		int fd[2];

		if (pipe2(fd, O_CLOEXEC) || dup2(fd[0], kept_inputs[i].fd) < 0)
			wm_die("pipe: %s", strerror(errno));
		close(fd[0]);
		kept_inputs[i].writer = fork();
		if (kept_inputs[i].writer < 0)
			wm_die("fork: %s", strerror(errno));
		if (!kept_inputs[i].writer)
			feed_pipe(kept_inputs[i].copy, fd[1]);
		close(fd[1]);
	}
	sigprocmask(SIG_SETMASK, &mask, NULL);
}

void wm_once_withdraw(void)
{
	for (size_t i = 0; i < n_kept_inputs; i++) {
		/* the linker may not have read everything */
		kill(kept_inputs[i].writer, SIGKILL);
		wm_child_wait(kept_inputs[i].writer);
		kept_inputs[i].writer = 0;
	}
}

bool wm_once_stdin(void)
{
	return reads_stdin;
}
