/* fit BLOCKS [THREADS]: first each of THREADS (default 0) threads allocates
 * and frees 100 bytes, all of them alive at the time; then BLOCKS blocks of
 * 64 KiB, touched; 0: as many as there is memory for.  Frees them, prints how
 * many, and ends with 0; with 1 when there was no memory for one of BLOCKS. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct block {
	struct block *next;
	char rest[65536 - sizeof(void *)];
};

static pthread_barrier_t barrier;

static void *thread(void *unused)
{
	void *volatile p = malloc(100);

	free(p);
	pthread_barrier_wait(&barrier);
	return unused;
}

static int threads(int n)
{
	pthread_attr_t small;
	pthread_t t[64];

	if (n > 64 || pthread_barrier_init(&barrier, NULL, (unsigned)n + 1))
		return 1;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	for (int i = 0; i < n; i++)
		if (pthread_create(&t[i], &small, thread, NULL))
			_Exit(1);
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	return 0;
}

int main(int argc, char **argv)
{
	int wanted = argc > 1 ? atoi(argv[1]) : 0, n = 0;
	struct block *all = NULL, *b;

	if (argc > 2 && threads(atoi(argv[2])))
		return 1;
	while ((!wanted || n < wanted) && (b = malloc(sizeof(*b)))) {
		memset(b->rest, n, sizeof(b->rest));
		b->next = all;
		all = b;
		n++;
	}
	while ((b = all)) {
		all = b->next;
		free(b);
	}
	printf("%d\n", n);
	return n < wanted;
}
