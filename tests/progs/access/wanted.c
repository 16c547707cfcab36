/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the address of 12 rows of 100 shorts; each part of the program stores
 * to one of them, no other store is of two bytes.  With WM_ACCESS=off rows 1,
 * 3, 5, 6, 9 and 11 are recorded, and no other.  Used by t3450.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <wm/wmtrace.h>

static volatile short row[12][100];
static pthread_barrier_t turn;
static volatile int hits, a[1000];

static void fill(int r)
{
	for (int i = 0; i < 100; i++)
		row[r][i] = (short)i;
}

static void *other(void *unused)
{
	fill(4);
	pthread_barrier_wait(&turn);
	pthread_barrier_wait(&turn); /* all have been started */
	fill(5);
	pthread_barrier_wait(&turn);
	pthread_barrier_wait(&turn); /* all have been stopped */
	fill(8);
	return unused;
}

static void *late(void *unused)
{
	fill(6);
	return unused;
}

static void start(int sig)
{
	(void)sig;
	wm_access_start();
}

static void toggle(int sig)
{
	(void)sig;
	if (++hits % 2)
		wm_access_stop();
	else if (hits % 8)
		wm_access_start();
	else
		wm_access_start_all();
	a[hits % 1000]++;
}

static void storm(void)
{
	struct itimerval it = { { 0, 50 }, { 0, 50 } }, none = { { 0 } };

	signal(SIGALRM, toggle);
	setitimer(ITIMER_REAL, &it, NULL);
	for (int l = 0; hits < 300; l++)
		for (int i = 0; i < 1000; i++) {
			a[i] += l;
			a[(i * 37 + l) % 1000]++;
		}
	setitimer(ITIMER_REAL, &none, NULL);
	signal(SIGALRM, SIG_IGN);
}

static void threads(void)
{
	pthread_t t, u;

	pthread_barrier_init(&turn, NULL, 2);
	pthread_create(&t, NULL, other, NULL);
	pthread_barrier_wait(&turn);
	wm_access_stop();
	wm_access_start_all();
	pthread_create(&u, NULL, late, NULL);
	pthread_join(u, NULL);
	pthread_barrier_wait(&turn);
	pthread_barrier_wait(&turn);
	wm_access_stop_all();
	fill(7);
	pthread_barrier_wait(&turn);
	pthread_join(t, NULL);
}

int main(void)
{
	int status = 1;

	fill(0);
	wm_access_start();
	wm_access_start();
	fill(1);
	wm_access_stop();
	fill(2);
	free(malloc(100));
	wm_access_stop();
	wm_access_start();
	fill(3);
	threads();
	signal(SIGUSR1, start);
	raise(SIGUSR1);
	fill(9);
	if (fork() == 0) {
		wm_access_start();
		fill(10);
		wm_access_stop_all();
		_exit(0);
	}
	wait(&status);
	storm();
	wm_access_stop();
	wm_access_start_all();
	fill(11);
	wm_access_stop_all();
	fill(10);
	printf("%lx %d\n", (unsigned long)row, status);
	return 0;
}
