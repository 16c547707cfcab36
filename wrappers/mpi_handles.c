/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers the calls of wm/handle_list.h, in C and in all Fortran spellings: what
 * makes handles of MPI, and frees them.  A handle is recorded as memory of MPI
 * at an address of its own, as many bytes long as the number of the function
 * that made it (docs/trace-format.md, 5.13); no reader takes it for memory.
 *
 * Memory that MPI allocates in these calls is recorded as ever: they are not
 * entered before they have returned.  Where the Fortran function calls that of
 * C, the handle is recorded twice at one address, and the call from outside,
 * which comes last, holds.  That is why Fortran's number of a handle becomes C's.
 *
 * An object of its own, for programs that have one of these calls.  Arguments
 * are handed on as values of the size of a pointer, which is how each calling
 * convention of 64 bits has those that are not floating numbers; so they are not
 * wrapped with WM_MPICC, whose handles may be structures.
 *
 * Leaves out nonblocking requests, which end in MPI_Wait and its like, and
 * MPI_Info_create_env, whose arguments are not the same in Fortran.
 */
#include "wm/handle_list.h"
#include "wm/trace_format.h"
#include "wm/wrap_list.h"

#include "wrappers/mpi.h"

typedef uintptr_t arg;

static const void *address_in_c(unsigned class, const void *where)
{
	uintptr_t value;

	if (class >= WMT_HANDLE_COMM_KEY)
		value = *(const unsigned *)where;
	else
		value = wm_mpi_handle(where);
	return (void *)wmt_handle(class, value);
}

static const void *address_in_fortran(unsigned class, const int *where)
{
	uintptr_t value = (unsigned)*where;

	if (class < WMT_HANDLE_COMM_KEY)
		value = wm_mpi_handle_of_fortran(class, *where);
	return (void *)wmt_handle(class, value);
}

/* Out of line: of the shims there are hundreds. */
#define OUT_OF_LINE __attribute__((noinline))

static OUT_OF_LINE void record_made(const void *handle, size_t number,
				    const uintptr_t *frame)
{
	if (!wm_enter())
		return;
	wm_rec_alloc(WMT_EV_MPI_ALLOC, handle, number, frame);
	wm_leave();
}

static OUT_OF_LINE void made_in_c(unsigned class, const void *where,
				  size_t number, const uintptr_t *frame)
{
	record_made(address_in_c(class, where), number, frame);
}

static OUT_OF_LINE void made_in_fortran(unsigned class, const int *where,
					size_t number, const uintptr_t *frame)
{
	record_made(address_in_fortran(class, where), number, frame);
}

/* NULL: the call will not be recorded. */
static const void *record_freed(const void *handle)
{
	if (!wm_enter())
		return NULL;
	wm_rec_release(WMT_EV_MPI_FREE, handle);
	wm_leave();
	return handle;
}

/* Without a handle, MPI returns an error. */
static OUT_OF_LINE const void *freed_in_c(unsigned class, const void *where)
{
	return where ? record_freed(address_in_c(class, where)) : NULL;
}

static OUT_OF_LINE const void *freed_in_fortran(unsigned class,
						const int *where)
{
	return record_freed(address_in_fortran(class, where));
}

static OUT_OF_LINE void record_refused(const void *handle)
{
	if (!handle || !wm_enter())
		return;
	wm_rec_refused(WMT_EV_MPI_FREE, handle);
	wm_leave();
}

/* ---- argument lists ---- */
#define TAKE_1 arg a1
#define TAKE_2 TAKE_1, arg a2
#define TAKE_3 TAKE_2, arg a3
#define TAKE_4 TAKE_3, arg a4
#define TAKE_7 TAKE_4, arg a5, arg a6, arg a7
#define TAKE_8 TAKE_7, arg a8
#define TAKE_9 TAKE_8, arg a9
#define TAKE_10 TAKE_9, arg a10
#define TAKE_11 TAKE_10, arg a11
#define GIVE_1 a1
#define GIVE_2 GIVE_1, a2
#define GIVE_3 GIVE_2, a3
#define GIVE_4 GIVE_3, a4
#define GIVE_7 GIVE_4, a5, a6, a7
#define GIVE_8 GIVE_7, a8
#define GIVE_9 GIVE_8, a9
#define GIVE_10 GIVE_9, a10
#define GIVE_11 GIVE_10, a11

/*
 * Shim @name, known to C by another name; NEXT(name) is the function behind it.
 * The path begins at the shim's frame, so it must not end in a jump: STAY().
 */
#define TEXT(name) TEXT_OF(name)
#define TEXT_OF(name) #name
#define SHIM(type, name, ...)                                                  \
	WM_MPI_REAL(type, name, (__VA_ARGS__));                                \
	type wm_handles_##name(__VA_ARGS__) __asm__(TEXT(WM_SHIM(name)))       \
		wm_export;                                                     \
	type wm_handles_##name(__VA_ARGS__)
#ifdef WM_DYNAMIC
#define NEXT(name)                                                             \
	((__typeof__(&wm_handles_##name))                                      \
		 wm_mpi_next(#name, __builtin_return_address(0)))
#else
#define NEXT(name) __real_##name
#endif
#define STAY() __asm__ volatile("")

#define MADE(class, number, name, arguments, at)                               \
	SHIM(int, name, TAKE_##arguments)                                      \
	{                                                                      \
		int r = NEXT(name)(GIVE_##arguments);                          \
                                                                               \
		if (r == 0)                                                    \
			made_in_c(WMT_HANDLE_##class, (void *)a##at, number,   \
				  wm_frame());                                 \
		STAY();                                                        \
		return r;                                                      \
	}

/* In mpi_f08 the error may be absent: then we ask for it. */
#define F_MADE(class, number, name, arguments, at)                             \
	SHIM(void, name, TAKE_##arguments, int *error)                         \
	{                                                                      \
		int own = 0;                                                   \
                                                                               \
		if (!error)                                                    \
			error = &own;                                          \
		NEXT(name)(GIVE_##arguments, error);                           \
		if (*error == 0)                                               \
			made_in_fortran(WMT_HANDLE_##class, (void *)a##at,     \
					number, wm_frame());                   \
		STAY();                                                        \
	}

#define FREED(class, name)                                                     \
	SHIM(int, name, void *where)                                           \
	{                                                                      \
		const void *was = freed_in_c(WMT_HANDLE_##class, where);       \
		int r = NEXT(name)(where);                                     \
                                                                               \
		if (r)                                                         \
			record_refused(was);                                   \
		return r;                                                      \
	}

#define F_FREED(class, name)                                                   \
	SHIM(void, name, int *where, int *error)                               \
	{                                                                      \
		const void *was = freed_in_fortran(WMT_HANDLE_##class, where); \
		int own = 0;                                                   \
                                                                               \
		if (!error)                                                    \
			error = &own;                                          \
		NEXT(name)(where, error);                                      \
		if (*error)                                                    \
			record_refused(was);                                   \
	}

/* ---- each row of the lists, in each spelling (WM_MPI_FORTRAN) ---- */
#define F_EACH(DEFINE, NAME, name, Name, ...)                                  \
	DEFINE(mpi_##name, __VA_ARGS__)                                        \
	DEFINE(mpi_##name##_, __VA_ARGS__)                                     \
	DEFINE(mpi_##name##__, __VA_ARGS__)                                    \
	DEFINE(MPI_##NAME, __VA_ARGS__)                                        \
	DEFINE(mpi_##name##_f08_, __VA_ARGS__)                                 \
	DEFINE(MPI_##Name##_f, __VA_ARGS__)                                    \
	DEFINE(MPI_##Name##_f08, __VA_ARGS__)
#define F_MADE_AS(name, class, number, arguments, at)                          \
	F_MADE(class, number, name, arguments, at)
#define F_FREED_AS(name, class) F_FREED(class, name)

#define LAST_ROW(x, class, number, Name, NAME, name, n)                        \
	MADE(class, number, MPI_##Name, n, n)                                  \
	MADE(class, number, MPI_##Name##_c, n, n)                              \
	F_EACH(F_MADE_AS, NAME, name, Name, class, number, n, n)               \
	F_MADE(class, number, mpi_##name##_f08ts_, n, n)                       \
	F_MADE(class, number, mpi_##name##_f08ts_large_, n, n)                 \
	F_MADE(class, number, mpi_##name##_f08_large_, n, n)                   \
	F_MADE(class, number, mpi_##name##_c_f08_, n, n)                       \
	F_MADE(class, number, mpi_##name##_f08_c_, n, n)
#define MADE_ROW(x, class, number, Name, NAME, name, n, at)                    \
	MADE(class, number, MPI_##Name, n, at)                                 \
	F_EACH(F_MADE_AS, NAME, name, Name, class, number, n, at)
#define FREED_ROW(x, class, Name, NAME, name)                                  \
	FREED(class, MPI_##Name)                                               \
	F_EACH(F_FREED_AS, NAME, name, Name, class)

WM_HANDLE_LAST(LAST_ROW, none)
WM_HANDLE_MADE(MADE_ROW, none)
WM_HANDLE_FREED(FREED_ROW, none)
