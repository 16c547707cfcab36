/* SPDX-License-Identifier: Apache-2.0 */
/*
 * start_kill FILE [self]: malloc(100) up to 2000 times, none freed; FILE holds
 * the number of those that have returned (int, mapped shared).  self: SIGKILL
 * after the fifth.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST 2000

int main(int argc, char **argv)
{
	static void *volatile kept[MOST];
	int self = argc > 2 && strcmp(argv[2], "self") == 0;
	int fd = argc > 1 ? open(argv[1], O_RDWR | O_CREAT, 0600) : -1;
	volatile int *done;

	if (fd < 0 || ftruncate(fd, sizeof(*done)))
		return 2;
	done = mmap(NULL, sizeof(*done), PROT_READ | PROT_WRITE, MAP_SHARED,
		    fd, 0);
	if (done == MAP_FAILED)
		return 2;
	for (int i = 0; i < MOST; i++) {
		kept[i] = malloc(100);
		*done = i + 1;
		if (self && i == 4)
			kill(getpid(), SIGKILL);
		usleep(1);
	}
	return 0;
}
