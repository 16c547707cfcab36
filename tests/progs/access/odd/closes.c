/* SPDX-License-Identifier: Apache-2.0 */
/* Closes all descriptors and goes to another directory.  Used by t3422. */
#include <unistd.h>
#include <stdio.h>
#include <fcntl.h>
#include <pthread.h>
static long v[1000];
static void *w(void *p)
{
	for (int k = 0; k < 3000; k++)
		for (int i = 0; i < 1000; i++)
			v[(i * 7919L + k * 31) % 1000] += i;
	return p;
}
int main(void)
{
	pthread_t t;
	for (int i = 3; i < 1024; i++)
		close(i);
	chdir("/");
	pthread_create(&t, 0, w, 0);
	w(0);
	pthread_join(t, 0);
	int fd = open("/dev/null", O_RDONLY);
	printf("%d\n", fd);
	return 0;
}
