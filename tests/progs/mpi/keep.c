/* SPDX-License-Identifier: Apache-2.0 */
/* Each rank: malloc of 77777 bytes in main, kept.
 * Used by t5150. */
#include <mpi.h>
#include <stdlib.h>
void *volatile keep;
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	keep = malloc(77777);
	MPI_Finalize();
	return 0;
}
