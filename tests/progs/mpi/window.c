/* SPDX-License-Identifier: Apache-2.0 */
/*
 * window KIND FILE: MPI_Win_allocate_shared gives ranks 32 MiB each, or rank 0
 * all of them ("root", "parts").  They touch it as KIND says.  Appends to FILE,
 * rank by rank, the most MiB of RssAnon and RssFile together, and of RssShmem.
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MIB (1l << 20)
#define PART (32 * MIB)

static long own, shared;
static int rank, ranks;

static long field(const char *text, const char *name)
{
	return strtol(strstr(text, name) + strlen(name), NULL, 10) << 10;
}

static void see(void)
{
	static char text[8192];
	int fd = open("/proc/self/status", O_RDONLY);
	long n = read(fd, text, sizeof(text) - 1);

	close(fd);
	text[n] = 0;
	n = field(text, "RssAnon:") + field(text, "RssFile:");
	own = n > own ? n : own;
	n = field(text, "RssShmem:");
	shared = n > shared ? n : shared;
}

/* The part of rank @i. */
static char *part_of(MPI_Win win, int i, MPI_Aint *bytes)
{
	int unit;
	char *p;

	MPI_Win_shared_query(win, i, bytes, &unit, &p);
	return p;
}

static void write_all(MPI_Win win)
{
	MPI_Aint n;

	for (int i = 0; i < ranks; i++) {
		char *p = part_of(win, i, &n);

		memset(p, 1, (size_t)n);
	}
}

static long read_all(MPI_Win win)
{
	MPI_Aint n;
	long sum = 0;

	for (int i = 0; i < ranks; i++) {
		volatile const char *p = part_of(win, i, &n);

		for (long at = 0; at < n; at += 4096)
			sum += p[at];
	}
	return sum;
}

/* Blocks that are too small for a look of the runtime's at each. */
static void work(void)
{
	for (int k = 0; k < 40; k++) {
		char *p[16];

		for (int i = 0; i < 16; i++)
			p[i] = memset(malloc(MIB / 2), 1, MIB / 2);
		see();
		for (int i = 0; i < 16; i++)
			free(p[i]);
	}
}

static void report(const char *file)
{
	for (int i = 0; i < ranks; i++) {
		FILE *f = i == rank ? fopen(file, "a") : NULL;

		if (f) {
			fprintf(f, "%ld %ld\n", own / MIB, shared / MIB);
			fclose(f);
		}
		MPI_Barrier(MPI_COMM_WORLD);
	}
}

int main(int argc, char **argv)
{
	const char *kind = argv[1];
	MPI_Aint part = PART;
	MPI_Win win;
	char *mine;
	long sum = 0;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (!strcmp(kind, "root") || !strcmp(kind, "parts"))
		part = rank ? 0 : ranks * PART;
	MPI_Win_allocate_shared(part, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mine,
				&win);
	if (!strcmp(kind, "parts"))
		memset(part_of(win, 0, &part) + rank * PART, 1, PART);
	else if (strcmp(kind, "none") && strcmp(kind, "all"))
		memset(mine, 1, (size_t)part);
	MPI_Barrier(MPI_COMM_WORLD);
	if (!strcmp(kind, "all"))
		write_all(win);
	else if (strcmp(kind, "own") && strcmp(kind, "none"))
		sum = read_all(win);
	if (!strcmp(kind, "work"))
		work();
	see();
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_free(&win);
	report(argv[2]);
	MPI_Finalize();
	return sum == 42;
}
