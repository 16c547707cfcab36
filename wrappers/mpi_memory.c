/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers MPI_Alloc_mem, MPI_Free_mem, MPI_Win_allocate,
 * MPI_Win_allocate_shared and MPI_Win_free in C and in all Fortran spellings
 * (MPICH's Fortran does not pass through the C functions that are wrapped).
 *
 * What MPI itself allocates within such a call is not recorded: neither the
 * memory that it hands out, nor its bookkeeping.  Leaves out MPI_Win_create
 * and MPI_Win_create_dynamic, whose memory is the program's own, and
 * MPI_Buffer_attach, likewise.
 */
#include "wm/trace_format.h"

#include "wrappers/mpi.h"

typedef intptr_t aint; /* MPI_Aint */

/* The memory that MPI made for this window; NULL: it made none. */
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

/*
 * Where a new window's memory begins, as memory_of() will tell at its end:
 * MPICH's address may differ from the one that it has returned.
 */
static void *begin_of(wm_mpi_win win, void *base)
{
	void *p = base ? memory_of(win) : NULL;

	return p ? p : base;
}

/* A part of no bytes may have no address: then it is nothing. */
static void note(int failed, void *base, aint size, const uintptr_t *frame)
{
	if (failed || base)
		wm_rec_alloc(WMT_EV_MPI_ALLOC, failed ? NULL : base,
			     (size_t)size, frame);
}

/* The body of those that allocate; @begin: of the memory, once it is there. */
#define WM_ALLOCATE(failed, call, begin, size)                                 \
	do {                                                                   \
		if (!wm_enter()) {                                             \
			call;                                                  \
			break;                                                 \
		}                                                              \
		call;                                                          \
		note(failed, (failed) ? NULL : (begin), size,         \
		     wm_frame());                                              \
		wm_leave();                                                    \
	} while (0)

#define WM_RELEASE(p, call)                                                    \
	do {                                                                   \
		void *p_ = p;                                                  \
									       \
		if (!p_ || !wm_enter()) {                                      \
			call;                                                  \
			break;                                                 \
		}                                                              \
		wm_rec_release(WMT_EV_MPI_FREE, p_);                           \
		call;                                                          \
		wm_leave();                                                    \
	} while (0)

WM_MPI_REAL(int, MPI_Alloc_mem, (aint size, wm_mpi_info info, void *base));
int WM_SHIM(MPI_Alloc_mem)(aint size, wm_mpi_info info, void *base)
	wm_export;
int WM_SHIM(MPI_Alloc_mem)(aint size, wm_mpi_info info, void *base)
{
	int r;

	WM_ALLOCATE(r, r = WM_MPI_NEXT(MPI_Alloc_mem)(size, info, base),
		    *(void **)base, size);
	return r;
}

WM_MPI_REAL(int, MPI_Free_mem, (void *base));
int WM_SHIM(MPI_Free_mem)(void *base) wm_export;
int WM_SHIM(MPI_Free_mem)(void *base)
{
	int r;

	WM_RELEASE(base, r = WM_MPI_NEXT(MPI_Free_mem)(base));
	return r;
}

#define WIN_ALLOCATE(name)                                                     \
	WM_MPI_REAL(int, name, (aint size, int unit, wm_mpi_info info,         \
			    wm_mpi_comm comm, void *base,                      \
			    wm_mpi_win *win));                                 \
	int WM_SHIM(name)(aint size, int unit, wm_mpi_info info,               \
			  wm_mpi_comm comm, void *base,                        \
			  wm_mpi_win *win) wm_export;                          \
	int WM_SHIM(name)(aint size, int unit, wm_mpi_info info,               \
			  wm_mpi_comm comm, void *base, wm_mpi_win *win)       \
	{                                                                      \
		int r;                                                         \
                                                                               \
		WM_ALLOCATE(r, r = WM_MPI_NEXT(name)(size, unit, info, comm,   \
						     base, win),               \
			    begin_of(wm_mpi_load(win), *(void **)base), size); \
		return r;                                                      \
	}
WIN_ALLOCATE(MPI_Win_allocate)
WIN_ALLOCATE(MPI_Win_allocate_shared)

WM_MPI_REAL(int, MPI_Win_free, (wm_mpi_win *win));
int WM_SHIM(MPI_Win_free)(wm_mpi_win *win) wm_export;
int WM_SHIM(MPI_Win_free)(wm_mpi_win *win)
{
	int r;

	WM_RELEASE(win ? memory_of(wm_mpi_load(win)) : NULL,
		   r = WM_MPI_NEXT(MPI_Win_free)(win));
	return r;
}

/* Fortran: every argument by address; in mpi_f08 the error may be absent. */
#define FAILED(error) ((error) && *(error))

#define F_ALLOC_MEM(name)                                                      \
	WM_MPI_REAL(void, name, (aint *size, int *info, void *base, int *error));\
	void WM_SHIM(name)(aint *size, int *info, void *base, int *error)      \
		wm_export;                                                     \
	void WM_SHIM(name)(aint *size, int *info, void *base, int *error)      \
	{                                                                      \
		WM_ALLOCATE(FAILED(error),                                     \
			    WM_MPI_NEXT(name)(size, info, base, error),        \
			    *(void **)base, *size);                            \
	}
#define F_WIN_ALLOCATE(name)                                                   \
	WM_MPI_REAL(void, name, (aint *size, void *unit, int *info, int *comm, \
			     void *base, int *win, int *error));               \
	void WM_SHIM(name)(aint *size, void *unit, int *info, int *comm,       \
			   void *base, int *win, int *error) wm_export;        \
	void WM_SHIM(name)(aint *size, void *unit, int *info, int *comm,       \
			   void *base, int *win, int *error)                   \
	{                                                                      \
		WM_ALLOCATE(FAILED(error),                                     \
			    WM_MPI_NEXT(name)(size, unit, info, comm, base,    \
					      win, error),                     \
			    begin_of(wm_mpi_win_of_fortran(*win),              \
				     *(void **)base), *size);                  \
	}
/* @base: how to get the address from the argument. */
#define F_FREE_MEM(name, address)                                              \
	WM_MPI_REAL(void, name, (void *base, int *error));                     \
	void WM_SHIM(name)(void *base, int *error) wm_export;                  \
	void WM_SHIM(name)(void *base, int *error)                             \
	{                                                                      \
		WM_RELEASE(address, WM_MPI_NEXT(name)(base, error));           \
	}
#define F_WIN_FREE(name)                                                       \
	WM_MPI_REAL(void, name, (int *win, int *error));                       \
	void WM_SHIM(name)(int *win, int *error) wm_export;                    \
	void WM_SHIM(name)(int *win, int *error)                               \
	{                                                                      \
		WM_RELEASE(memory_of(wm_mpi_win_of_fortran(*win)),             \
			   WM_MPI_NEXT(name)(win, error));                     \
	}

F_ALLOC_MEM(mpi_alloc_mem)
F_ALLOC_MEM(mpi_alloc_mem_)
F_ALLOC_MEM(mpi_alloc_mem__)
F_ALLOC_MEM(MPI_ALLOC_MEM)
F_ALLOC_MEM(mpi_alloc_mem_cptr)
F_ALLOC_MEM(mpi_alloc_mem_cptr_)
F_ALLOC_MEM(mpi_alloc_mem_cptr__)
F_ALLOC_MEM(MPI_ALLOC_MEM_CPTR)
F_ALLOC_MEM(mpi_alloc_mem_f08_)
F_WIN_ALLOCATE(mpi_win_allocate)
F_WIN_ALLOCATE(mpi_win_allocate_)
F_WIN_ALLOCATE(mpi_win_allocate__)
F_WIN_ALLOCATE(MPI_WIN_ALLOCATE)
F_WIN_ALLOCATE(mpi_win_allocate_cptr)
F_WIN_ALLOCATE(mpi_win_allocate_cptr_)
F_WIN_ALLOCATE(mpi_win_allocate_cptr__)
F_WIN_ALLOCATE(MPI_WIN_ALLOCATE_CPTR)
F_WIN_ALLOCATE(mpi_win_allocate_f08_)
F_WIN_ALLOCATE(mpi_win_allocate_f08_large_)
F_WIN_ALLOCATE(mpi_win_allocate_shared)
F_WIN_ALLOCATE(mpi_win_allocate_shared_)
F_WIN_ALLOCATE(mpi_win_allocate_shared__)
F_WIN_ALLOCATE(MPI_WIN_ALLOCATE_SHARED)
F_WIN_ALLOCATE(mpi_win_allocate_shared_cptr)
F_WIN_ALLOCATE(mpi_win_allocate_shared_cptr_)
F_WIN_ALLOCATE(mpi_win_allocate_shared_cptr__)
F_WIN_ALLOCATE(MPI_WIN_ALLOCATE_SHARED_CPTR)
F_WIN_ALLOCATE(mpi_win_allocate_shared_f08_)
F_WIN_ALLOCATE(mpi_win_allocate_shared_f08_large_)
F_FREE_MEM(mpi_free_mem, base)
F_FREE_MEM(mpi_free_mem_, base)
F_FREE_MEM(mpi_free_mem__, base)
F_FREE_MEM(MPI_FREE_MEM, base)
F_FREE_MEM(mpi_free_mem_f08_, base)
/* a descriptor, which begins with the address */
F_FREE_MEM(mpi_free_mem_f08ts_, *(void **)base)
F_WIN_FREE(mpi_win_free)
F_WIN_FREE(mpi_win_free_)
F_WIN_FREE(mpi_win_free__)
F_WIN_FREE(MPI_WIN_FREE)
F_WIN_FREE(mpi_win_free_f08_)
