/* paths [THREADS]: each thread allocates one block of 48 bytes on each of
 * 2^17 = 131,072 distinct call paths, in left() and right(), twice, and
 * frees it: more paths than the dictionary holds.  Default: 1 thread. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>

#define BITS 17
static int right(unsigned path, int depth);

__attribute__((noinline)) static int left(unsigned path, int depth)
{
	void *volatile p;
	int r = 0;

	if (depth == 0) {
		p = malloc(48);
		free(p);
		return 1;
	}
	r = path & 1 ? right(path >> 1, depth - 1) :
		       left(path >> 1, depth - 1);
	return r + 1;
}

__attribute__((noinline)) static int right(unsigned path, int depth)
{
	void *volatile p;
	int r = 0;

	if (depth == 0) {
		p = malloc(48);
		free(p);
		return 2;
	}
	r = path & 1 ? right(path >> 1, depth - 1) :
		       left(path >> 1, depth - 1);
	return r + 2;
}

static void *work(void *arg)
{
	volatile int sum = 0;

	for (unsigned i = 0; i < 2u << BITS; i++)
		sum += left(i, BITS);
	return arg;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1;
	pthread_t t[64];

	if (n == 1) {
		work(NULL);
		return 0;
	}
	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	return 0;
}
