/* SPDX-License-Identifier: Apache-2.0 */
/*
 * churn new|again: one second of CPU time in which pages are touched and nothing
 * else is done.  new: of mappings of 1 MiB that come and go; again: of 16 MiB
 * that stay.
 */
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define MIB ((size_t)1 << 20)

static char *map(size_t bytes)
{
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void touch(volatile char *p, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += 4096)
		p[i] = 1;
}

int main(int argc, char **argv)
{
	char *stays = argc > 1 && !strcmp(argv[1], "again") ? map(16 * MIB) :
							       NULL;

	while (clock() < CLOCKS_PER_SEC) {
		char *p = stays ? stays : map(MIB);

		if (p == MAP_FAILED)
			return 1;
		touch(p, stays ? 16 * MIB : MIB);
		if (!stays)
			munmap(p, MIB);
	}
	return 0;
}
