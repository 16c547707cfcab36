/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers MPI_Alloc_mem, MPI_Free_mem, MPI_Win_allocate, MPI_Win_allocate_shared
 * (and their forms with longer counts) and MPI_Win_free, in C and in all
 * Fortran spellings (MPICH's Fortran functions do not call the C functions that
 * are wrapped).
 *
 * Memory that MPI itself allocates within such a call is not recorded: neither
 * the memory from which the result is taken, nor MPI's bookkeeping.  Leaves out
 * MPI_Win_create, MPI_Win_create_dynamic and MPI_Buffer_attach, whose memory is
 * the program's own.
 */
#include <stdbool.h>

#include "wm/handle_list.h"
#include "wm/trace_format.h"
#include "wm/wrap_list.h"

#include "wrappers/mpi.h"

typedef intptr_t aint; /* MPI_Aint */

/* Returns the memory that MPI made for this window, or NULL if it made none. */
static void *memory_of(wm_mpi_win win)
{
	const struct wm_mpi *mpi = wm_mpi();
	void *base = NULL;
	int *flavor = NULL, found = 0;

	if (!mpi || !mpi->Win_get_attr || win == mpi->no_win ||
	    mpi->Win_get_attr(win, mpi->win_flavor, &flavor, &found) ||
	    !found || (*flavor != mpi->made[0] && *flavor != mpi->made[1]) ||
	    mpi->Win_get_attr(win, mpi->win_base, &base, &found) || !found)
		return NULL;
	return base;
}

/* Returns the address that memory_of() will return when the window is freed.
 * In MPICH it may differ from @base, which the call has returned. */
static void *begin_of(wm_mpi_win win, void *base)
{
	void *p = base ? memory_of(win) : NULL;

	return p ? p : base;
}

/* Called before a window is freed.  Even a rank without a part of a shared
 * window may have touched the parts of other ranks. */
static uint64_t window_freed(const void *win, bool fortran)
{
	uint64_t event;

	if (!wm_enter())
		return 0;
	wm_memory_goes(SIZE_MAX);
	event = wm_mpi_freed(WMT_HANDLE_WIN, win, fortran);
	wm_leave();
	return event;
}

#define WM_X(x, class, number, Name) NUMBER_##Name = number,
enum { WM_HANDLE_WINDOWS(WM_X, none) };
#undef WM_X

/* If a part of no bytes has no address, nothing is recorded. */
static void record_mpi_alloc(bool failed, void *base, aint size,
			     const uintptr_t *frame)
{
	if (failed || base)
		wm_rec_alloc(WMT_EV_MPI_ALLOC, failed ? NULL : base,
			     (size_t)size, frame);
}

/* The body of the functions that allocate.  @came is the number of bytes that
 * may be shared; @begin is the address of the memory, valid after @call; @made
 * records the rest. */
#define WM_ALLOCATE(failed, call, came, begin, size, made)                     \
	do {                                                                   \
		if (!wm_enter()) {                                             \
			call;                                                  \
			break;                                                 \
		}                                                              \
		call;                                                          \
		wm_memory_comes(came);                                         \
		record_mpi_alloc(failed, (failed) ? NULL : (begin), size,      \
				 wm_frame());                                  \
		if (!(failed))                                                 \
			made;                                                  \
		wm_leave();                                                    \
	} while (0)

/* Records that function @number made a window.  The window's call path has one
 * frame more than the call path of its memory, so these are two paths. */
static __attribute__((noinline)) void window_made(const void *win, bool fortran,
						  size_t number)
{
	wm_mpi_made(WMT_HANDLE_WIN, win, fortran, number, wm_frame());
	__asm__ volatile("");
}

/* @failed: whether @call has failed. */
#define WM_RELEASE(p, failed, call)                                            \
	do {                                                                   \
		void *p_ = p;                                                  \
		uint64_t event_;                                               \
                                                                               \
		if (!p_ || !wm_enter()) {                                      \
			call;                                                  \
			break;                                                 \
		}                                                              \
		event_ = wm_rec_revocable(WMT_EV_MPI_FREE, p_);                \
		call;                                                          \
		if (failed)                                                    \
			wm_rec_refused(event_);                                \
		wm_leave();                                                    \
	} while (0)

WM_MPI_WRAPPED(int, MPI_Alloc_mem, (aint size, wm_mpi_info info, void *base));
int WM_SHIM(MPI_Alloc_mem)(aint size, wm_mpi_info info, void *base)
{
	int r;

	WM_ALLOCATE(r, r = WM_MPI_NEXT(MPI_Alloc_mem)(size, info, base),
		    (size_t)size, *(void **)base, size, (void)0);
	return r;
}

WM_MPI_WRAPPED(int, MPI_Free_mem, (void *base));
int WM_SHIM(MPI_Free_mem)(void *base)
{
	int r;

	WM_RELEASE(base, r, r = WM_MPI_NEXT(MPI_Free_mem)(base));
	return r;
}

#define WIN_ALLOCATE(name, unit_type, number)                                  \
	WM_MPI_WRAPPED(int, name,                                              \
		       (aint size, unit_type unit, wm_mpi_info info,           \
			wm_mpi_comm comm, void *base, wm_mpi_win *win));       \
	int WM_SHIM(name)(aint size, unit_type unit, wm_mpi_info info,         \
			  wm_mpi_comm comm, void *base, wm_mpi_win *win)       \
	{                                                                      \
		int r;                                                         \
                                                                               \
		WM_ALLOCATE(r,                                                 \
			    r = WM_MPI_NEXT(name)(size, unit, info, comm,      \
						  base, win),                  \
			    SIZE_MAX,                                          \
			    begin_of(wm_mpi_load(win), *(void **)base), size,  \
			    window_made(win, false, number));                  \
		return r;                                                      \
	}
WIN_ALLOCATE(MPI_Win_allocate, int, NUMBER_Win_allocate)
WIN_ALLOCATE(MPI_Win_allocate_c, aint, NUMBER_Win_allocate)
WIN_ALLOCATE(MPI_Win_allocate_shared, int, NUMBER_Win_allocate_shared)
WIN_ALLOCATE(MPI_Win_allocate_shared_c, aint, NUMBER_Win_allocate_shared)

WM_MPI_WRAPPED(int, MPI_Win_free, (wm_mpi_win * win));
int WM_SHIM(MPI_Win_free)(wm_mpi_win *win)
{
	uint64_t freed = window_freed(win, false);
	int r;

	WM_RELEASE(win ? memory_of(wm_mpi_load(win)) : NULL, r,
		   r = WM_MPI_NEXT(MPI_Win_free)(win));
	if (r)
		wm_mpi_refused(freed);
	return r;
}

/* In Fortran arguments are addresses; in mpi_f08 the error may be absent. */
#define FAILED(error) ((error) && *(error))

#define F_ALLOC_MEM(name, family)                                              \
	WM_MPI_WRAPPED(void, name,                                             \
		       (aint * size, int *info, void *base, int *error));      \
	void WM_SHIM(name)(aint * size, int *info, void *base, int *error)     \
	{                                                                      \
		WM_ALLOCATE(FAILED(error),                                     \
			    WM_MPI_NEXT(name)(size, info, base, error),        \
			    (size_t)*size, *(void **)base, *size, (void)0);    \
	}
#define F_WIN_ALLOCATE(name, number)                                           \
	WM_MPI_WRAPPED(void, name,                                             \
		       (aint * size, void *unit, int *info, int *comm,         \
			void *base, int *win, int *error));                    \
	void WM_SHIM(name)(aint * size, void *unit, int *info, int *comm,      \
			   void *base, int *win, int *error)                   \
	{                                                                      \
		WM_ALLOCATE(FAILED(error),                                     \
			    WM_MPI_NEXT(name)(size, unit, info, comm, base,    \
					      win, error),                     \
			    SIZE_MAX,                                          \
			    begin_of(wm_mpi_win_of_fortran(*win),              \
				     *(void **)base),                          \
			    *size, window_made(win, true, number));            \
	}
/* @address is the expression that gets the address from the argument @base. */
#define F_FREE_MEM(name, address)                                              \
	WM_MPI_WRAPPED(void, name, (void *base, int *error));                  \
	void WM_SHIM(name)(void *base, int *error)                             \
	{                                                                      \
		WM_RELEASE(address, FAILED(error),                             \
			   WM_MPI_NEXT(name)(base, error));                    \
	}
#define F_WIN_FREE(name, family)                                               \
	WM_MPI_WRAPPED(void, name, (int *win, int *error));                    \
	void WM_SHIM(name)(int *win, int *error)                               \
	{                                                                      \
		uint64_t freed = window_freed(win, true);                      \
                                                                               \
		WM_RELEASE(memory_of(wm_mpi_win_of_fortran(*win)),             \
			   FAILED(error), WM_MPI_NEXT(name)(win, error));      \
		if (FAILED(error))                                             \
			wm_mpi_refused(freed);                                 \
	}

#define F_WINDOW(name, family) F_WIN_ALLOCATE(name, NUMBER_Win_allocate)
#define F_SHARED(name, family) F_WIN_ALLOCATE(name, NUMBER_Win_allocate_shared)
#define F_FREE_ADDRESS(name, family) F_FREE_MEM(name, base)
/* the descriptor begins with the address */
#define F_FREE_DESCRIBED(name, family) F_FREE_MEM(name, *(void **)base)

WM_MPI_FORTRAN(F_ALLOC_MEM, alloc_mem, ALLOC_MEM, Alloc_mem)
WM_MPI_FORTRAN(F_ALLOC_MEM, alloc_mem_cptr, ALLOC_MEM_CPTR, Alloc_mem_cptr)
WM_MPI_FORTRAN(F_WINDOW, win_allocate, WIN_ALLOCATE, Win_allocate)
WM_MPI_FORTRAN(F_WINDOW, win_allocate_cptr, WIN_ALLOCATE_CPTR,
	       Win_allocate_cptr)
WM_MPI_FORTRAN_LARGE(F_WINDOW, win_allocate)
WM_MPI_FORTRAN(F_SHARED, win_allocate_shared, WIN_ALLOCATE_SHARED,
	       Win_allocate_shared)
WM_MPI_FORTRAN(F_SHARED, win_allocate_shared_cptr, WIN_ALLOCATE_SHARED_CPTR,
	       Win_allocate_shared_cptr)
WM_MPI_FORTRAN_LARGE(F_SHARED, win_allocate_shared)
WM_MPI_FORTRAN(F_FREE_ADDRESS, free_mem, FREE_MEM, Free_mem)
WM_MPI_FORTRAN_TS(F_FREE_DESCRIBED, free_mem)
WM_MPI_FORTRAN(F_WIN_FREE, win_free, WIN_FREE, Win_free)
