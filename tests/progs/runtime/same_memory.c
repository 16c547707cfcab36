/* SPDX-License-Identifier: Apache-2.0 */
/*
 * same_memory KIND FILE PROCESSES [UNTOUCHED]: each of so many processes maps
 * the same 32 MiB, touches all of it, and waits until all have; then each lets it
 * go.  UNTOUCHED MiB of the heap are freed before that, and never touched.
 * KIND is shm, memfd, disk (a file mapped shared), sysv, or own (each has
 * 32 MiB of its own in a file of memory).  FILE is in /dev/shm, on a disk, or
 * what the first one says the others by.  Each has 4 MiB of its heap, touched.
 * t3065, t5184.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#define BYTES (32u << 20)
static int segment;

static int of_memfd(const char *file, int first)
{
	char text[64] = "";
	int fd = -1, n = -1;
	FILE *f;

	if (first) {
		fd = memfd_create("same", 0);
		f = fopen(file, "w");
		fprintf(f, "/proc/%d/fd/%d\n", (int)getpid(), fd);
		fclose(f);
		return fd;
	}
	for (; n != 1 || !strchr(text, '\n'); usleep(1000)) {
		f = fopen(file, "r");
		n = f && fgets(text, sizeof(text), f) ? 1 : -1;
		if (f)
			fclose(f);
	}
	*strchr(text, '\n') = 0;
	return open(text, O_RDWR);
}

static char *same(const char *kind, const char *file, int first)
{
	int fd;

	if (strcmp(kind, "sysv") == 0) {
		segment = shmget(ftok(file, 'w'), BYTES, IPC_CREAT | 0600);
		return shmat(segment, NULL, 0);
	}
	fd = strcmp(kind, "memfd") == 0 ? of_memfd(file, first) :
	     strcmp(kind, "own") == 0	? memfd_create("own", 0) :
					  open(file, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || ftruncate(fd, BYTES))
		exit(1);
	return mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}

static void wait_for(_Atomic int *count, int processes)
{
	atomic_fetch_add(count, 1);
	while (atomic_load(count) < processes)
		usleep(1000);
}

int main(int argc, char **argv)
{
	const char *rank = getenv("PMI_RANK");
	int n = argc > 3 ? atoi(argv[3]) : 1;
	char *volatile untouched = argc > 4 ? malloc(atoi(argv[4]) << 20) : 0;
	char *heap = malloc(4 << 20), *p;

	memset(heap, 1, 4 << 20);
	p = same(argv[1], argv[2], !rank || atoi(rank) == 0);
	if (p == MAP_FAILED || p == (char *)-1)
		return 1;
	for (size_t i = 8; i < BYTES; i += 4096)
		p[i] = 1;
	if (strcmp(argv[1], "own") != 0)
		wait_for((_Atomic int *)p, n);
	/* what goes while all have it makes the runtime look */
	if (argc < 5)
		munmap(mmap(NULL, 1 << 20, PROT_READ,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
		       1 << 20);
	free(untouched);
	if (strcmp(argv[1], "own") != 0)
		wait_for((_Atomic int *)p + 1, n);
	if (strcmp(argv[1], "sysv") == 0) {
		shmdt(p);
		shmctl(segment, IPC_RMID, NULL);
	} else {
		munmap(p, BYTES);
	}
	free(heap);
	return 0;
}
