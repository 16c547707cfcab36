/* SPDX-License-Identifier: Apache-2.0 */
/* Each rank: one MPI_Allreduce; rank 0 tells the number of ranks.  Allocates
 * nothing itself.
 * Used by t6408. */
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	int one = 1, sum = 0, rank;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d\n", sum);
	MPI_Finalize();
	return 0;
}
