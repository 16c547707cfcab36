/* SPDX-License-Identifier: Apache-2.0 */
/* Programs beside it print answers of the kernel by these functions, which
 * allocate nothing.  It is included behind _GNU_SOURCE. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline void say(const char *what, long r)
{
	printf("%s: %s%ld\n", what, r < 0 ? "errno " : "",
	       r < 0 ? (long)errno : r);
	fflush(stdout);
}

/* A number of the process's status, in KiB; -1: it has none. */
static inline long status_kib(const char *key)
{
	char line[256];
	long kib = -1;
	FILE *f = fopen("/proc/self/status", "r");

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, key, strlen(key)))
			kib = atol(line + strlen(key));
	if (f)
		fclose(f);
	return kib;
}

/* A thread that does nothing, for ever. */
static inline void *stay(void *unused)
{
	for (;;)
		pause();
	return unused;
}
