/* crowd [THREADS [PAIRS]]: the main thread and THREADS more, all at once, make
 * PAIRS pairs of malloc and free each, of 1 to 200 bytes, and end when all
 * have done so.  Default: 0 and 100,000. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t barrier;
static unsigned long pairs;

static void *work(void *arg)
{
	for (unsigned long i = 0; i < pairs; i++) {
		char *volatile p = malloc(1 + i % 200);

		free(p);
	}
	pthread_barrier_wait(&barrier);
	return arg;
}

int main(int argc, char **argv)
{
	unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
	pthread_t *threads = malloc((n + 1) * sizeof(*threads));

	pairs = argc > 2 ? strtoul(argv[2], NULL, 0) : 100000;
	pthread_barrier_init(&barrier, NULL, n + 1);
	for (unsigned i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, work, NULL))
			return 1;
	work(NULL);
	for (unsigned i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return 0;
}
