/* SPDX-License-Identifier: Apache-2.0 */
/* Each rank: malloc of 1000 * (rank + 1) bytes in mine(), kept; rank 0 tells
 * how many they are, with -DPRELOAD also what LD_PRELOAD is.  Any argument:
 * the last rank calls MPI_Abort; two: each returns before MPI_Init, with 500
 * bytes made in mine().
 * Used by t6000, t6710. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static void *volatile p;
__attribute__((noinline)) static void mine(int r)
{
	p = malloc(r < 0 ? 500 : 1000 * (size_t)(r + 1));
}
static const char *preload(void)
{
#ifdef PRELOAD
	if (getenv("LD_PRELOAD"))
		return getenv("LD_PRELOAD");
#endif
	return "";
}
int main(int argc, char **argv)
{
	int r, n, level;

	if (argc > 2)
		return mine(-argc), p == NULL;
#ifdef THREADS
	MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
#else
	(void)level;
	MPI_Init(&argc, &argv);
#endif
	MPI_Comm_rank(MPI_COMM_WORLD, &r);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	mine(r);
	MPI_Barrier(MPI_COMM_WORLD);
	if (argc > 1 && r == n - 1)
		MPI_Abort(MPI_COMM_WORLD, 3);
	MPI_Barrier(MPI_COMM_WORLD);
	if (r == 0)
		printf("%d ranks%s\n", n, preload());
	MPI_Finalize();
	return 0;
}
