/* SPDX-License-Identifier: Apache-2.0 */
/* A library with MPI that the program does not know of, as in an interpreter:
 * plug() is 0 in a job of 4 ranks.  Allocates nothing itself.
 * Used by t6710. */
#include <mpi.h>
int plug(int unused)
{
	int n = 0;

	(void)unused;
	MPI_Init(0, 0);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	MPI_Finalize();
	return n == 4 ? 0 : 91;
}
