/* SPDX-License-Identifier: Apache-2.0 */
/*
 * annotate_use: calls lib_work() of annotate_lib, which is linked
 * annotate_use LIBRARY: loads that library and calls it there
 * Then 4 threads each enter the same 50 phases and name a block of 64 bytes,
 * and a forked child enters one more, which is not recorded.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <wm/wmtrace.h>

#ifdef LINKED
void *lib_work(const char *phase);
#endif

static void *work(void *arg)
{
	char *p = malloc(64), name[32];

	for (int i = 0; i < 50; i++) {
		snprintf(name, sizeof(name), "step %d", i);
		wm_phase(name);
		wm_name(p, name);
	}
	free(p);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[4];
	int status = 0;

	(void)argc;
#ifdef LINKED
	lib_work("linked");
#else
	void *lib = dlopen(argv[1], RTLD_NOW);
	void *(*call)(const char *) = NULL;

	if (lib)
		*(void **)&call = dlsym(lib, "lib_work");
	if (!call)
		return 1;
	call("loaded");
#endif
	for (int i = 0; i < 4; i++)
		if (pthread_create(&t[i], NULL, work, argv))
			return 2;
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	if (fork() == 0) {
		wm_phase("child");
		wm_pause();
		wm_snapshot("child");
		_exit(0);
	}
	wait(&status);
	puts("done");
	return status;
}
