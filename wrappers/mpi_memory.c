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

#ifdef WM_DYNAMIC
#define NEXT(name) ((__typeof__(&name))wm_mpi_next(#name))
#define DECLARE(type, name, args) _Static_assert(1, "")
#else
#define NEXT(name) __real_##name
#define DECLARE(type, name, args)                                              \
	extern type __real_##name args __attribute__((weak))
#endif

#ifdef WM_MPI_MPICH
#define WIN_BASE 0x66000001
#define WIN_FLAVOR 0x66000007
#define WIN_NULL 0x20000000
#define WIN_OF_FORTRAN(win) (win)
#else
#define WIN_BASE 7
#define WIN_FLAVOR 10
extern char ompi_mpi_win_null[] __attribute__((weak));
#define WIN_NULL ((void *)ompi_mpi_win_null)
extern void *PMPI_Win_f2c(int win) __attribute__((weak));
#define WIN_OF_FORTRAN(win) (PMPI_Win_f2c ? PMPI_Win_f2c(win) : WIN_NULL)
#endif
#define FLAVOR_ALLOCATE 2
#define FLAVOR_SHARED 4

/* Weak: in programs that have MPI_Win_free. */
extern int PMPI_Win_get_attr(wm_mpi_handle win, int key, void *value,
			     int *found) __attribute__((weak));

/* The memory that MPI made for this window; NULL: it made none. */
static void *memory_of(wm_mpi_handle win)
{
	void *base = NULL;
	int *flavor = NULL, found = 0;

	if (win == WIN_NULL || !PMPI_Win_get_attr ||
	    PMPI_Win_get_attr(win, WIN_FLAVOR, &flavor, &found) || !found ||
	    (*flavor != FLAVOR_ALLOCATE && *flavor != FLAVOR_SHARED) ||
	    PMPI_Win_get_attr(win, WIN_BASE, &base, &found) || !found)
		return NULL;
	return base;
}

/* A part of no bytes may have no address: then it is nothing. */
static void note(int failed, void *base, aint size, const uintptr_t *frame)
{
	if (failed || base)
		wm_rec_alloc(WMT_EV_MPI_ALLOC, failed ? NULL : base,
			     (size_t)size, frame);
}

/* The body of those that allocate; @base: where the address will be. */
#define WM_ALLOCATE(failed, call, base, size)                                  \
	do {                                                                   \
		if (!wm_enter()) {                                             \
			call;                                                  \
			break;                                                 \
		}                                                              \
		call;                                                          \
		note(failed, (failed) ? NULL : *(void **)(base), size,         \
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

DECLARE(int, MPI_Alloc_mem, (aint size, wm_mpi_handle info, void *base));
int WM_SHIM(MPI_Alloc_mem)(aint size, wm_mpi_handle info, void *base)
	wm_export;
int WM_SHIM(MPI_Alloc_mem)(aint size, wm_mpi_handle info, void *base)
{
	int r;

	WM_ALLOCATE(r, r = NEXT(MPI_Alloc_mem)(size, info, base), base, size);
	return r;
}

DECLARE(int, MPI_Free_mem, (void *base));
int WM_SHIM(MPI_Free_mem)(void *base) wm_export;
int WM_SHIM(MPI_Free_mem)(void *base)
{
	int r;

	WM_RELEASE(base, r = NEXT(MPI_Free_mem)(base));
	return r;
}

#define WIN_ALLOCATE(name)                                                     \
	DECLARE(int, name, (aint size, int unit, wm_mpi_handle info,           \
			    wm_mpi_handle comm, void *base,                    \
			    wm_mpi_handle *win));                              \
	int WM_SHIM(name)(aint size, int unit, wm_mpi_handle info,             \
			  wm_mpi_handle comm, void *base,                      \
			  wm_mpi_handle *win) wm_export;                       \
	int WM_SHIM(name)(aint size, int unit, wm_mpi_handle info,             \
			  wm_mpi_handle comm, void *base, wm_mpi_handle *win)  \
	{                                                                      \
		int r;                                                         \
									       \
		WM_ALLOCATE(r, r = NEXT(name)(size, unit, info, comm, base,    \
					      win), base, size);               \
		return r;                                                      \
	}
WIN_ALLOCATE(MPI_Win_allocate)
WIN_ALLOCATE(MPI_Win_allocate_shared)

DECLARE(int, MPI_Win_free, (wm_mpi_handle *win));
int WM_SHIM(MPI_Win_free)(wm_mpi_handle *win) wm_export;
int WM_SHIM(MPI_Win_free)(wm_mpi_handle *win)
{
	int r;

	WM_RELEASE(win ? memory_of(*win) : NULL, r = NEXT(MPI_Win_free)(win));
	return r;
}

/* Fortran: every argument by address; in mpi_f08 the error may be absent. */
#define FAILED(error) ((error) && *(error))

#define F_ALLOC_MEM(name)                                                      \
	DECLARE(void, name, (aint *size, int *info, void *base, int *error));  \
	void WM_SHIM(name)(aint *size, int *info, void *base, int *error)      \
		wm_export;                                                     \
	void WM_SHIM(name)(aint *size, int *info, void *base, int *error)      \
	{                                                                      \
		WM_ALLOCATE(FAILED(error),                                     \
			    NEXT(name)(size, info, base, error), base, *size); \
	}
#define F_WIN_ALLOCATE(name)                                                   \
	DECLARE(void, name, (aint *size, void *unit, int *info, int *comm,     \
			     void *base, int *win, int *error));               \
	void WM_SHIM(name)(aint *size, void *unit, int *info, int *comm,       \
			   void *base, int *win, int *error) wm_export;        \
	void WM_SHIM(name)(aint *size, void *unit, int *info, int *comm,       \
			   void *base, int *win, int *error)                   \
	{                                                                      \
		WM_ALLOCATE(FAILED(error),                                     \
			    NEXT(name)(size, unit, info, comm, base, win,      \
				       error), base, *size);                   \
	}
/* @base: how to get the address from the argument. */
#define F_FREE_MEM(name, address)                                              \
	DECLARE(void, name, (void *base, int *error));                         \
	void WM_SHIM(name)(void *base, int *error) wm_export;                  \
	void WM_SHIM(name)(void *base, int *error)                             \
	{                                                                      \
		WM_RELEASE(address, NEXT(name)(base, error));                  \
	}
#define F_WIN_FREE(name)                                                       \
	DECLARE(void, name, (int *win, int *error));                           \
	void WM_SHIM(name)(int *win, int *error) wm_export;                    \
	void WM_SHIM(name)(int *win, int *error)                               \
	{                                                                      \
		WM_RELEASE(memory_of(WIN_OF_FORTRAN(*win)),                    \
			   NEXT(name)(win, error));                            \
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
