/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 1 to 100 bytes and free, for ever, while a timer's handler forks
 * in the middle of them, FORKS times; each child goes on for 100 more.
 * Used by t3010, t3040. */
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#ifndef FORKS
#define FORKS 300
#endif
static volatile int forks, bad, child;
static void handler(int s)
{
	int status;
	pid_t pid;

	(void)s;
	if (child || forks >= FORKS)
		return;
	pid = fork();
	if (pid == 0) {
		child = 1;
		return;
	}
	waitpid(pid, &status, 0);
	bad += status != 0;
	forks++;
}
int main(void)
{
	struct itimerval it = { { 0, 2000 }, { 0, 2000 } };

	signal(SIGALRM, handler);
	setitimer(ITIMER_REAL, &it, NULL);
	for (size_t i = 0; forks < FORKS; i++) {
		void *volatile p = malloc(i % 100 + 1);
		free(p);
		if (child && child++ > 100)
			_exit(0);
	}
	return bad != 0;
}
