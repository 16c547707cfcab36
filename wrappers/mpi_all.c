/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole shim as one source, for the compiler that WM_MPICC names: with the
 * program's own <mpi.h> instead of our declarations.  Without mpi_handles.c,
 * which passes arguments on as integers and addresses.
 */
#ifdef WM_MPI_HEADER
#include "wrappers/mpi.c"
#include "wrappers/mpi_family.c"
#include "wrappers/mpi_fortran.c"
#include "wrappers/mpi_memory.c"
#endif
