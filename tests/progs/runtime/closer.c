/* SPDX-License-Identifier: Apache-2.0 */
/* malloc of 0 to 999 bytes and free for 2 s, while a thread closes all
 * descriptors and takes their numbers; then 10000 times calloc of 0 to 9999
 * bytes and free.  Prints how many malloc.
 * Used by t3040. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static volatile int stop;
static void *work(void *arg)
{
	while (!stop) {
		for (int fd = 3; fd < 1024; fd++)
			close(fd);
		for (int i = 0; i < 5; i++)
			if (open("theirs", O_WRONLY | O_CREAT, 0644) < 0)
				return arg;
	}
	return arg;
}
int main(void)
{
	pthread_t t;
	time_t end = time(NULL) + 2;
	long n = 0;

	pthread_create(&t, NULL, work, NULL);
	while (time(NULL) < end && n < 1000000)
		for (size_t i = 0; i < 1000; i++, n++) {
			void *volatile p = malloc(i);
			free(p);
		}
	stop = 1;
	pthread_join(t, NULL);
	for (size_t i = 0; i < 10000; i++) {
		void *volatile p = calloc(1, i);
		free(p);
	}
	printf("%ld\n", n);
	return 0;
}
