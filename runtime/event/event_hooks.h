/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events: the functions that wrappers call.
 *
 * A wrapper calls wm_enter() first.  When it returns false, the call is inside
 * another intercepted call, or from the runtime itself: the wrapper makes the
 * real call and records nothing.  Otherwise it records the call and ends with
 * wm_leave().  Wrappers of mere system calls use wm_enter_alone() and
 * wm_leave_alone().
 *
 * The wm_rec_* functions may be called in any thread, before main, after
 * exit handlers and in a forked child.  They never fail, allocate from the
 * application's heap, or change errno; what cannot be recorded is counted.
 */
#ifndef WM_RUNTIME_EVENT_HOOKS_H
#define WM_RUNTIME_EVENT_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/depth.h"

/*
 * For a call at @here while the thread is, or was, inside another one.  true:
 * the other one was left by longjmp; this one has begun.  false: the call is
 * not recorded.  A call by a signal handler is counted as lost; any other is
 * made by the outer call, whose record represents both.
 */
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

/* The same for mmap and its like, which handlers may call at any time.  Signals
 * wait until the end, as they would wait for the system call, so a handler's
 * calls are outermost ones.  @signals keeps the thread's mask. */
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

/* Called after the real call.  @kind: any with stack, size and new address
 * (WMT_EV_MALLOC, _REALLOC_IN, _MAP ...); @p: its result; NULL is recorded as
 * FAILED. */
void wm_rec_alloc(unsigned kind, const void *p, size_t size,
		  const uintptr_t *frame);

/* Called before the real call, @p not NULL.  @kind: any with only an old
 * address. */
void wm_rec_release(unsigned kind, const void *p);
/* realloc(p, 0) returned NULL and has freed the block. */
void wm_rec_gone(void);
/* Events with an extra operand, or with none (include/wm/trace_format.h): @p is
 * the old address if the kind has one, @extra the value for column EXTRA (bytes
 * of a range, number of a name). */
void wm_rec_mark(unsigned kind, const void *p, uint64_t extra);
/*
 * Likewise, for a release that the kernel may refuse: until wm_rec_settled(), no
 * other thread writes it out.  Meanwhile the thread may record more, in calls
 * inside this one and in handlers, which may leave it by longjmp, and it may
 * fill and write its buffer.  wm_rec_settled() of zeros does nothing.
 */
struct wm_tentative {
	uint64_t event; /* its number in the thread, from 1; 0: no record */
	bool waits; /* other threads do not write it out */
};
struct wm_tentative wm_rec_tentative(unsigned kind, const void *p,
				     uint64_t extra);
void wm_rec_settled(struct wm_tentative release, bool refused);
/* As wm_rec_release(), for a release that may be refused.  Other threads may
 * write it out.  Returns its number, or 0. */
uint64_t wm_rec_revocable(unsigned kind, const void *p);
/* The release with this number was refused: it becomes an UNMAP of no bytes, in
 * the buffer, or else for readers.  0: it has no record. */
void wm_rec_refused(uint64_t event);

/* The path from @frame outwards, for a later event; false: nothing is
 * recorded. */
struct wm_known_path {
	uint32_t stack, generation;
};
bool wm_rec_path(struct wm_known_path *path, const uintptr_t *frame) wm_hidden;
void wm_rec_known(unsigned kind, const void *p, size_t size,
		  const struct wm_known_path *path) wm_hidden;

/* Whether the path from @frame outwards returns into the @bytes at @start.
 * Independent of WM_UNWIND, and slow. */
bool wm_path_leads_through(const uintptr_t *frame, uintptr_t start,
			   size_t bytes) wm_hidden;

/*
 * Nonblocking requests of MPI: function @number (wm/handle_list.h) made one and
 * stored its @handle at @where; the one at @where has ended. wm_request_ends()
 * returns false for a request that is not in the table, and may be in the
 * trace. wm_requests_write(): MPI_Finalize begins, and open requests are
 * recorded.
 */
void wm_request_begins(const void *handle, size_t number, const void *where,
		       const uintptr_t *frame) wm_hidden;
bool wm_request_ends(const void *handle, const void *where) wm_hidden;
void wm_request_ended(const void *handle, const void *where) wm_hidden;
void wm_requests_write(void) wm_hidden;

/* Annotations of the program: PHASE, NAME (of block @p) or SNAPSHOT with a name
 * that ends after @max bytes or at a zero; NULL or empty: no name. */
void wm_annotate(unsigned kind, const void *p, const char *name, size_t max);
/* NEXT or MARK of enum wmt_saying, with a name likewise. */
void wm_annotate_saying(unsigned saying, const char *name, size_t max);
/*
 * The thread's next blocks do not belong to the program.  With @hold: if the
 * last event was NEXT, takes its name back and returns true; after these
 * blocks, without @hold, the name is for the next block again.  false: there
 * was no name.
 */
bool wm_annotate_next_hold(bool hold);
/* The @bytes from @p on, in elements of @element bytes or 0, are called @name
 * from now on; a region that cannot exist is not recorded. */
void wm_annotate_region(const void *p, size_t bytes, size_t element,
			const char *name, size_t max);
/* The region around @p ends. */
void wm_annotate_region_end(const void *p);
/* Starts or stops recording loads and stores of the calling thread, or of all;
 * only with hooks.  Any time, also in handlers. */
void wm_annotate_accesses(bool on, bool all);
/* Leave out allocations (true), or record them again (false). */
void wm_annotate_pause(bool on);

/*
 * Reservations: address space without access, which is no memory yet.  Sizes
 * are whole pages.  wm_reservation_add() returns false when the table is full.
 * wm_reservation_take() removes a reserved part of [@start, @start + @size)
 * from the table and stores it in *@piece; false: there is none left.
 */
bool wm_reservation_add(const void *start, size_t size) wm_hidden;
bool wm_reservation_take(const void *start, size_t size, void **piece,
			 size_t *bytes) wm_hidden;
/* A number: present entries of the table are older, later ones are not. */
uint64_t wm_reservation_now(void) wm_hidden;
/* Removes all parts of entries that are @older. */
void wm_reservation_forget(const void *start, size_t size,
			   uint64_t older) wm_hidden;
#define WM_ANY_RESERVATION UINT64_MAX

/* The calls of the C library's allocator to the system (static programs): the
 * footprint of the heap. */
enum wm_heap_change {
	WM_HEAP_RESERVED, /* mapped without access: an arena is reserved */
	WM_HEAP_MAPPED,
	WM_HEAP_OPENED, /* a part of a reservation got access */
	WM_HEAP_UNMAPPED,
};
/* Returns the change of the footprint in bytes. */
int64_t wm_heap_change(enum wm_heap_change what, const void *start,
		       size_t size) wm_hidden;
void wm_heap_break(intptr_t bytes) wm_hidden;

/* A system call without libc; a value in [-4095, -1] is a negated errno. */
long wm_kernel(long number, long a, long b, long c, long d, long e,
	       long f) wm_hidden;

/* Called before and after a library may be unmapped: facts about addresses are
 * void, and so are paths through them. */
void wm_library_closing(void) wm_hidden;
/* The library is about to be opened with RTLD_DEEPBIND, or into a namespace of
 * its own: its allocations may not reach us. */
void wm_library_apart(const char *path) wm_hidden;
void wm_library_closed(void) wm_hidden;

/* Called before @bytes that may be shared with other processes are unmapped, to
 * read the resident memory with them.  SIZE_MAX: unknown.  Any thread. */
void wm_memory_goes(size_t bytes);
/* Called around a call that frees @bytes without a release in the trace,
 * private or not.  true: wm_memory_gone() is due after it.  Any thread;
 * wm_memory_fades_inside() also inside another intercepted call. */
bool wm_memory_fades(size_t bytes);
void wm_memory_fades_inside(size_t bytes);
void wm_memory_gone(void);
/* The program asks for huge pages. */
void wm_memory_huge(void);
/* The program has mapped @bytes of a file.  Any thread. */
void wm_memory_file(size_t bytes);
/* @bytes that other processes may share were mapped, and have no record
 * yet; SIZE_MAX: unknown.  Any thread. */
void wm_memory_comes(size_t bytes);

#endif
