/* cost FILE TIMES COMMAND...: run COMMAND so often, one after the other, with
 * all that it leaves behind, and write to FILE: CPU seconds (user and system,
 * of all processes), elapsed seconds, peak resident kB of the largest process.
 * Small, because a process begins with the peak of its parent. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Wait for everything; the exit status of @child. */
static int reap(pid_t child)
{
	int status = 1, s;
	pid_t pid;

	for (;;) {
		pid = wait(&s);
		if (pid < 0 && errno == ECHILD)
			return status;
		if (pid == child)
			status = WIFEXITED(s) ? WEXITSTATUS(s) :
						128 + WTERMSIG(s);
	}
}

int main(int argc, char **argv)
{
	int times = argc > 3 ? atoi(argv[2]) : 0, status = 0;
	struct rusage u;
	FILE *f;
	double start;

	if (times < 1 || prctl(PR_SET_CHILD_SUBREAPER, 1L))
		return 127;
	start = now();
	while (times-- && status == 0) {
		pid_t child = vfork();

		if (child < 0)
			return 127;
		if (child == 0) {
			execvp(argv[3], argv + 3);
			_exit(127);
		}
		status = reap(child);
	}
	getrusage(RUSAGE_CHILDREN, &u);
	f = fopen(argv[1], "w");
	if (!f)
		return 127;
	fprintf(f, "%.6f %.6f %ld\n", seconds(u.ru_utime) + seconds(u.ru_stime),
		now() - start, u.ru_maxrss);
	return fclose(f) ? 127 : status;
}
