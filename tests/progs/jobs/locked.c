/* SPDX-License-Identifier: Apache-2.0 */
/* mlockall(); malloc of 10 bytes and free at depths of 512 to 32768 calls;
 * then 8 threads with 1000 malloc of 0 to 999 bytes and free each.
 * Used by t6510. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
static void *volatile p;
__attribute__((noinline)) static void deep(int d)
{
	if (d) {
		deep(d - 1);
		__asm__ volatile("");
		return;
	}
	p = malloc(10);
	free(p);
}
static void *work(void *arg)
{
	for (size_t i = 0; i < 1000; i++) {
		void *volatile q = malloc(i);

		free(q);
	}
	return arg;
}
int main(void)
{
	pthread_t t[8];

	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		return 3;
	for (int i = 9; i < 16; i++)
		deep(1 << i);
	for (int i = 0; i < 8; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 8; i++)
		pthread_join(t[i], NULL);
	return 0;
}
