/* SPDX-License-Identifier: Apache-2.0 */
/* Each rank: malloc of rank + 1 bytes, freed; with -DMEMORY also
 * MPI_Alloc_mem and a window of 1000 bytes.
 * Used by `mpi_sources` of mpi-lib.sh. */
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	void *volatile p;
	int rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	p = malloc((size_t)rank + 1);
	free(p);
#ifdef MEMORY
	void *block;
	MPI_Win win;

	MPI_Alloc_mem(1000, MPI_INFO_NULL, &block);
	MPI_Free_mem(block);
	MPI_Win_allocate(1000, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &block, &win);
	MPI_Win_free(&win);
#endif
	MPI_Finalize();
	return 0;
}
