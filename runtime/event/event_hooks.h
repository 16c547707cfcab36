/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions by which wrappers record events.
 *
 * A wrapper calls wm_enter() first.  If it returns false, the call is inside
 * another intercepted call, or comes from the runtime itself: the wrapper makes
 * the real call and records nothing.  Otherwise it records the call and ends
 * with wm_leave().
 *
 * Any thread may call the wm_rec_* functions, even in a forked child.  They
 * never fail, allocate from the application's heap, or change errno.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wm/trace_format.h"

#include "runtime/base/depth.h"

/* Called for a call at @here if the thread's mark shows an outer call.  Returns
 * true if that call was left by longjmp; then this call has begun.  Returns
 * false if this call is not recorded: the outer call makes it and represents
 * both, or a signal handler makes it; then it has been counted as lost. */
bool wm_enter_again(uintptr_t here);

static inline __attribute__((always_inline)) bool wm_enter(void)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	if (wm_unlikely(wm_depth))
		return wm_enter_again(here);
	wm_depth = here;
	return true;
}

static inline void wm_leave(void)
{
	wm_depth = 0;
}

/* For wrappers of mmap and other system calls, which handlers may make at any
 * time.  Signals are blocked until the call ends, so that a handler's calls are
 * never inside another call. */
void wm_signals_hold(uint64_t *signals) wm_hidden;
void wm_signals_release(const uint64_t *signals) wm_hidden;

static inline __attribute__((always_inline)) bool
wm_enter_alone(uint64_t *signals)
{
	wm_signals_hold(signals);
	if (wm_enter())
		return true;
	wm_signals_release(signals);
	return false;
}

static inline void wm_leave_alone(const uint64_t *signals)
{
	wm_leave();
	wm_signals_release(signals);
}

/* Records an allocation after the real call.  @kind is any kind with stack,
 * size and new address.  A @p of NULL is recorded as FAILED. */
void wm_rec_alloc(unsigned kind, const void *p, size_t size,
		  const uintptr_t *frame);

/* Records a release before the real call.  @kind is any kind that has only an
 * old address; @p is not NULL. */
void wm_rec_release(unsigned kind, const void *p);
/* Records an event without a call path (include/wm/trace_format.h).  @p is the
 * old address if the kind has one, and @extra the value of column EXTRA. */
void wm_rec_mark(unsigned kind, const void *p, uint64_t extra);
/* Records a NAME that names no block: @saying is one of enum wmt_saying. */
static inline void wm_rec_saying(unsigned saying, uint64_t value)
{
	wm_rec_mark(WMT_EV_NAME, (const void *)(uintptr_t)saying, value);
}
/* Likewise, for a release that the kernel may refuse: no other thread writes
 * the record out before wm_rec_settled().  Meanwhile the thread may record
 * other events, write its buffer, and leave this call by longjmp. */
struct wm_tentative {
	uint64_t event;
	bool waits;
};
struct wm_tentative wm_rec_tentative(unsigned kind, const void *p,
				     uint64_t extra);
void wm_rec_settled(struct wm_tentative release, bool refused);
/* Records a release that may be refused, and that other threads may write out
 * meanwhile.  Returns the number of the record, or 0. */
uint64_t wm_rec_revocable(unsigned kind, const void *p);
/* Turns release number @event, which was refused, into an UNMAP of no bytes.
 * Does nothing if @event is 0. */
void wm_rec_refused(uint64_t event);

/* Finds the path from @frame outwards, for a later event.  Returns false if
 * nothing is recorded. */
struct wm_known_path {
	uint32_t stack, generation;
};
bool wm_rec_path(struct wm_known_path *path, const uintptr_t *frame) wm_hidden;
void wm_rec_known(unsigned kind, const void *p, size_t size,
		  const struct wm_known_path *path) wm_hidden;

/* Returns whether the path from @frame outwards returns into the @bytes at
 * @start.  Does not depend on WM_UNWIND, and is slow. */
bool wm_path_leads_through(const uintptr_t *frame, uintptr_t start,
			   size_t bytes) wm_hidden;

/* Nonblocking requests of MPI.  wm_request_begins(): function @number
 * (wm/handle_list.h) has made a request and stored its @handle at @where.
 * wm_request_ends() returns false if the request is not in the table, so that
 * it may be in the trace.  wm_requests_write(): MPI_Finalize begins, and open
 * requests are recorded. */
void wm_request_begins(const void *handle, size_t number, const void *where,
		       const uintptr_t *frame) wm_hidden;
bool wm_request_ends(const void *handle, const void *where) wm_hidden;
void wm_request_ended(const void *handle, const void *where) wm_hidden;
void wm_requests_write(void) wm_hidden;

/* Records PHASE, NAME (of block @p) or SNAPSHOT.  The name ends after @max
 * bytes or at a zero.  NULL or an empty string means that there is no name. */
void wm_annotate(unsigned kind, const void *p, const char *name, size_t max);
/* Records NEXT or MARK of enum wmt_saying. */
void wm_annotate_saying(unsigned saying, const char *name, size_t max);
/* With @hold, called before blocks of the thread that do not belong to the
 * program: if the last event was NEXT, takes back the name and returns true.
 * Without @hold, called after these blocks if the first call returned true. */
bool wm_annotate_next_hold(bool hold);
/* Gives a name to the @bytes from @p on, in elements of @element bytes or 0.  A
 * region that cannot exist is not recorded. */
void wm_annotate_region(const void *p, size_t bytes, size_t element,
			const char *name, size_t max);
void wm_annotate_region_end(const void *p);
/* Starts or stops the recording of loads and stores.  Has an effect only with
 * hooks.  Handlers may call this. */
void wm_annotate_accesses(bool on, bool all);
void wm_annotate_pause(bool on);

/* Reservations are address space without access, in whole pages.
 * wm_reservation_add() returns false if the table is full.
 * wm_reservation_take() removes one reserved part of [@start, @start + @size)
 * from the table, of an entry whose number is below @older, and stores the
 * part.  It returns false if no part is left. */
bool wm_reservation_add(const void *start, size_t size) wm_hidden;
bool wm_reservation_take(const void *start, size_t size, uint64_t older,
			 void **piece, size_t *bytes) wm_hidden;
/* Returns a number above those of all present entries of the table, but not
 * above those of later entries. */
uint64_t wm_reservation_now(void) wm_hidden;
/* Removes all parts of such entries. */
void wm_reservation_forget(const void *start, size_t size,
			   uint64_t older) wm_hidden;
#define WM_ANY_RESERVATION UINT64_MAX

enum wm_heap_change {
	WM_HEAP_RESERVED, /* an arena is reserved, without access */
	WM_HEAP_MAPPED,
	WM_HEAP_OPENED, /* a part of an arena got access */
	WM_HEAP_UNMAPPED,
};
int64_t wm_heap_change(enum wm_heap_change what, const void *start,
		       size_t size) wm_hidden;

/* Makes a system call without libc; [-4095, -1]: a negated errno. */
long wm_kernel(long number, long a, long b, long c, long d, long e,
	       long f) wm_hidden;

/* Called before and after a library may be unmapped: facts about its addresses,
 * and paths through them, become invalid. */
void wm_library_closing(void) wm_hidden;
/* Called before a library is opened with RTLD_DEEPBIND or into a namespace of
 * its own: its allocations may not reach us. */
void wm_library_apart(const char *path) wm_hidden;
void wm_library_closed(void) wm_hidden;

/* Called before @bytes that may be shared with other processes are unmapped.
 * SIZE_MAX: not known.  Any thread. */
void wm_memory_goes(size_t bytes);
/* Called before a call that frees @bytes, private or shared, without a release
 * in the trace.  If wm_memory_fades() returns true, wm_memory_gone() has to be
 * called after that call.  wm_memory_fades_inside() may be called inside
 * another intercepted call. */
bool wm_memory_fades(size_t bytes);
void wm_memory_fades_inside(size_t bytes);
void wm_memory_gone(void);
void wm_memory_huge(void);
/* Notes that the program has mapped @bytes of a file.  Any thread. */
void wm_memory_file(size_t bytes);
/* Called after @bytes that may be shared with other processes were mapped,
 * before they have a record.  SIZE_MAX: not known.  Any thread. */
void wm_memory_comes(size_t bytes);
