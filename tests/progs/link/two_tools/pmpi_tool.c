/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates 10 blocks of 1000 bytes in MPI_Init and frees 5 in MPI_Finalize: a
 * profiler as TAU is one.  MPI_Init, MPI_Finalize and MPI_Comm_rank are its own
 * and go on with PMPI, malloc and free come to it by --wrap.  Prints how often
 * each was called, malloc and free by the program of 4711 bytes alone.
 * Used by t1215. */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>

#define ITS 4711

static int begun, ranked, mallocs, frees;
static void *own[10], *its;
void *__real_malloc(size_t n);
void __real_free(void *p);

void *__wrap_malloc(size_t n)
{
	void *p = __real_malloc(n);

	if (n == ITS) {
		mallocs++;
		its = p;
	}
	return p;
}

void __wrap_free(void *p)
{
	frees += p && p == its;
	__real_free(p);
}

int MPI_Init(int *argc, char ***argv)
{
	begun++;
	for (int i = 0; i < 10; i++)
		own[i] = __real_malloc(1000);
	return PMPI_Init(argc, argv);
}

int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
	ranked++;
	return PMPI_Comm_rank(comm, rank);
}

int MPI_Finalize(void)
{
	for (int i = 0; i < 5; i++)
		__real_free(own[i]);
	printf("tool: %d %d %d %d\n", begun, ranked, mallocs, frees);
	return PMPI_Finalize();
}
