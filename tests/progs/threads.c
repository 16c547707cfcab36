/* threads [THREADS [ROUNDS]]: in each round every thread is created anew,
 * allocates and frees 200 blocks of 1 to 200 bytes (20,100 bytes in all), and
 * ends.  Nothing of it remains.  Default: 8 threads, 50 rounds; at most 64
 * threads, else it ends at once with status 2. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg)
{
	for (size_t i = 1; i <= 200; i++) {
		void *volatile p = malloc(i);

		free(p);
	}
	return arg;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 8;
	int rounds = argc > 2 ? atoi(argv[2]) : 50;
	pthread_t t[64];

	if (n < 0 || n > 64)
		return 2;
	for (int r = 0; r < rounds; r++) {
		for (int i = 0; i < n; i++)
			if (pthread_create(&t[i], NULL, work, NULL))
				return 1;
		for (int i = 0; i < n; i++)
			pthread_join(t[i], NULL);
	}
	return 0;
}
