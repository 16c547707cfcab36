/* SPDX-License-Identifier: Apache-2.0 */
/* The tool of another: its MPI_Init says "profiled".  Allocates nothing.
 * Used by t6000, t6030, t6710. */
#include <mpi.h>
#include <stdio.h>
int MPI_Init(int *c, char ***v)
{
	int r = PMPI_Init(c, v);
	fprintf(stderr, "profiled\n");
	return r;
}
