/* SPDX-License-Identifier: Apache-2.0 */
/* Eight threads malloc 100 bytes and free them, for ever; main calls exit(5)
 * after 0.05 s.
 * Used by t3000. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static void *work(void *arg)
{
	for (;;) {
		void *volatile p = malloc(100);
		free(p);
	}
	return arg;
}
int main(void)
{
	pthread_t t;
	for (int i = 0; i < 8; i++)
		pthread_create(&t, NULL, work, NULL);
	usleep(50000);
	exit(5);
}
