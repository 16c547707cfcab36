/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out which MPI this is: the values of its handles, and its PMPI
 * functions.  The numbers are those in mpi.h of the MPI-5.0 standard (ABI 1.0),
 * and those of MPICH, which Intel MPI, Cray MPICH and MVAPICH share. */
#include "wm/handle_list.h"
#include "wm/trace_format.h"

#include "wrappers/mpi.h"

#if defined(WM_DYNAMIC) && !defined(WM_MPI_HEADER)
#define ASK_LOADER 1
#endif

#ifdef WM_DYNAMIC
#include <dlfcn.h>
#include <stdbool.h>

/* The library that has MPI_Init, when only its user can see it. */
static const char *_Atomic library;

static int fail_as_mpi(void)
{
	return 16;
}

void *wm_mpi_next(void *_Atomic *kept, const char *name, const void *caller)
{
	const char *file = NULL;
	void *p = wm_next(kept, name, caller, &file);

	if (file)
		library = file;
	return p ? p : (void *)fail_as_mpi;
}
#endif

#ifdef ASK_LOADER
static void *look_up(const char *name)
{
	void *p = wm_look_up(RTLD_DEFAULT, name);

	return !p && library ? wm_look_in(library, name) : p;
}
#define LOOK(name) look_up(#name)
#define LOOK_CALL(name) ((__typeof__(&name))look_up(#name))
#else
#define LOOK(name) ((void *)name)
#define LOOK_CALL(name) (&name)
#endif

#ifndef WM_MPI_HEADER
#define WM_X(name, args) extern int PMPI_##name args;
#define WM_MAY(name, args) extern int PMPI_##name args __attribute__((weak));
WM_MPI_CALLS(WM_X, WM_MAY)
#undef WM_X
#undef WM_MAY
extern int PMPI_Abi_get_version(int *major, int *minor) __attribute__((weak));
extern wm_mpi_win PMPI_Win_f2c(int win) __attribute__((weak));
/* Classes whose handles are not the same in C and Fortran. */
#define CONVERTED(X)                                                           \
	X(REQUEST, Request)                                                    \
	X(OP, Op)                                                              \
	X(ERRHANDLER, Errhandler)                                              \
	X(INFO, Info)                                                          \
	X(COMM, Comm)                                                          \
	X(TYPE, Type)                                                          \
	X(GROUP, Group)                                                        \
	X(FILE, File)
#define WM_X(CLASS, Name)                                                      \
	extern void *PMPI_##Name##_f2c(int handle) __attribute__((weak));
CONVERTED(WM_X)
#undef WM_X
extern char ompi_mpi_comm_null[] __attribute__((weak));
extern char ompi_mpi_group_null[] __attribute__((weak));
extern char ompi_mpi_group_empty[] __attribute__((weak));
extern char ompi_request_null[] __attribute__((weak));
extern char ompi_mpi_comm_world[] __attribute__((weak));
extern char ompi_mpi_byte[] __attribute__((weak));
extern char ompi_mpi_win_null[] __attribute__((weak));
extern char ompi_mpi_errors_return[] __attribute__((weak));
#endif

static struct wm_mpi lib;
static _Atomic int known; /* 1: @lib is filled in; -1: it cannot be */
#ifndef WM_MPI_HEADER
/* Conversions by class; NULL: the handles are the same, or it is not known. */
static void *(*of_fortran[WMT_HANDLE_FILE + 1])(int handle);
#endif

#ifdef WM_MPI_HEADER
static bool find_handles(void)
{
	lib.world = MPI_COMM_WORLD;
	lib.byte = MPI_BYTE;
	lib.errors_return = MPI_ERRORS_RETURN;
#if MPI_VERSION >= 3
	lib.no_win = MPI_WIN_NULL;
	lib.win_base = MPI_WIN_BASE;
	lib.win_flavor = MPI_WIN_CREATE_FLAVOR;
	lib.made[0] = MPI_WIN_FLAVOR_ALLOCATE;
	lib.made[1] = MPI_WIN_FLAVOR_SHARED;
#endif
	return true;
}
#else

static void use_standard(void)
{
	lib.world = (void *)0x101;
	lib.byte = (void *)0x247;
	lib.errors_return = (void *)0x143;
	lib.no_win = (void *)0x110;
	lib.no_comm = 0x100;
	lib.no_group = 0x108;
	lib.empty_group = 0x109;
	lib.no_request = 0x180;
	lib.win_base = 601;
	lib.win_flavor = 604;
	lib.made[0] = 312;
	lib.made[1] = 314;
	lib.handle_bytes = sizeof(void *);
}

static void use_ompi(void)
{
	lib.world = LOOK(ompi_mpi_comm_world);
	lib.byte = LOOK(ompi_mpi_byte);
	lib.errors_return = LOOK(ompi_mpi_errors_return);
	lib.no_win = LOOK(ompi_mpi_win_null);
	lib.no_comm = (uintptr_t)LOOK(ompi_mpi_comm_null);
	lib.no_group = (uintptr_t)LOOK(ompi_mpi_group_null);
	lib.empty_group = (uintptr_t)LOOK(ompi_mpi_group_empty);
	lib.no_request = (uintptr_t)LOOK(ompi_request_null);
	lib.win_base = 7;
	lib.win_flavor = 10;
	lib.made[0] = 2;
	lib.made[1] = 4;
	lib.handle_bytes = sizeof(void *);
}

static void use_mpich(void)
{
	lib.world = (void *)0x44000000;
	lib.byte = (void *)0x4c00010d;
	lib.errors_return = (void *)0x54000001;
	lib.no_win = (void *)0x20000000;
	lib.no_comm = 0x04000000;
	lib.no_group = 0x08000000;
	lib.empty_group = 0x48000000;
	lib.no_request = 0x2c000000;
	lib.win_base = 0x66000001;
	lib.win_flavor = 0x66000007;
	lib.made[0] = 2;
	lib.made[1] = 4;
	lib.handle_bytes = sizeof(int);
}

/* A library with two ABIs has this function in both of its forms, of which only
 * one reports a version. */
static bool is_standard(void)
{
	__typeof__(&PMPI_Abi_get_version) ask = LOOK_CALL(PMPI_Abi_get_version);
	int major = -1, minor = -1;

	return ask && ask(&major, &minor) == 0 && major >= 1;
}

static bool is_mpich(void)
{
#ifdef ASK_LOADER
	/* what MPICH's mpi.h calls MPI_DUP_FN */
	return look_up("MPIR_Dup_fn") != NULL;
#else
	return true; /* wmcc has looked */
#endif
}

/* In MPICH, C and Fortran have the same handles, except for files.  The
 * conversions may be macros in C. */
static void find_conversions(void)
{
	bool same = lib.handle_bytes == sizeof(int);

#define WM_X(CLASS, Name)                                                      \
	if (!same || WMT_HANDLE_##CLASS == WMT_HANDLE_FILE)                    \
		of_fortran[WMT_HANDLE_##CLASS] = LOOK_CALL(PMPI_##Name##_f2c);
	CONVERTED(WM_X)
#undef WM_X
	if (!same)
		of_fortran[WMT_HANDLE_WIN] = LOOK_CALL(PMPI_Win_f2c);
}

static bool find_handles(void)
{
	if (is_standard())
		use_standard();
	else if (LOOK(ompi_mpi_comm_world))
		use_ompi();
	else if (is_mpich())
		use_mpich();
	else
		return false;
	find_conversions();
	return true;
}

void *wm_mpi_load(const void *where)
{
	return wm_mpi() && lib.handle_bytes == sizeof(int) ?
		       (void *)(uintptr_t) * (const unsigned *)where :
		       *(void *const *)where;
}
#endif

/* Two threads may do this at the same time: both write the same value. */
static int find_library(void)
{
	bool missed = false;

	if (!find_handles())
		return -1;
		/* the cast: an old mpi.h may lack a const */
#define GET(name) lib.name = (__typeof__(lib.name))LOOK_CALL(PMPI_##name);
#define WM_X(name, args) GET(name) missed += !lib.name;
#if defined(WM_MPI_HEADER) && MPI_VERSION < 3
#define WM_MAY(name, args)
#else
#define WM_MAY(name, args) GET(name)
#endif
	WM_MPI_CALLS(WM_X, WM_MAY)
#undef WM_X
#undef WM_MAY
	return missed ? -1 : 1;
}

static void find_all(void *unused)
{
	(void)unused;
	known = find_library();
}

const struct wm_mpi *wm_mpi(void)
{
	if (!known)
		wm_aside(find_all, NULL);
	return known > 0 ? &lib : NULL;
}

bool wm_mpi_has_world(void)
{
	const struct wm_mpi *mpi = wm_mpi();
	int up = 0, down = 1;

	return mpi && mpi->Initialized(&up) == 0 && up &&
	       mpi->Finalized(&down) == 0 && !down;
}

wm_mpi_win wm_mpi_win_of_fortran(int win)
{
#if defined(WM_MPI_HEADER) && MPI_VERSION < 3
	return lib.no_win;
#elif defined(WM_MPI_HEADER)
	return PMPI_Win_f2c(win);
#else
	__typeof__(&PMPI_Win_f2c) convert;

	/* In MPICH they are the same, and the conversion is a macro in C. */
	if (lib.handle_bytes == sizeof(int))
		return (void *)(uintptr_t)(unsigned)win;
	convert = LOOK_CALL(PMPI_Win_f2c);
	return convert ? convert(win) : lib.no_win;
#endif
}

#ifdef WM_MPI_HEADER
const char wm_handles_unseen wm_export = 1;

void wm_mpi_made(int class, const void *where, bool fortran, size_t number,
		 const uintptr_t *frame)
{
	(void)class, (void)where, (void)fortran, (void)number, (void)frame;
}

uint64_t wm_mpi_freed(int class, const void *where, bool fortran)
{
	(void)class, (void)where, (void)fortran;
	return 0;
}
#else
/* Returns C's handle as a number. */
static uintptr_t handle_at(int class, const void *where, bool fortran)
{
	bool is_key = class >= WMT_HANDLE_COMM_KEY &&
		      class <= WMT_HANDLE_WIN_KEY;
	int number = *(const int *)where;

	if (is_key || (fortran && (!wm_mpi() || !of_fortran[class])))
		return (unsigned)number;
	if (fortran)
		return (uintptr_t)of_fortran[class](number);
	/* a pointer in each MPI */
	if (class == WMT_HANDLE_FILE)
		return *(const uintptr_t *)where;
	return (uintptr_t)wm_mpi_load(where);
}

/* Returns whether this is a null handle, or the group without ranks. */
static bool is_constant(int class, uintptr_t handle)
{
	if (class == WMT_HANDLE_COMM)
		return handle == lib.no_comm;
	if (class == WMT_HANDLE_REQUEST)
		return handle == lib.no_request;
	return class == WMT_HANDLE_GROUP &&
	       (handle == lib.no_group || handle == lib.empty_group);
}

/* Returns whether @type is a type of MPI's own, which is made of no other
 * types.  Returns true if this is not known. */
static bool is_predefined(uintptr_t type)
{
	int integers, addresses, types = 0, how;

	return !wm_mpi() || !lib.Type_get_envelope ||
	       lib.Type_get_envelope((void *)type, &integers, &addresses,
				     &types, &how) ||
	       !types;
}

void wm_mpi_made(int class, const void *where, bool fortran, size_t number,
		 const uintptr_t *frame)
{
	uintptr_t handle = handle_at(class, where, fortran);
	const void *p = (void *)wmt_handle((unsigned)class, handle);

	if (is_constant(class, handle) ||
	    (number == WM_HANDLE_VIEW && is_predefined(handle)))
		return;
	if (WM_HANDLE_IS_NONBLOCKING(number))
		wm_request_begins(p, number, where, frame);
	else
		wm_rec_alloc(WMT_EV_MPI_ALLOC, p, number, frame);
}

/* Returns request @i as C's handle.  @numbers: the memory has it as an int. */
static uintptr_t request_in(const void *where, size_t i, bool fortran,
			    bool numbers)
{
	if (numbers)
		return ((const unsigned *)where)[i];
	if (!fortran)
		return ((const uintptr_t *)where)[i];
	return (uintptr_t)of_fortran[WMT_HANDLE_REQUEST](
		((const int *)where)[i]);
}

static bool are_numbers(bool fortran)
{
	return fortran ? !of_fortran[WMT_HANDLE_REQUEST] :
			 lib.handle_bytes == sizeof(int);
}

void wm_mpi_requests(uintptr_t *list, const void *where, size_t count,
		     bool fortran)
{
	bool known_mpi = wm_mpi(), numbers = are_numbers(fortran);

	for (size_t i = 0; i < count; i++)
		list[i] = known_mpi ? request_in(where, i, fortran, numbers) :
				      0;
}

size_t wm_mpi_next_other(const uintptr_t *list, const void *where, size_t i,
			 size_t count, bool fortran)
{
	bool numbers = are_numbers(fortran);

	if (!wm_mpi())
		return count;
	while (i < count && request_in(where, i, fortran, numbers) == list[i])
		i++;
	return i;
}

void wm_mpi_ended(uintptr_t request, const void *where, size_t i, bool fortran)
{
	size_t bytes = fortran ? sizeof(int) : (size_t)lib.handle_bytes;

	wm_request_ended((void *)wmt_handle(WMT_HANDLE_REQUEST, request),
			 (const char *)where + i * bytes);
}

/* Without a handle the call will fail. */
uint64_t wm_mpi_freed(int class, const void *where, bool fortran)
{
	const void *p;

	if (!where)
		return 0;
	p = (void *)wmt_handle((unsigned)class,
			       handle_at(class, where, fortran));
	if (class == WMT_HANDLE_REQUEST && wm_request_ends(p, where))
		return 0;
	return wm_rec_revocable(WMT_EV_MPI_FREE, p);
}
#endif

void wm_mpi_refused(uint64_t event)
{
	if (!event || !wm_enter())
		return;
	wm_rec_refused(event);
	wm_leave();
}
