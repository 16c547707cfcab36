/* SPDX-License-Identifier: Apache-2.0 */
/* Threads open ./churn.so in namespaces of its own and close it, while main
 * closes it 1,000 times, which looks at all libraries.
 * Used by t3110. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;

static void *churn(void *arg)
{
	while (!done) {
		void *h = dlmopen(LM_ID_NEWLM, "./churn.so", RTLD_NOW);

		if (h)
			dlclose(h);
	}
	return arg;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, churn, NULL);
	for (int i = 0; i < 1000; i++) {
		void *h = dlopen("./churn.so", RTLD_NOW | RTLD_DEEPBIND);

		if (!h)
			return 1;
		dlclose(h);
	}
	done = 1;
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
