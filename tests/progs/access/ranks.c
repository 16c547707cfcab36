/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 1,000 stores of 1 byte before MPI_Init, 1,000 of 2 bytes behind it.  Used by
 * t6045.
 */
#include <mpi.h>

unsigned char before[1000];
unsigned short behind[1000];

int main(int argc, char **argv)
{
	for (int i = 0; i < 1000; i++)
		before[i] = 1;
	MPI_Init(&argc, &argv);
	for (int i = 0; i < 1000; i++)
		behind[i] = 1;
	MPI_Finalize();
	return 0;
}
