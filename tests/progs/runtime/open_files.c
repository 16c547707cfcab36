/* SPDX-License-Identifier: Apache-2.0 */
/* 20000 times malloc of 100 bytes and free; prints how many descriptors are
 * open at the end.  With -DUSE_MPI a rank.
 * Used by t3200. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef USE_MPI
#include <mpi.h>
#endif

int main(void)
{
	int n = 0;

#ifdef USE_MPI
	MPI_Init(NULL, NULL);
	MPI_Finalize();
#endif

	for (int i = 0; i < 20000; i++) {
		void *volatile p = malloc(100);

		free(p);
	}
	for (int i = 0; i < 1024; i++)
		n += fcntl(i, F_GETFD) >= 0;
	printf("%d\n", n);
	return 0;
}
