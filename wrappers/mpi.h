/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Declarations of MPI for the shim, without any MPI's header: handles are
 * passed as pointer-size values, which is right for all whose handles are
 * integers or addresses, and their values are found when MPI is up:
 *
 *   MPI-5     MPI_Abi_get_version() reports it: small numbers of the standard
 *   Open MPI  addresses of its objects
 *   MPICH     MPICH, Intel MPI, Cray MPICH, MVAPICH: numbers
 *
 * Anything else is compiled with its own <mpi.h> (WM_MPI_HEADER; wmcc does
 * that with the compiler that WM_MPICC names).
 *
 * Static programs refer to the PMPI functions; dynamic ones ask the loader at
 * run time, so that the same object is right in a program without MPI.
 *
 * To call another PMPI function, add a line to WM_MPI_CALLS, with MAY where
 * some MPI in use lacks it, or where most programs should not be burdened with
 * it (it is NULL then, in static programs unless add_mpi() of wmcc pulls it
 * in).  To use another handle, add a member to struct wm_mpi, and its value for
 * each family in wrappers/mpi_family.c.
 *
 * All of it may be called by one thread at a time, between the program's own
 * initialisation and finalisation of MPI; nothing is owned.
 */
#ifndef WM_WRAPPERS_MPI_H
#define WM_WRAPPERS_MPI_H

#include "wrappers/shim.h"

#ifdef WM_MPI_HEADER
#include <mpi.h>
#include <stdbool.h>
typedef MPI_Comm wm_mpi_comm;
typedef MPI_Datatype wm_mpi_type;
typedef MPI_Info wm_mpi_info;
typedef MPI_Win wm_mpi_win;
typedef MPI_Errhandler wm_mpi_errhandler;
#if MPI_VERSION >= 4
typedef MPI_Session wm_mpi_session;
#else
typedef void *wm_mpi_session;
#endif
#else
typedef void *wm_mpi_comm;
typedef void *wm_mpi_type;
typedef void *wm_mpi_info;
typedef void *wm_mpi_win;
typedef void *wm_mpi_errhandler;
typedef void *wm_mpi_session;
#endif

/* X(name after PMPI_, arguments): the functions return an int, which is 0 for
 * success.  A variable that receives a handle must be zero before: MPICH writes
 * half of it. */
/* clang-format off */
#define WM_MPI_CALLS(X, MAY)                                                   \
	X(Initialized, (int *flag))                                            \
	X(Finalized, (int *flag))                                              \
	X(Comm_rank, (wm_mpi_comm comm, int *rank))                            \
	X(Comm_size, (wm_mpi_comm comm, int *size))                            \
	X(Comm_get_errhandler, (wm_mpi_comm comm, wm_mpi_errhandler *handler)) \
	X(Comm_set_errhandler, (wm_mpi_comm comm, wm_mpi_errhandler handler))  \
	X(Bcast, (void *buf, int count, wm_mpi_type type, int root,            \
		  wm_mpi_comm comm))                                           \
	MAY(Win_get_attr, (wm_mpi_win win, int key, void *value, int *found))  \
	MAY(Type_get_envelope, (wm_mpi_type type, int *integers,               \
				int *addresses, int *types, int *combiner))
/* clang-format on */

struct wm_mpi {
	wm_mpi_comm world;
	wm_mpi_type byte;
	wm_mpi_errhandler errors_return;
	wm_mpi_win no_win;
	/* constants that functions may return in place of a new handle */
	uintptr_t no_comm, no_group, empty_group, no_request;
	int win_base, win_flavor; /* keys of attributes */
	int made[2]; /* flavors of windows whose memory is MPI's */
	int handle_bytes; /* of a handle in the program's memory */
#define WM_X(name, args) int(*name) args;
	WM_MPI_CALLS(WM_X, WM_X)
#undef WM_X
};

/* The program's MPI: NULL when it is of no family that we know. */
const struct wm_mpi *wm_mpi(void) wm_hidden;

/* true: MPI_COMM_WORLD can be used: initialised, and not finalised. */
bool wm_mpi_has_world(void) wm_hidden;

/* A handle of a Fortran program. */
wm_mpi_win wm_mpi_win_of_fortran(int win) wm_hidden;

/*
 * Handles of a class of wm/handle_list.h, which the program's memory holds at
 * @where, in C or in Fortran: one was made by function @number of the list, is
 * about to be freed, or was not freed after all.  Called by a thread that has
 * entered an intercepted call.  Constants of MPI are no handles; freed returns
 * 0 where there is none, else the number for refused.
 */
void wm_mpi_made(int class, const void *where, bool fortran, size_t number,
		 const uintptr_t *frame) wm_hidden;
uint64_t wm_mpi_freed(int class, const void *where, bool fortran) wm_hidden;
void wm_mpi_refused(uint64_t event) wm_hidden;

/* Stores the @count requests that the program's memory holds from @where on in
 * @list; returns the number of the next one, from @i on, that differs from
 * @list there; @count: none does. */
void wm_mpi_requests(uintptr_t *list, const void *where, size_t count,
		     bool fortran) wm_hidden;
size_t wm_mpi_next_other(const uintptr_t *list, const void *where, size_t i,
			 size_t count, bool fortran) wm_hidden;
/* Request @i has ended: the memory held @request before, and holds another one
 * now. */
void wm_mpi_ended(uintptr_t request, const void *where, size_t i,
		  bool fortran) wm_hidden;

/* A handle that the program's memory holds at @where. */
#ifdef WM_MPI_HEADER
#define wm_mpi_load(where) (*(where))
#else
void *wm_mpi_load(const void *where) wm_hidden;
#endif

/* After a successful initialisation: reports rank and size to the runtime. */
void wm_mpi_begin(void) wm_hidden;

/* Before and after the program's finalisation, in each spelling that is called:
 * the summary, which sends no messages (docs/decisions.md). */
void wm_mpi_finish(void) wm_hidden;
void wm_mpi_finished(void) wm_hidden;

/* Dynamic programs: the next function of this name, for a call that came from
 * @caller, or one that fails as MPI's do.  @kept, at first NULL, is for one
 * name and one shim. */
void *wm_mpi_next(void *_Atomic *kept, const char *name,
		  const void *caller) wm_hidden;

/* WM_MPI_NEXT(X): the function behind shim X, within the shim itself.
 * WM_MPI_WRAPPED(type, X, args) declares both. */
#ifdef WM_DYNAMIC
#define WM_MPI_NEXT(name)                                                      \
	__extension__({                                                        \
		static void *_Atomic kept_;                                    \
		(__typeof__(&WM_SHIM(                                          \
			name)))wm_mpi_next(&kept_, #name,                      \
					   __builtin_return_address(0));       \
	})
#define WM_MPI_WRAPPED(type, name, args)                                       \
	type WM_SHIM(name)                                                     \
	args wm_export
#else
#define WM_MPI_NEXT(name) __real_##name
#define WM_MPI_WRAPPED(type, name, args)                                       \
	extern type __real_##name args __attribute__((weak));                  \
	type WM_SHIM(name)                                                     \
	args wm_export
#endif

#endif
