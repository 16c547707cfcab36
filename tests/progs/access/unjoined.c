/* SPDX-License-Identifier: Apache-2.0 */
/*
 * unjoined WORKERS MAKERS: allocates nothing.  Ends by _exit(98) after 20 ms, while WORKERS
 * threads store 4 bytes at places that follow from one another, and MAKERS
 * threads make threads of one store of 2 bytes.  Used by t3476.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

static volatile unsigned int four[65536];
static volatile unsigned short two[65536];

static void *work(void *arg)
{
	uint32_t x = (uint32_t)(uintptr_t)arg;

	for (;;) {
		x = x * 1664525u + 1013904223u;
		four[x >> 16] = 1;
	}
	return NULL;
}

static void *store(void *arg)
{
	two[(uintptr_t)arg & 0xffff] = 1;
	return NULL;
}

static void *make(void *unused)
{
	pthread_t t;

	(void)unused;
	for (uintptr_t i = 0;; i++)
		if (!pthread_create(&t, NULL, store, (void *)i))
			pthread_join(t, NULL);
	return NULL;
}

int main(int argc, char **argv)
{
	int workers, makers;
	pthread_t t;

	if (argc < 3)
		return 2;
	workers = atoi(argv[1]);
	makers = atoi(argv[2]);
	for (int i = 0; i < workers; i++)
		if (pthread_create(&t, NULL, work, (void *)(uintptr_t)i))
			return 3;
	for (int i = 0; i < makers; i++)
		if (pthread_create(&t, NULL, make, NULL))
			return 3;
	usleep(20000);
	_exit(98);
}
