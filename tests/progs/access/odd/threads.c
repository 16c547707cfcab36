/* SPDX-License-Identifier: Apache-2.0 */
/* 600 threads, some on the smallest stacks; some end by a system call.  Used by t3422. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <limits.h>
#include <unistd.h>
#include <sys/syscall.h>
static long sum[200];
static void *w(void *p)
{
	long i = (long)p;
	for (int k = 0; k < 500; k++)
		sum[i] += k;
	if (i % 7 == 3)
		syscall(SYS_exit, 0);
	return p;
}
int main(void)
{
	pthread_t t[200];
	pthread_attr_t a;
	pthread_attr_init(&a);
	pthread_attr_setstacksize(&a, PTHREAD_STACK_MIN);
	for (int r = 0; r < 3; r++) {
		for (long i = 0; i < 200; i++)
			if (pthread_create(&t[i], r ? &a : 0, w, (void *)i))
				return 3;
		for (int i = 0; i < 200; i++)
			pthread_join(t[i], 0);
	}
	long s = 0;
	for (int i = 0; i < 200; i++)
		s += sum[i];
	printf("%ld\n", s);
	return 0;
}
