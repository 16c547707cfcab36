/* SPDX-License-Identifier: Apache-2.0 */
/* Each rank: MPI_Alloc_mem of 100000 bytes and a window of 5000, both freed;
 * malloc of 1000 * (rank + 1), kept.  Argument abort: rank 1 calls MPI_Abort;
 * spawn: three more processes, which malloc 7000 each.
 * Used by t6030. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *volatile kept;

int main(int argc, char **argv)
{
	MPI_Comm other;
	MPI_Win win;
	void *p;
	int r, n;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &r);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	MPI_Comm_get_parent(&other);
	if (other != MPI_COMM_NULL) {
		kept = malloc(7000);
		MPI_Comm_disconnect(&other);
		return MPI_Finalize();
	}
	kept = malloc(1000 * (size_t)(r + 1));
	MPI_Alloc_mem(100000, MPI_INFO_NULL, &p);
	MPI_Free_mem(p);
	MPI_Win_allocate(5000, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &p, &win);
	MPI_Win_free(&win);
	if (argc > 1 && !strcmp(argv[1], "abort") && r == 1)
		MPI_Abort(MPI_COMM_WORLD, 3);
	if (argc > 1 && !strcmp(argv[1], "spawn")) {
		MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 3, MPI_INFO_NULL, 0,
			       MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
		MPI_Comm_disconnect(&other);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (r == 0)
		printf("%d ranks\n", n);
	return MPI_Finalize();
}
