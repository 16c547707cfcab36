/* Stacks of threads: the usual size twice, one after the other, then 1 MiB, then
 * one that the program brings.  Each thread prints lowest address and bytes
 * of its stack, guard included, but for the last one. */
/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *work(void *quiet)
{
	pthread_attr_t attr;
	size_t size, guard;
	void *p;

	if (quiet)
		return NULL;
	pthread_getattr_np(pthread_self(), &attr);
	pthread_attr_getstack(&attr, &p, &size);
	pthread_attr_getguardsize(&attr, &guard);
	printf("%p %zu\n", (void *)((char *)p - guard), size + guard);
	pthread_attr_destroy(&attr);
	return NULL;
}

static int one(const pthread_attr_t *attr, void *quiet)
{
	pthread_t t;

	return pthread_create(&t, attr, work, quiet) || pthread_join(t, NULL);
}

int main(void)
{
	pthread_attr_t small, own;
	void *stack = aligned_alloc(4096, 1 << 20);

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 1 << 20);
	pthread_attr_init(&own);
	pthread_attr_setstack(&own, stack, 1 << 20);
	return one(NULL, NULL) || one(NULL, NULL) || one(&small, NULL) ||
	       one(&own, &own);
}
