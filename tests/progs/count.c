/* SPDX-License-Identifier: Apache-2.0 */
/*
 * count PAIRS [HOW [FILE]]: PAIRS times malloc (1 to 1,024 bytes) and free, of
 * blocks that live for a while; all are freed.  With HOW it ends by
 * `kill` (SIGKILL), else by returning 0.  oom: does not free, and writes to
 * what it has; FILE then holds the number of blocks.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void *block[512];

static int eat(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT, 0644);
	volatile uint64_t *blocks;

	if (fd < 0 || ftruncate(fd, 4096))
		return 2;
	blocks = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	for (;;) {
		char *volatile p = malloc(10000);

		++*blocks;
		memset(p, 1, 10000);
	}
}

int main(int argc, char **argv)
{
	long pairs = argc > 1 ? atol(argv[1]) : 0;
	unsigned seed = 1;

	if (argc > 3)
		return eat(argv[3]);
	for (long i = 0; i < pairs; i++) {
		seed = seed * 1103515245 + 12345;
		free(block[seed >> 8 & 511]);
		block[seed >> 8 & 511] = malloc((seed >> 20 & 1023) + 1);
	}
	for (int i = 0; i < 512; i++)
		free(block[i]);
	if (argc > 2)
		kill(getpid(), SIGKILL);
	return 0;
}
