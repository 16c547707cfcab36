/* SPDX-License-Identifier: Apache-2.0 */
/*
 * T threads (argument 1) make 20,000 blocks each, free most of them, realloc
 * some, fail once, and keep 10; then 1,000,000 bytes are allocated and freed.
 * With a second argument prints live and highest usable bytes by its own
 * count, which is exact with one thread.
 */
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Atomic size_t live, peak;
static void *volatile keep[64][10];

static void *got(void *p)
{
	size_t now = live += malloc_usable_size(p);

	if (now > peak)
		peak = now;
	return p;
}

static void gone(void *p)
{
	live -= malloc_usable_size(p);
	free(p);
}

static void *work(void *arg)
{
	for (size_t i = 0; i < 20000; i++) {
		void *p = got(malloc(i % 777 + 1));

		if (i % 3 == 0) {
			live -= malloc_usable_size(p);
			p = got(realloc(p, i % 999 + 1));
		}
		if (i == 5000) {
			void *volatile q = realloc(p, SIZE_MAX / 2 - i);

			if (q)
				return NULL;
		}
		if (i % 2000 == 0)
			keep[(size_t)arg][i / 2000] = p;
		else
			gone(p);
	}
	return arg;
}

int main(int argc, char **argv)
{
	size_t threads = argc > 1 ? (size_t)atoi(argv[1]) : 0;
	pthread_t t[64];

	if (!threads)
		work(NULL);
	for (size_t i = 0; i < threads; i++)
		pthread_create(&t[i], NULL, work, (void *)i);
	for (size_t i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	gone(got(malloc(1000000)));
	if (argc > 2) {
		char line[100];

		snprintf(line, sizeof(line), "%zu %zu\n", live, peak);
		fputs(line, stderr);
	}
	return 0;
}
