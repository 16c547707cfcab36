/* SPDX-License-Identifier: Apache-2.0 */
/* Each rank: malloc of 1000 * (rank + 1) bytes, kept; MPI_Alloc_mem of 2000
 * and MPI_Win_allocate of 5000, both freed.
 * Used by t6023. */
#include <mpi.h>
#include <stdlib.h>
static void *volatile p;
int main(int argc, char **argv)
{
	void *q;
	MPI_Win w;
	int r;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &r);
	p = malloc(1000 * (size_t)(r + 1));
	MPI_Alloc_mem(2000, MPI_INFO_NULL, &q);
	MPI_Free_mem(q);
	MPI_Win_allocate(5000, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &q, &w);
	MPI_Win_free(&w);
	return MPI_Finalize();
}
