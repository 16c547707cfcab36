/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Covers the calls of wm/handle_list.h, which make and free handles of MPI, in
 * C and in all Fortran spellings (except for windows whose memory MPI
 * allocates: mpi_memory.c).  A handle is recorded as memory of MPI at an
 * address of its own; its size is the number of the function that made it
 * (docs/trace-format.md, 5.13).  Readers do not count it as memory.
 *
 * Memory that MPI allocates in these calls is recorded in the usual way,
 * because the wrapper calls wm_enter() only after they have returned.  If the
 * Fortran function calls the C function, the handle is recorded twice at one
 * address, and the record of the outer call, which comes last, is valid.  That
 * is why Fortran's number of a handle is converted to C's.
 *
 * References to groups are counted, and so are requests, which may share a
 * handle.  So if calls about groups or requests are nested, only the outermost
 * call is recorded.  For other handles that would be wrong: their functions
 * call the program's functions for attributes, which may make and free handles.
 *
 * Nonblocking requests end when MPI changes the handle in the program's memory:
 * in MPI_Wait, MPI_Test and similar calls, which leave persistent requests
 * there.
 *
 * This is a separate object, for programs that make one of these calls.  The
 * calls are not wrapped with WM_MPICC, because the handles may be structures
 * then (wrappers/hand_on.h).
 *
 * Leaves out MPI_Info_create_env, whose arguments differ in Fortran; sessions
 * and MPI_T; and further references to handles, which MPI_Comm_get_errhandler
 * and MPI_Type_get_contents return.
 */
#include <stdatomic.h>

#include "wm/handle_list.h"
#include "wm/trace_format.h"
#include "wm/wrap_list.h"

#include "wrappers/hand_on.h"
#include "wrappers/mpi.h"

static void record_made(int class, const void *where, bool fortran,
			size_t number, const uintptr_t *frame)
{
	if (!wm_enter())
		return;
	wm_mpi_made(class, where, fortran, number, frame);
	wm_leave();
}

/* Returns 0 if the call will not be recorded. */
static uint64_t record_freed(int class, const void *where, bool fortran)
{
	uint64_t event;

	if (!wm_enter())
		return 0;
	event = wm_mpi_freed(class, where, fortran);
	wm_leave();
	return event;
}

/* The stack address of the outermost call about counted handles, or 0. */
static __thread uintptr_t counting;

#define WHAT(class, number, at, error)                                         \
	(WMT_HANDLE_##class | (number) << 8 | (at) << 16 | (error) << 24)

/* Makes the call of the shim whose frame is @frame.  Fortran's functions have
 * an error argument, which is never the first argument.  If it is absent, as
 * mpi_f08 allows, it is added. */
static __attribute__((noinline)) int
wm_handles_call(arg *a, unsigned what, const uintptr_t *frame, BEHIND)
{
	int class = what & 255, failed;
	unsigned number = what >> 8 & 255, error = what >> 24;
	const void *where = (void *)a[what >> 16 & 255];
	uint64_t freed = 0;
	unsigned request = WM_HANDLE_REQUEST_OF(number);
	bool counted = class == WMT_HANDLE_GROUP ||
		       class == WMT_HANDLE_REQUEST || request;
	/* false: inside another call of that kind, which is recorded instead */
	bool outer = !counted || wm_outermost(&counting, frame);

	a[MOST_ARGUMENTS] = 0;
	if (error && !a[error])
		a[error] = (arg)&a[MOST_ARGUMENTS];
	if (!number && outer)
		freed = record_freed(class, where, error);
	failed = (int)CALL_BEHIND(FIND(wm_mpi_next, frame), a);
	if (error)
		failed = *(int *)a[error];
	if (failed)
		wm_mpi_refused(freed);
	else if (number && outer)
		record_made(class, where, error, number, frame);
	if (!failed && number == WM_HANDLE_VIEW)
		record_made(class, (void *)a[(what >> 16 & 255) + 1], error,
			    number, frame);
	if (!failed && request && outer)
		record_made(WMT_HANDLE_REQUEST,
			    (void *)a[(what >> 16 & 255) + 1], error, request,
			    frame);
	if (counted && outer)
		counting = 0;
	return failed;
}

#define FEW 32 /* programs may have small stacks */
/* Lists of at most this length are kept for later calls, because new memory
 * costs a page fault and two system calls. */
#define MANY 8192
#define SPARES 8 /* calls at a time */

static uintptr_t *_Atomic spare[SPARES];

static size_t list_bytes(size_t count)
{
	return (count < MANY ? MANY : count) * sizeof(uintptr_t);
}

/* Returns a list for @count handles, not initialised, or NULL. */
static uintptr_t *take_list(size_t count)
{
	uintptr_t *list = NULL;

	for (size_t i = 0; i < SPARES && count <= MANY && !list; i++)
		if (spare[i])
			list = atomic_exchange(&spare[i], NULL);
	return list ? list : wm_pool_map(list_bytes(count));
}

static void leave_list(uintptr_t *list, size_t count)
{
	for (size_t i = 0; i < SPARES && count <= MANY; i++) {
		uintptr_t *none = NULL;

		if (atomic_compare_exchange_strong(&spare[i], &none, list))
			return;
	}
	wm_pool_unmap(list, list_bytes(count));
}

/* Records the end of requests that were in the program's memory before a call
 * (@was) and are not there any more. */
static void record_ended(const void *where, const uintptr_t *was, size_t count,
			 bool fortran)
{
	bool entered = false;
	size_t i;

	for (i = 0; i < count; i++) {
		i = wm_mpi_next_other(was, where, i, count, fortran);
		if (i == count)
			break;
		if (!entered && !wm_enter())
			return;
		entered = true;
		wm_mpi_ended(was[i], where, i, fortran);
	}
	if (entered)
		wm_leave();
}

#define ENDING(many, fortran) ((many) | (fortran) << 1)
static __attribute__((noinline)) int
wm_requests_call(arg *a, unsigned what, const uintptr_t *frame, BEHIND)
{
	bool many = what & 1, fortran = what & 2;
	bool outer = wm_outermost(&counting, frame);
	const void *where = (void *)a[many];
	uintptr_t few[FEW], *was = few;
	int r, n = !many ? 1 : fortran ? *(int *)a[0] : (int)a[0];
	size_t count = outer && where && n > 0 ? (size_t)n : 0;
	bool long_list = count > FEW;

	if (long_list)
		was = take_list(count);
	if (!was)
		count = 0;
	wm_mpi_requests(was, where, count, fortran);
	r = (int)CALL_BEHIND(FIND(wm_mpi_next, frame), a);
	record_ended(where, was, count, fortran);
	if (long_list && was)
		leave_list(was, count);
	if (outer)
		counting = 0;
	return r;
}

#define TAKE_LENGTHS_0
#define TAKE_LENGTHS_1 , arg l1
#define TAKE_LENGTHS_2 , arg l1, arg l2
#define SET_LENGTHS_0(n) (void)0
#define SET_LENGTHS_1(n) a[(n) + 1] = l1
#define SET_LENGTHS_2(n) SET_LENGTHS_1(n), a[(n) + 2] = l2

#define SHIM(what, name, set, ...)                                             \
	WM_HAND_ON(int, wm_handles_, what, name, set, __VA_ARGS__)

#define MADE(class, number, name, n, at)                                       \
	SHIM(WHAT(class, number, at - 1, 0), name, (SET_##n), TAKE_##n)
/* Fortran's functions return nothing, so the returned value is not used. */
#define F_MADE(class, number, name, n, at, lengths)                            \
	SHIM(WHAT(class, number, at - 1, n), name,                             \
	     (SET_##n, a[n] = error, SET_LENGTHS_##lengths(n)), TAKE_##n,      \
	     arg error TAKE_LENGTHS_##lengths)
#define FREED(class, name) MADE(class, 0, name, 1, 1)
#define F_FREED(class, name) F_MADE(class, 0, name, 1, 1, 0)
#define ENDS(name, n, many)                                                    \
	WM_HAND_ON(int, wm_requests_, ENDING(many, 0), name, (SET_##n),        \
		   TAKE_##n)
#define F_ENDS(name, n, many)                                                  \
	WM_HAND_ON(int, wm_requests_, ENDING(many, 1), name,                   \
		   (SET_##n, a[n] = error), TAKE_##n, arg error)

/* Each row of the lists, in each spelling (WM_MPI_FORTRAN). */
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
#define F_ENDS_AS(name, n, many) F_ENDS(name, n, many)

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
#define ENDING_ROW(x, Name, NAME, name, n, many)                               \
	ENDS(MPI_##Name, n, many)                                              \
	F_EACH(F_ENDS_AS, NAME, name, Name, n, many)

WM_HANDLE_LAST(LAST_ROW, none)
WM_HANDLE_MADE(MADE_ROW, none)
WM_HANDLE_NAMED(NAMED_ROW, none)
WM_HANDLE_FREED(FREED_ROW, none)
WM_HANDLE_ENDING(ENDING_ROW, none)
