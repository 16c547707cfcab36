/* SPDX-License-Identifier: Apache-2.0 */
/* 64 threads malloc 100 bytes and free them, for ever, when two other threads
 * end the process, by exit(5) and _exit(5).
 * Used by t3010. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static void *work(void *arg)
{
	for (int i = 0;; i++) {
		void *volatile p = malloc(100);
		free(p);
		if (i % 32 == 0)
			usleep(500);
	}
	return arg;
}
static void *killer(void *arg)
{
	usleep(50000);
	_exit(5);
	return arg;
}
int main(void)
{
	pthread_t t;

	for (int i = 0; i < 64; i++)
		pthread_create(&t, NULL, work, NULL);
	pthread_create(&t, NULL, killer, NULL);
	usleep(50000);
	exit(5);
}
