/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the shim needs of MPI, without any MPI's header: the handles of the
 * library family that the object is built for, and four PMPI functions whose
 * calling sequence is the same everywhere.
 *
 *   WM_MPI_MPICH  MPICH, Intel MPI, Cray MPICH, MVAPICH: handles are numbers
 *   WM_MPI_OMPI   Open MPI: handles are addresses of its objects
 */
#ifndef WM_WRAPPERS_MPI_H
#define WM_WRAPPERS_MPI_H

#include "wrappers/shim.h"

#if defined(WM_MPI_MPICH)
typedef int wm_mpi_handle;
#define WM_MPI_COMM_WORLD 0x44000000
#define WM_MPI_BYTE 0x4c00010d
#elif defined(WM_MPI_OMPI)
typedef void *wm_mpi_handle;
extern char ompi_mpi_comm_world[], ompi_mpi_byte[];
#define WM_MPI_COMM_WORLD ((void *)ompi_mpi_comm_world)
#define WM_MPI_BYTE ((void *)ompi_mpi_byte)
#else
#error "wrappers/mpi.h: which MPI?"
#endif

extern int PMPI_Comm_rank(wm_mpi_handle comm, int *rank);
extern int PMPI_Comm_size(wm_mpi_handle comm, int *size);
extern int PMPI_Bcast(void *buf, int count, wm_mpi_handle type, int root,
		      wm_mpi_handle comm);

/* After a successful initialisation: tell the runtime who we are. */
void wm_mpi_begin(void) wm_hidden;

/* Dynamic programs: the next function of this name, NULL: none. */
void *wm_mpi_next(const char *name) wm_hidden;

#endif
