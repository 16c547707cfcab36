/* SPDX-License-Identifier: Apache-2.0 */
/* Each rank: 1000 malloc of 100 bytes and free, and no call of MPI that
 * others join.
 * Used by t6408. */
#include <mpi.h>
#include <stdlib.h>
static void *volatile p;
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	for (int i = 0; i < 1000; i++) {
		p = malloc(100);
		free(p);
	}
	MPI_Finalize();
	return 0;
}
