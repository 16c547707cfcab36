/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocates 1,000 blocks of 64 bytes and frees them, then goes on as its
 * argument says.  "child" forks: the child frees one block of its parent,
 * allocates and frees 500 of 77 bytes, and forks once more: the grandchild
 * keeps 777 bytes.  The parent waits.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static void *volatile keep;
static sigjmp_buf out;

static void churn(int n, size_t size)
{
	for (int i = 0; i < n; i++) {
		void *volatile p = malloc(size);

		free(p);
	}
}

static int wait_for(pid_t pid)
{
	int status = -1;

	waitpid(pid, &status, 0);
	return status;
}

static int children(void)
{
	pid_t pid;

	keep = malloc(5000);
	pid = fork();
	if (pid)
		return wait_for(pid) != 7 << 8;
	free(keep);
	churn(500, 77);
	pid = fork();
	if (pid == 0) {
		keep = calloc(1, 777);
		exit(0);
	}
	wait_for(pid);
	_exit(7);
}

/* The child tells when it is done: no parent waits for a daemon. */
static int become_daemon(const char *done)
{
	int fd;

	if (daemon(1, 1))
		return 1;
	churn(2000, 99);
	if (fork() == 0) {
		churn(10, 88);
		_exit(0);
	}
	wait_for(-1);
	fd = open(done, O_WRONLY | O_CREAT, 0644);
	return fd < 0;
}

static void leave(int sig)
{
	(void)sig;
	siglongjmp(out, 1);
}

static int run_others(void)
{
	char *args[] = { (char *)"true", NULL };
	char line[10] = "";
	pid_t pid;
	FILE *f;

	if (posix_spawn(&pid, "/bin/true", NULL, NULL, args, environ) ||
	    wait_for(pid) || system("exit 3") != 3 << 8)
		return 1;
	f = popen("echo hello", "r");
	if (!f || !fgets(line, sizeof(line), f) || pclose(f) ||
	    strcmp(line, "hello\n"))
		return 2;
	pid = vfork();
	if (pid == 0) {
		churn(10, 55);
		execl("/bin/true", "true", (char *)NULL);
		_exit(9);
	}
	churn(100, 66);
	return wait_for(pid);
}

static void nothing(void)
{
	keep = malloc(10);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	churn(1000, 64);
	if (!strcmp(how, "_exit"))
		_exit(3);
	if (!strcmp(how, "quick_exit")) {
		at_quick_exit(nothing);
		quick_exit(4);
	}
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "segv"))
		raise(SIGSEGV);
	if (!strcmp(how, "longjmp")) {
		signal(SIGUSR1, leave);
		if (!sigsetjmp(out, 1))
			raise(SIGUSR1);
		churn(1000, 64);
	}
	if (!strcmp(how, "exec"))
		execl("/bin/sh", "sh", "-c", "exit 5", (char *)NULL);
	if (!strcmp(how, "again"))
		execl(argv[0], argv[0], "_exit", (char *)NULL);
	if (!strcmp(how, "child"))
		return children();
	if (!strcmp(how, "daemon"))
		return become_daemon(argv[2]);
	if (!strcmp(how, "others"))
		return run_others();
	return 0;
}
