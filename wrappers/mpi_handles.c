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

static void record_made(int class, const void *where, bool fortran,
			size_t number, const uintptr_t *frame)
{
	if (!wm_enter())
		return;
	wm_mpi_made(class, where, fortran, number, frame);
	wm_leave();
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

static void record_refused(const void *handle)
{
	if (!handle || !wm_enter())
		return;
	wm_mpi_refused(handle);
	wm_leave();
}

/* Where on the stack this thread's call about a group is; 0: in none.  A call
 * from further out shows that the one before was left by longjmp. */
static __thread uintptr_t in_group;

static bool group_begins(const uintptr_t *frame)
{
	uintptr_t here = (uintptr_t)frame;

	if (in_group > here && in_group - here < WM_LEFT_BEHIND)
		return false;
	in_group = here;
	return true;
}

/* There are hundreds of shims: each hands on its arguments, what it is, and how
 * to find the function behind it. */
#define MOST_ARGUMENTS 12
#define WHAT(class, number, at, error)                                         \
	(WMT_HANDLE_##class | (number) << 8 | (at) << 16 | (error) << 24)

/* May be given more arguments than it takes. */
typedef int function(arg, arg, arg, arg, arg, arg, arg, arg, arg, arg, arg,
		     arg);

/* How to find it: parameters, and arguments of the shim. */
#ifdef WM_DYNAMIC
#define BEHIND void *_Atomic *kept, const char *name
#define BEHIND_OF(name) &kept, #name
#define KEPT static void *_Atomic kept;
#define FIND(frame) (function *)wm_mpi_next(kept, name, (void *)(frame)[1])
#else
#define BEHIND function *real
#define BEHIND_OF(name) (function *)(void *)__real_##name
#define KEPT
#define FIND(frame) real
#endif

/* The call of a shim whose frame is @frame.  Of Fortran's, an argument behind
 * the first is the error, which may be absent in mpi_f08: then we ask for it. */
static __attribute__((noinline)) int
wm_handles_call(arg *a, unsigned what, const uintptr_t *frame, BEHIND)
{
	int class = what & 255, failed;
	unsigned number = what >> 8 & 255, error = what >> 24;
	const void *where = (void *)a[what >> 16 & 255], *was = NULL;
	bool group = class == WMT_HANDLE_GROUP;
	/* false: within another call about a group, which stands for this */
	bool outer = !group || group_begins(frame);

	a[MOST_ARGUMENTS] = 0;
	if (error && !a[error])
		a[error] = (arg)&a[MOST_ARGUMENTS];
	if (!number && outer)
		was = record_freed(class, where, error);
	failed = (FIND(frame))(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7],
			       a[8], a[9], a[10], a[11]);
	if (error)
		failed = *(int *)a[error];
	if (failed)
		record_refused(was);
	else if (number && outer)
		record_made(class, where, error, number, frame);
	if (group && outer)
		in_group = 0;
	return failed;
}

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
#define SET_1 a[0] = a1
#define SET_2 SET_1, a[1] = a2
#define SET_3 SET_2, a[2] = a3
#define SET_4 SET_3, a[3] = a4
#define SET_5 SET_4, a[4] = a5
#define SET_6 SET_5, a[5] = a6
#define SET_7 SET_6, a[6] = a7
#define SET_8 SET_7, a[7] = a8
#define SET_9 SET_8, a[8] = a9
#define SET_10 SET_9, a[9] = a10
#define SET_11 SET_10, a[10] = a11
#define TAKE_LENGTHS_0
#define TAKE_LENGTHS_1 , arg l1
#define TAKE_LENGTHS_2 , arg l1, arg l2
#define SET_LENGTHS_0(n) (void)0
#define SET_LENGTHS_1(n) a[(n) + 1] = l1
#define SET_LENGTHS_2(n) SET_LENGTHS_1(n), a[(n) + 2] = l2

/*
 * Shim @name, known to C by another name.  The path begins at the shim's frame,
 * so it must not end in a jump.
 */
#define TEXT(name) TEXT_OF(name)
#define TEXT_OF(name) #name
#define SHIM(what, name, set, ...)                                             \
	WM_MPI_REAL(int, name, (__VA_ARGS__));                                 \
	int wm_handles_##name(__VA_ARGS__) __asm__(TEXT(WM_SHIM(name)))        \
		wm_export;                                                     \
	int wm_handles_##name(__VA_ARGS__)                                     \
	{                                                                      \
		KEPT arg a[MOST_ARGUMENTS + 1]; /* and an error */             \
		int r;                                                         \
                                                                               \
		set;                                                           \
		r = wm_handles_call(a, what, wm_frame(), BEHIND_OF(name));     \
		__asm__ volatile("");                                          \
		return r;                                                      \
	}

#define MADE(class, number, name, n, at)                                       \
	SHIM(WHAT(class, number, at - 1, 0), name, (SET_##n), TAKE_##n)
/* Fortran's return nothing, which nobody looks at. */
#define F_MADE(class, number, name, n, at, lengths)                            \
	SHIM(WHAT(class, number, at - 1, n), name,                             \
	     (SET_##n, a[n] = error, SET_LENGTHS_##lengths(n)), TAKE_##n,      \
	     arg error TAKE_LENGTHS_##lengths)
#define FREED(class, name) SHIM(WHAT(class, 0, 0, 0), name, (SET_1), TAKE_1)
#define F_FREED(class, name) F_MADE(class, 0, name, 1, 1, 0)

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
