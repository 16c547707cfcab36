/* SPDX-License-Identifier: Apache-2.0 */
/* Each rank: MPI_Alloc_mem of 1000 bytes and a window of 5000, malloc of 10;
 * all freed.
 * Used by t6022. */
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	void *p, *q;
	MPI_Win w;
	int r;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &r);
	MPI_Bcast(&r, 1, MPI_INT, 0, MPI_COMM_WORLD);
	MPI_Alloc_mem(1000, MPI_INFO_NULL, &p);
	MPI_Free_mem(p);
	MPI_Win_allocate(5000, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &q, &w);
	MPI_Win_free(&w);
	free(malloc(10));
	MPI_Finalize();
	return 0;
}
