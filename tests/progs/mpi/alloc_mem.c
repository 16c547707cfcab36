/* SPDX-License-Identifier: Apache-2.0 */
/* Each rank: MPI_Alloc_mem of 1 MiB, kept.
 * Used by t5190. */
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	void *p;

	MPI_Init(&argc, &argv);
	MPI_Alloc_mem(1 << 20, MPI_INFO_NULL, &p);
	MPI_Finalize();
	return 0;
}
