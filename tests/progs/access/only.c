/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that access memory in turn, two of them in two threads, some by
 * calls of memcpy and in a child.  Used by t3452, which asks for some of them.
 */
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 200

static volatile double x[N], y[N];
static char from[400], to[400];

__attribute__((noinline)) void spmv_row(int i)
{
	y[i] += 2 * x[N - 1 - i];
}

__attribute__((noinline)) void spmv_col(int i)
{
	x[i * 37 % N] = y[i];
}

__attribute__((noinline)) static void smooth(size_t n)
{
	memcpy(to, from + 1, n);
	for (int i = 0; i < N; i++)
		y[i] = x[i] + (double)to[i];
}

__attribute__((noinline)) void solve(size_t n)
{
	memcpy(from, to + 1, n);
	for (int i = 1; i < N; i++) {
		x[i] = x[i - 1] * 0.5;
		if (i % 50 == 0) {
			spmv_row(i);
			spmv_col(i);
		}
	}
}

static void *work(void *n)
{
	for (int k = 0; k < 30; k++) {
		solve((size_t)n);
		smooth((size_t)n + 1);
		spmv_row(k);
	}
	return n;
}

int main(int argc, char **argv)
{
	size_t n = 200 + (size_t)argc;
	pthread_t t;
	pid_t child;

	(void)argv;
	work((void *)n);
	pthread_create(&t, NULL, work, (void *)n);
	pthread_join(t, NULL);
	child = fork();
	if (child == 0) {
		solve(n);
		smooth(n);
		return 0;
	}
	waitpid(child, NULL, 0);
	return 0;
}
