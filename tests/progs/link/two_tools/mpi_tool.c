/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates nothing: MPI_Init, PMPI_Init and MPI_Finalize as a profiler of I/O
 * wraps them, in one member of its archive; prints how often MPI began.  With
 * -DPROFILED MPI_Init goes on with PMPI_Init, as in Darshan.
 * Used by t1215. */
#include <mpi.h>
#include <stdio.h>

static int begun;
int __real_MPI_Init(int *, char ***);
int __real_PMPI_Init(int *, char ***);
int __real_MPI_Finalize(void);

int __wrap_MPI_Init(int *argc, char ***argv)
{
	begun++;
#ifdef PROFILED
	return __real_PMPI_Init(argc, argv);
#else
	return __real_MPI_Init(argc, argv);
#endif
}

int __wrap_PMPI_Init(int *argc, char ***argv)
{
	begun++;
	return __real_PMPI_Init(argc, argv);
}

int __wrap_MPI_Finalize(void)
{
	printf("tool: begun %d\n", begun);
	return __real_MPI_Finalize();
}
