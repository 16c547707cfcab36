/* SPDX-License-Identifier: Apache-2.0 */
/* A thread has 100 x 1000 malloc of 0 to 999 bytes, freed, under a lock that
 * main takes in callbacks under the loader's lock: the runtime must not want
 * the loader's lock then.
 * Used by t3010. */
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int stop;
static int each(struct dl_phdr_info *i, size_t n, void *d)
{
	(void)i, (void)n, (void)d;
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return 0;
}
static void *work(void *arg)
{
	for (int k = 0; k < 100; k++) {
		pthread_mutex_lock(&m);
		for (size_t i = 0; i < 1000; i++) {
			void *volatile p = malloc(i);
			free(p);
		}
		pthread_mutex_unlock(&m);
	}
	stop = 1;
	return arg;
}
int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	while (!stop)
		dl_iterate_phdr(each, NULL);
	return pthread_join(t, NULL);
}
