/* fate HOW VICTIM [DIR]: each rank of an MPI job holds 2000 blocks of 100
 * bytes, made in mine(), on 8 call paths, makes DIR/ready.RANK and meets the
 * others.  After that rank VICTIM ends by HOW:
 *   abort (MPI_Abort with 3), segv, kill (SIGKILL), exit (status 1 without
 *   MPI_Finalize), assert (that fails), oom (touches memory until the system
 *   kills it)
 *   wait: no rank ends.
 * All others wait until they are killed, 300 s at most. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCKS 2000

static void *volatile block[BLOCKS];

__attribute__((noinline)) static void *mine(int path)
{
	if (path & 1)
		return malloc(100);
	return path & 2 ? calloc(1, 100) : realloc(NULL, 100);
}

__attribute__((noinline)) static void *further(int path)
{
	void *volatile p = path & 4 ? mine(path & 3) : mine(path);

	return p;
}

static void ready(const char *dir, int rank)
{
	char name[4096];
	FILE *f;

	snprintf(name, sizeof(name), "%s/ready.%d", dir, rank);
	f = fopen(name, "w");
	if (f)
		fclose(f);
}

static void end(const char *how)
{
	if (strcmp(how, "abort") == 0)
		MPI_Abort(MPI_COMM_WORLD, 3);
	if (strcmp(how, "segv") == 0)
		raise(SIGSEGV);
	if (strcmp(how, "kill") == 0)
		raise(SIGKILL);
	if (strcmp(how, "exit") == 0)
		_exit(1);
	assert(strcmp(how, "assert") != 0);
	while (strcmp(how, "oom") == 0) {
		char *volatile p = malloc(1 << 20);

		if (p)
			memset(p, 1, 1 << 20);
	}
}

int main(int argc, char **argv)
{
	int rank, i;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (i = 0; i < BLOCKS; i++)
		block[i] = i & 8 ? mine(i & 7) : further(i & 7);
	ready(argc > 3 ? argv[3] : ".", rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (argc > 2 && atoi(argv[2]) == rank)
		end(argv[1]);
	for (i = 0; i < 300; i++)
		sleep(1);
	MPI_Finalize();
	return 0;
}
