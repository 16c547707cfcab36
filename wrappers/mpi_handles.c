/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers the calls of wm/handle_list.h, in C and in all Fortran spellings: what
 * makes handles of MPI, and frees them (but for windows whose memory MPI makes:
 * mpi_memory.c).  A handle is recorded as memory of MPI at an address of its
 * own, as many bytes long as the number of the function that made it
 * (docs/trace-format.md, 5.13); no reader takes it for memory.
 *
 * Memory that MPI allocates in these calls is recorded as ever: they are not
 * entered before they have returned.  Where the Fortran function calls that of
 * C, the handle is recorded twice at one address, and the call from outside,
 * which comes last, holds.  That is why Fortran's number of a handle becomes
 * C's.  Groups have references, which are counted, so of them the call from
 * outside alone is recorded.  For others that would be wrong: they call
 * functions of the program's attributes, which may make and free handles.
 *
 * An object of its own, for programs that have one of these calls.  Arguments
 * are handed on as values of the size of a pointer, which is how each calling
 * convention of 64 bits has those that are not floating numbers; so they are not
 * wrapped with WM_MPICC, whose handles may be structures.
 *
 * Leaves out nonblocking requests, which end in MPI_Wait and its like;
 * MPI_Info_create_env, whose arguments are not the same in Fortran; sessions
 * and MPI_T; and further references to handles, which MPI_Comm_get_errhandler
 * and MPI_Type_get_contents return.
 */
#include "wm/handle_list.h"
#include "wm/trace_format.h"
#include "wm/wrap_list.h"

#include "wrappers/mpi.h"

typedef uintptr_t arg;

/* Out of line: of the shims there are hundreds. */
#define OUT_OF_LINE __attribute__((noinline))

static void record_made(int class, const void *where, bool fortran,
			size_t number, const uintptr_t *frame)
{
	if (!wm_enter())
		return;
	wm_mpi_made(class, where, fortran, number, frame);
	wm_leave();
}

static OUT_OF_LINE void made_in_c(int class, const void *where, size_t number,
				  const uintptr_t *frame)
{
	record_made(class, where, false, number, frame);
}

static OUT_OF_LINE void made_in_fortran(int class, const void *where,
					size_t number, const uintptr_t *frame)
{
	record_made(class, where, true, number, frame);
}

/* NULL: the call will not be recorded. */
static const void *record_freed(int class, const void *where, bool fortran)
{
	const void *handle;

	if (!wm_enter())
		return NULL;
	handle = wm_mpi_freed(class, where, fortran);
	wm_leave();
	return handle;
}

static OUT_OF_LINE const void *freed_in_c(int class, const void *where)
{
	return record_freed(class, where, false);
}

static OUT_OF_LINE const void *freed_in_fortran(int class, const void *where)
{
	return record_freed(class, where, true);
}

static OUT_OF_LINE void record_refused(const void *handle)
{
	if (!handle || !wm_enter())
		return;
	wm_mpi_refused(handle);
	wm_leave();
}

/* Where on the stack this thread's call about a group is; 0: in none.  A call
 * from further out shows that the one before was left by longjmp. */
static __thread uintptr_t in_group;

static OUT_OF_LINE bool group_begins(const uintptr_t *frame)
{
	uintptr_t here = (uintptr_t)frame;

	if (in_group > here && in_group - here < WM_LEFT_BEHIND)
		return false;
	in_group = here;
	return true;
}

/* false: within another call about a group, which stands for this one. */
#define BEGINS(class)                                                          \
	(WMT_HANDLE_##class != WMT_HANDLE_GROUP || group_begins(wm_frame()))
#define ENDS(class, outer)                                                     \
	do {                                                                   \
		if (WMT_HANDLE_##class == WMT_HANDLE_GROUP && (outer))         \
			in_group = 0;                                          \
	} while (0)

/* ---- argument lists ---- */
#define TAKE_1 arg a1
#define TAKE_2 TAKE_1, arg a2
#define TAKE_3 TAKE_2, arg a3
#define TAKE_4 TAKE_3, arg a4
#define TAKE_5 TAKE_4, arg a5
#define TAKE_6 TAKE_5, arg a6
#define TAKE_7 TAKE_6, arg a7
#define TAKE_8 TAKE_7, arg a8
#define TAKE_9 TAKE_8, arg a9
#define TAKE_10 TAKE_9, arg a10
#define TAKE_11 TAKE_10, arg a11
#define GIVE_1 a1
#define GIVE_2 GIVE_1, a2
#define GIVE_3 GIVE_2, a3
#define GIVE_4 GIVE_3, a4
#define GIVE_5 GIVE_4, a5
#define GIVE_6 GIVE_5, a6
#define GIVE_7 GIVE_6, a7
#define GIVE_8 GIVE_7, a8
#define GIVE_9 GIVE_8, a9
#define GIVE_10 GIVE_9, a10
#define GIVE_11 GIVE_10, a11
#define TAKE_LENGTHS_0
#define TAKE_LENGTHS_1 , arg l1
#define TAKE_LENGTHS_2 , arg l1, arg l2
#define GIVE_LENGTHS_0
#define GIVE_LENGTHS_1 , l1
#define GIVE_LENGTHS_2 , l1, l2

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
		bool outer = BEGINS(class);                                    \
		int r = NEXT(name)(GIVE_##arguments);                          \
                                                                               \
		if (r == 0 && outer)                                           \
			made_in_c(WMT_HANDLE_##class, (void *)a##at, number,   \
				  wm_frame());                                 \
		ENDS(class, outer);                                            \
		STAY();                                                        \
		return r;                                                      \
	}

/* In mpi_f08 the error may be absent: then we ask for it. */
#define F_MADE(class, number, name, arguments, at, lengths)                    \
	SHIM(void, name, TAKE_##arguments, int *error TAKE_LENGTHS_##lengths)  \
	{                                                                      \
		bool outer = BEGINS(class);                                    \
		int own = 0;                                                   \
                                                                               \
		if (!error)                                                    \
			error = &own;                                          \
		NEXT(name)(GIVE_##arguments, error GIVE_LENGTHS_##lengths);    \
		if (*error == 0 && outer)                                      \
			made_in_fortran(WMT_HANDLE_##class, (void *)a##at,     \
					number, wm_frame());                   \
		ENDS(class, outer);                                            \
		STAY();                                                        \
	}

#define FREED(class, name)                                                     \
	SHIM(int, name, void *where)                                           \
	{                                                                      \
		bool outer = BEGINS(class);                                    \
		const void *was = outer ? freed_in_c(WMT_HANDLE_##class,       \
						     where) :                  \
					  NULL;                                \
		int r = NEXT(name)(where);                                     \
                                                                               \
		if (r)                                                         \
			record_refused(was);                                   \
		ENDS(class, outer);                                            \
		return r;                                                      \
	}

#define F_FREED(class, name)                                                   \
	SHIM(void, name, int *where, int *error)                               \
	{                                                                      \
		bool outer = BEGINS(class);                                    \
		const void *was = outer ? freed_in_fortran(WMT_HANDLE_##class, \
							   where) :            \
					  NULL;                                \
		int own = 0;                                                   \
                                                                               \
		if (!error)                                                    \
			error = &own;                                          \
		NEXT(name)(where, error);                                      \
		if (*error)                                                    \
			record_refused(was);                                   \
		ENDS(class, outer);                                            \
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
#define F_MADE_AS(name, class, number, arguments, at, lengths)                 \
	F_MADE(class, number, name, arguments, at, lengths)
#define F_FREED_AS(name, class) F_FREED(class, name)

#define LAST_ROW(x, class, number, Name, NAME, name, n)                        \
	MADE(class, number, MPI_##Name, n, n)                                  \
	MADE(class, number, MPI_##Name##_c, n, n)                              \
	F_EACH(F_MADE_AS, NAME, name, Name, class, number, n, n, 0)            \
	F_MADE(class, number, mpi_##name##_f08ts_, n, n, 0)                    \
	F_MADE(class, number, mpi_##name##_f08ts_large_, n, n, 0)              \
	F_MADE(class, number, mpi_##name##_f08_large_, n, n, 0)                \
	F_MADE(class, number, mpi_##name##_c_f08_, n, n, 0)                    \
	F_MADE(class, number, mpi_##name##_f08_c_, n, n, 0)
#define NAMED_ROW(x, class, number, Name, NAME, name, n, at, lengths)          \
	MADE(class, number, MPI_##Name, n, at)                                 \
	F_EACH(F_MADE_AS, NAME, name, Name, class, number, n, at, lengths)
#define MADE_ROW(x, class, number, Name, NAME, name, n, at)                    \
	NAMED_ROW(x, class, number, Name, NAME, name, n, at, 0)
#define FREED_ROW(x, class, Name, NAME, name)                                  \
	FREED(class, MPI_##Name)                                               \
	F_EACH(F_FREED_AS, NAME, name, Name, class)

WM_HANDLE_LAST(LAST_ROW, none)
WM_HANDLE_MADE(MADE_ROW, none)
WM_HANDLE_NAMED(NAMED_ROW, none)
WM_HANDLE_FREED(FREED_ROW, none)
