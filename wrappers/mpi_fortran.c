/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers the Fortran spellings of mpi_init, mpi_init_thread, mpi_session_init,
 * mpi_finalize and mpi_abort (WM_MPI_FORTRAN): in MPICH they do not call the C
 * functions.  In an MPI where they do, the wrapper that is called second finds
 * that all work has been done.
 *
 * Fortran passes every argument by address.  In the mpi_f08 module the error
 * argument may be absent (NULL).
 */
#include "wrappers/mpi.h"

#include "wm/wrap_list.h"

/* A program does not continue after a failed initialisation, as a rule.  If the
 * error argument is absent, rank and size show whether it has worked. */
#define INIT(name, family)                                                     \
	WM_MPI_WRAPPED(void, name, (int *ierror));                             \
	void WM_SHIM(name)(int *ierror)                                        \
	{                                                                      \
		WM_MPI_NEXT(name)(ierror);                                     \
		if (!ierror || *ierror == 0)                                   \
			wm_mpi_begin();                                        \
	}
#define INIT_THREAD(name, family)                                              \
	WM_MPI_WRAPPED(void, name,                                             \
		       (int *required, int *provided, int *ierror));           \
	void WM_SHIM(name)(int *required, int *provided, int *ierror)          \
	{                                                                      \
		WM_MPI_NEXT(name)(required, provided, ierror);                 \
		if (!ierror || *ierror == 0)                                   \
			wm_mpi_begin();                                        \
	}
#define FINALIZE(name, family)                                                 \
	WM_MPI_WRAPPED(void, name, (int *ierror));                             \
	void WM_SHIM(name)(int *ierror)                                        \
	{                                                                      \
		wm_mpi_finish();                                               \
		WM_MPI_NEXT(name)(ierror);                                     \
		wm_mpi_finished();                                             \
	}
#define ABORT(name, family)                                                    \
	WM_MPI_WRAPPED(void, name, (int *comm, int *code, int *ierror));       \
	void WM_SHIM(name)(int *comm, int *code, int *ierror)                  \
	{                                                                      \
		wm_process_end("MPI_Abort");                                   \
		WM_MPI_NEXT(name)(comm, code, ierror);                         \
	}
#define SESSION_INIT(name, family)                                             \
	WM_MPI_WRAPPED(void, name,                                             \
		       (void *info, void *handler, void *session,              \
			int *ierror));                                         \
	void WM_SHIM(name)(void *info, void *handler, void *session,           \
			   int *ierror)                                        \
	{                                                                      \
		WM_MPI_NEXT(name)(info, handler, session, ierror);             \
		if (!ierror || *ierror == 0)                                   \
			wm_mpi_no_world();                                     \
	}

WM_MPI_FORTRAN(INIT, init, INIT, Init)
WM_MPI_FORTRAN(INIT_THREAD, init_thread, INIT_THREAD, Init_thread)
WM_MPI_FORTRAN(SESSION_INIT, session_init, SESSION_INIT, Session_init)
WM_MPI_FORTRAN(FINALIZE, finalize, FINALIZE, Finalize)
WM_MPI_FORTRAN(ABORT, abort, ABORT, Abort)
