/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Declarations of MPI for the shim, without the header of any MPI.  Handles are
 * passed as values of the size of a pointer, which is right for each MPI whose
 * handles are integers or addresses.  Their values are found when MPI is up:
 * small numbers of the standard in MPI-5 (MPI_Abi_get_version() reports it);
 * addresses of objects in Open MPI; numbers in MPICH, Intel MPI, Cray MPICH and
 * MVAPICH.  For any other MPI the shim is compiled with that MPI's <mpi.h>
 * (WM_MPI_HEADER; wmcc does this with the compiler that WM_MPICC names).
 *
 * Static programs refer to the PMPI functions; dynamic programs ask the loader
 * at run time, so that the same object is right in a program without MPI.
 *
 * To call another PMPI function, add a line to WM_MPI_CALLS.  Use MAY if some
 * MPI lacks the function, or if most programs should not be linked with it:
 * then the function may be NULL, in static programs unless add_mpi() of wmcc
 * pulls it in.  To use another handle, add a member to struct wm_mpi, and its
 * value for each family in wrappers/mpi_family.c.
 *
 * These functions may be called by one thread at a time, between the program's
 * own initialisation and finalisation of MPI; nothing is owned.
 */
#pragma once

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

/* X(name after PMPI_, arguments).  The functions return 0 for success.  A
 * variable that receives a handle must be zero before the call, because MPICH
 * writes only half of it. */
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

/* Returns the program's MPI, or NULL if its family is not known. */
const struct wm_mpi *wm_mpi(void) wm_hidden;

/* Returns whether MPI is up, so that MPI_COMM_WORLD can be used. */
bool wm_mpi_has_world(void) wm_hidden;

/* Returns C's handle of a window of a Fortran program. */
wm_mpi_win wm_mpi_win_of_fortran(int win) wm_hidden;

/* These functions record handles of a class of wm/handle_list.h.  The handle is
 * at @where in the program's memory, in the form of C or of Fortran.
 * wm_mpi_made(): function @number of the list has made the handle.
 * wm_mpi_freed(): the handle is about to be freed; returns a number for
 * wm_mpi_refused(), or 0 if there is no handle.  wm_mpi_refused(): the handle
 * was not freed after all.  The caller of the first two has entered an
 * intercepted call.  Constants of MPI are not handles. */
void wm_mpi_made(int class, const void *where, bool fortran, size_t number,
		 const uintptr_t *frame) wm_hidden;
uint64_t wm_mpi_freed(int class, const void *where, bool fortran) wm_hidden;
void wm_mpi_refused(uint64_t event) wm_hidden;

/* wm_mpi_requests() stores in @list the @count requests that are in the
 * program's memory from @where on.  wm_mpi_next_other() returns the number of
 * the first request, from @i on, that differs from @list, or @count. */
void wm_mpi_requests(uintptr_t *list, const void *where, size_t count,
		     bool fortran) wm_hidden;
size_t wm_mpi_next_other(const uintptr_t *list, const void *where, size_t i,
			 size_t count, bool fortran) wm_hidden;
/* Records that request @i has ended: the memory contained @request before, and
 * contains another request now. */
void wm_mpi_ended(uintptr_t request, const void *where, size_t i,
		  bool fortran) wm_hidden;

/* Returns the handle at @where in the program's memory. */
#ifdef WM_MPI_HEADER
#define wm_mpi_load(where) (*(where))
#else
void *wm_mpi_load(const void *where) wm_hidden;
#endif

void wm_mpi_begin(void) wm_hidden;

/* Every C and Fortran wrapper of a function that ends MPI calls wm_mpi_finish()
 * before and wm_mpi_finished() after it.  They make the summary without
 * messages of MPI (docs/decisions.md). */
void wm_mpi_finish(void) wm_hidden;
void wm_mpi_finished(void) wm_hidden;

/* For dynamic programs: returns the next function of this name, for a call that
 * came from @caller, or a function that fails as MPI's do.  @kept, at first
 * NULL, belongs to one name and one shim. */
void *wm_mpi_next(void *_Atomic *kept, const char *name,
		  const void *caller) wm_hidden;

/* WM_MPI_NEXT(X), used in shim X, is the function behind this shim.
 * WM_MPI_WRAPPED(type, X, args) declares both functions. */
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
