/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers the Fortran spellings of mpi_init, mpi_init_thread and mpi_abort:
 * in MPICH they do not pass through the C functions.  One set per mangling:
 * none, one and two underscores, upper case, and the mpi_f08 module's.
 *
 * Fortran passes every argument by address.  In the mpi_f08 module the error
 * argument may be absent (NULL).
 */
#include "wrappers/mpi.h"

/* A failed initialisation ends the program in all but name; rank and size
 * tell whether it has worked. */
#define INIT(name)                                                             \
	WM_MPI_REAL(void, name, (int *ierror));                                \
	void WM_SHIM(name)(int *ierror) wm_export;                             \
	void WM_SHIM(name)(int *ierror)                                        \
	{                                                                      \
		WM_MPI_NEXT(name)(ierror);                                     \
		if (!ierror || *ierror == 0)                                   \
			wm_mpi_begin();                                        \
	}
#define INIT_THREAD(name)                                                      \
	WM_MPI_REAL(void, name, (int *required, int *provided, int *ierror));  \
	void WM_SHIM(name)(int *required, int *provided, int *ierror)          \
		wm_export;                                                     \
	void WM_SHIM(name)(int *required, int *provided, int *ierror)          \
	{                                                                      \
		WM_MPI_NEXT(name)(required, provided, ierror);                 \
		if (!ierror || *ierror == 0)                                   \
			wm_mpi_begin();                                        \
	}
#define FINALIZE(name)                                                         \
	WM_MPI_REAL(void, name, (int *ierror));                                \
	void WM_SHIM(name)(int *ierror) wm_export;                             \
	void WM_SHIM(name)(int *ierror)                                        \
	{                                                                      \
		wm_mpi_finish();                                               \
		WM_MPI_NEXT(name)(ierror);                                     \
	}
#define ABORT(name)                                                            \
	WM_MPI_REAL(void, name, (int *comm, int *code, int *ierror));          \
	void WM_SHIM(name)(int *comm, int *code, int *ierror) wm_export;       \
	void WM_SHIM(name)(int *comm, int *code, int *ierror)                  \
	{                                                                      \
		wm_process_end("MPI_Abort");                                   \
		WM_MPI_NEXT(name)(comm, code, ierror);                         \
	}
#define SET(init, init_thread, finalize, abort)                                \
	INIT(init) INIT_THREAD(init_thread) FINALIZE(finalize) ABORT(abort)

SET(mpi_init, mpi_init_thread, mpi_finalize, mpi_abort)
SET(mpi_init_, mpi_init_thread_, mpi_finalize_, mpi_abort_)
SET(mpi_init__, mpi_init_thread__, mpi_finalize__, mpi_abort__)
SET(MPI_INIT, MPI_INIT_THREAD, MPI_FINALIZE, MPI_ABORT)
SET(mpi_init_f08_, mpi_init_thread_f08_, mpi_finalize_f08_, mpi_abort_f08_)
