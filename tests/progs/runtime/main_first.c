/* SPDX-License-Identifier: Apache-2.0 */
/* The main thread ends by pthread_exit; then the other one allocates 16 MiB,
 * touches them and ends, which is the end of the process.
 * Used by t3040. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *main_thread)
{
	void *volatile p;

	pthread_join(*(pthread_t *)main_thread, NULL);
	p = malloc(16 << 20);
	memset(p, 1, 16 << 20);
	return NULL;
}

int main(void)
{
	static pthread_t me, other;

	me = pthread_self();
	pthread_create(&other, NULL, work, &me);
	pthread_exit(NULL);
}
