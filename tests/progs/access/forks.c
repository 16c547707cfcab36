/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A timer's handler forks in the midst of whatever the program does, 40 times;
 * each child goes on where its parent was, loads and stores, and ends.  The last
 * line is how many children there were, and how many did not end by themselves.
 * Used by t3477.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define FORKS 40

static int table[1 << 16];
static volatile int forks, dead, is_child, left;
static volatile unsigned state = 1;

static void on_alarm(int signal)
{
	int status = 0, pid;

	(void)signal;
	/* one that came behind the last would fork what is about to print */
	if (is_child || forks == FORKS)
		return;
	pid = fork();
	if (!pid) {
		is_child = 1;
		left = 20000;
		return;
	}
	while (waitpid(pid, &status, 0) < 0)
		;
	dead += status != 0;
	forks++;
}

int main(void)
{
	struct itimerval every = { { 0, 15000 }, { 0, 15000 } };
	struct sigaction action;

	memset(&action, 0, sizeof(action));
	action.sa_handler = on_alarm;
	action.sa_flags = SA_RESTART;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	while (is_child || forks < FORKS) {
		state = state * 1664525u + 1013904223u;
		table[state >> 16]++;
		if (is_child && !--left)
			_exit(0);
	}
	printf("%d children, %d died\n", forks, dead);
	return dead != 0;
}
