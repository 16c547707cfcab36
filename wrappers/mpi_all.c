/* SPDX-License-Identifier: Apache-2.0 */
/* The whole shim as one source, for the compiler that WM_MPICC names: it uses
 * the program's own <mpi.h> instead of our declarations.  It does not include
 * mpi_handles.c, which passes arguments on as integers and addresses. */
#ifdef WM_MPI_HEADER
#include <mpi.h>

/* wmcc has found out which MPI the program has.  With the <mpi.h> of another
 * MPI, the shim would link, but crash. */
#ifdef OPEN_MPI
#define IS_OPEN_MPI 1
#else
#define IS_OPEN_MPI 0
#endif
#if defined(WM_PROGRAM_MPICH)
_Static_assert(
	sizeof(MPI_Comm) == sizeof(int) && !IS_OPEN_MPI,
	"this mpi.h is of another MPI: the program has the ABI of MPICH");
#elif defined(WM_PROGRAM_OMPI)
_Static_assert(IS_OPEN_MPI,
	       "this mpi.h is of another MPI: the program has Open MPI");
#elif defined(WM_PROGRAM_STANDARD)
_Static_assert(
	sizeof(MPI_Comm) == sizeof(void *) && !IS_OPEN_MPI,
	"this mpi.h is of another MPI: the program has the ABI of MPI-5");
#endif

#include "wrappers/mpi.c"
#include "wrappers/mpi_family.c"
#include "wrappers/mpi_fortran.c"
#include "wrappers/mpi_memory.c"
#endif
