/* family [COUNT PROGRAM...]...: an MPI program that spawns.  Arguments that
 * are numbers begin a call: MPI_Comm_spawn of COUNT processes of PROGRAM, or
 * MPI_Comm_spawn_multiple of COUNT of each PROGRAM.  A spawned process that is
 * alone in its world spawns two of $FAMILY_GRANDCHILD, if that is set.  Each
 * process holds 50000000 + rank bytes, made in mine(), until all have met. */
/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 8

static void *volatile block;

__attribute__((noinline)) static void mine(int rank)
{
	block = malloc(50000000 + (size_t)rank);
}

static void spawn(int count, int programs, char **program)
{
	MPI_Info info[MOST];
	int counts[MOST];
	MPI_Comm child;

	for (int i = 0; i < programs; i++) {
		info[i] = MPI_INFO_NULL;
		counts[i] = count;
	}
	if (programs == 1)
		MPI_Comm_spawn(program[0], MPI_ARGV_NULL, count, MPI_INFO_NULL,
			       0, MPI_COMM_WORLD, &child,
			       MPI_ERRCODES_IGNORE);
	else
		MPI_Comm_spawn_multiple(programs, program, MPI_ARGVS_NULL,
					counts, info, 0, MPI_COMM_WORLD,
					&child, MPI_ERRCODES_IGNORE);
	MPI_Barrier(child);
	MPI_Comm_disconnect(&child);
}

int main(int argc, char **argv)
{
	char *program = getenv("FAMILY_GRANDCHILD");
	int rank, ranks, i = 1;
	MPI_Comm parent;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	MPI_Comm_get_parent(&parent);
	mine(rank);
	while (i < argc && isdigit((unsigned char)argv[i][0])) {
		int count = atoi(argv[i]), n = 0;

		while (i + 1 + n < argc && n < MOST &&
		       !isdigit((unsigned char)argv[i + 1 + n][0]))
			n++;
		spawn(count, n, argv + i + 1);
		i += 1 + n;
	}
	if (parent != MPI_COMM_NULL && ranks == 1 && program)
		spawn(2, 1, &program);
	if (parent != MPI_COMM_NULL) {
		MPI_Barrier(parent);
		MPI_Comm_disconnect(&parent);
	}
	if (rank == 0)
		printf("%s of %d\n", parent == MPI_COMM_NULL ? "world" :
		       "spawned", ranks);
	MPI_Finalize();
	return 0;
}
