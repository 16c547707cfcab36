/* SPDX-License-Identifier: Apache-2.0 */
/* A program of MPI, with a block of 4711 bytes that it frees, and one that it
 * does not.
 * Used by t1215. */
#include <mpi.h>
#include <stdlib.h>

static void *volatile kept;

int main(int argc, char **argv)
{
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	kept = malloc(4711);
	free(kept);
	kept = malloc(4711);
	MPI_Finalize();
	return 0;
}
