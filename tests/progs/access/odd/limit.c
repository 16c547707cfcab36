/* SPDX-License-Identifier: Apache-2.0 */
/* Hardly any address space is left when the first thread comes.  Used by t3422. */
#include <sys/resource.h>
#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>
static int a[1000];
static void *w(void *p)
{
	for (int i = 0; i < 1000; i++)
		a[i] += i;
	return p;
}
int main(void)
{
	struct rlimit r = { 40 << 20, 40 << 20 };
	setrlimit(RLIMIT_AS, &r);
	pthread_t t;
	for (int i = 0; i < 1000; i++)
		a[i] = i;
	int e = pthread_create(&t, 0, w, 0);
	if (!e)
		pthread_join(t, 0);
	char *p = malloc(100);
	p[0] = 1;
	printf("%d %d\n", a[999] > 0, p[0]);
	return 0;
}
