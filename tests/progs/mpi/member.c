/* SPDX-License-Identifier: Apache-2.0 */
/* Each rank: malloc of 50000000 + rank bytes in mine(), kept; the ranks meet.
 * Used by `member_sources` of launch-lib.sh. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static void *volatile p;
__attribute__((noinline)) static void mine(int r)
{
	p = malloc(50000000 + (size_t)r);
}
int main(int argc, char **argv)
{
	int r, n;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &r);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	mine(r);
	MPI_Barrier(MPI_COMM_WORLD);
	if (r == 0)
		printf("%d ranks\n", n);
	MPI_Finalize();
	return 0;
}
