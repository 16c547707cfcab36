/* SPDX-License-Identifier: Apache-2.0 */
/* Each rank: malloc of 1000 * (rank + 1) bytes, kept.  Any argument: rank 1
 * calls MPI_Abort with 7.
 * Used by t6021. */
#include <mpi.h>
#include <stdlib.h>
static void *volatile p;
int main(int argc, char **argv)
{
	int r;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &r);
	p = malloc(1000 * (size_t)(r + 1));
	if (argc > 1 && r == 1)
		MPI_Abort(MPI_COMM_WORLD, 7);
	return MPI_Finalize();
}
