/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run a program as the ranks of one job that is larger than this machine, so
 * many at a time, each told by variables as a launcher does:
 *
 *   waves RANKS AT-A-TIME PROGRAM [ARGUMENT...]
 *
 * Prints one line: ranks, elapsed seconds, CPU seconds of all ranks (user and
 * system), the mean and the longest time of one from start to end in ms.
 * Exits with 1 when a rank fails.  WM_RUN_ID names the job.
 */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct running {
	pid_t pid;
	double start;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

/* The environment with two more variables, whose text is written anew. */
static char **make_env(char *rank, char *ranks)
{
	size_t n = 0, k = 2;
	char **e;

	while (environ[n])
		n++;
	e = calloc(n + 3, sizeof(*e));
	if (!e)
		exit(2);
	e[0] = rank;
	e[1] = ranks;
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], "PMI_", 4) != 0)
			e[k++] = environ[i];
	return e;
}

int main(int argc, char **argv)
{
	int ranks = argc > 3 ? atoi(argv[1]) : 0, next = 0, live = 0, bad = 0;
	int at_a_time = argc > 3 ? atoi(argv[2]) : 0, status;
	double begin = now(), took, sum = 0, longest = 0;
	char rank_text[40], ranks_text[40];
	struct running *run;
	struct rusage u;
	char **env;

	if (ranks < 1 || at_a_time < 1) {
		fputs("usage: waves RANKS AT-A-TIME PROGRAM [ARGUMENT...]\n",
		      stderr);
		return 2;
	}
	run = calloc((size_t)at_a_time, sizeof(*run));
	if (!run)
		return 2;
	env = make_env(rank_text, ranks_text);
	snprintf(ranks_text, sizeof(ranks_text), "PMI_SIZE=%d", ranks);
	while (next < ranks || live) {
		int i = 0;
		pid_t pid;

		if (next < ranks && live < at_a_time) {
			while (run[i].pid)
				i++;
			snprintf(rank_text, sizeof(rank_text), "PMI_RANK=%d",
				 next++);
			run[i].start = now();
			if (posix_spawn(&run[i].pid, argv[3], NULL, NULL,
					argv + 3, env)) {
				perror(argv[3]);
				return 2;
			}
			live++;
			continue;
		}
		pid = wait(&status);
		while (i < at_a_time && run[i].pid != pid)
			i++;
		if (i == at_a_time)
			continue;
		took = now() - run[i].start;
		sum += took;
		longest = took > longest ? took : longest;
		run[i].pid = 0;
		live--;
		bad += status != 0;
	}
	getrusage(RUSAGE_CHILDREN, &u);
	printf("%d ranks %.2f s elapsed %.2f s user %.2f s system "
	       "%.2f ms mean %.1f ms longest\n",
	       ranks, now() - begin, seconds(u.ru_utime), seconds(u.ru_stime),
	       1e3 * sum / ranks, 1e3 * longest);
	if (bad)
		fprintf(stderr, "waves: %d ranks failed\n", bad);
	return bad != 0;
}
