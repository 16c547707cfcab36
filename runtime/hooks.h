/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What wrappers may call: the only header of runtime/ that they see.
 *
 * A wrapper calls wm_enter() first.  When it returns 0 the call comes from
 * inside another intercepted call (or from the runtime itself): hand it on
 * and record nothing.  Otherwise record and call wm_leave() at the end.
 * Wrappers of mere system calls use wm_enter_alone() and wm_leave_alone().
 *
 * The wm_rec_* functions may be called in any thread, before main, after
 * exit handlers and in a forked child.  They never fail, allocate from the
 * application's heap, or change errno; what cannot be recorded is counted.
 */
#ifndef WM_RUNTIME_HOOKS_H
#define WM_RUNTIME_HOOKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define wm_likely(x) __builtin_expect(!!(x), 1)
#define wm_unlikely(x) __builtin_expect(!!(x), 0)
#define wm_hidden __attribute__((visibility("hidden")))
#define wm_export __attribute__((visibility("default")))

/* Static programs: the linker knows how far from the thread's pointer a
 * variable of the executable's is, and no register has to keep that. */
#ifdef WM_STATIC_TLS
#define WM_TLS_MODEL "local-exec"
#else
#define WM_TLS_MODEL "initial-exec"
#endif

/*
 * Where on the stack this thread's outermost intercepted call is; 0: in none,
 * 1: in the runtime.  All-zero TLS is the start.
 */
extern __thread uintptr_t wm_depth
	__attribute__((tls_model(WM_TLS_MODEL), visibility("hidden")));

/*
 * A call from the same place or from further out, on the same stack, shows
 * that a signal handler has left the one before by longjmp.
 */
#define WM_LEFT_BEHIND ((uintptr_t)1 << 20)

/*
 * The call at @here comes while the thread is, or was, inside another one.
 * true: that was left behind; this one has begun.  false: it is not recorded.
 * If a signal handler makes it, it is counted as lost; else the other call
 * makes it itself, and stands for both.
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

/*
 * The same for mmap and its like, which handlers do call while others of them
 * are under way.  The signals that a handler could come with wait until the
 * end, as they wait for a system call anyway, so a handler's calls are
 * outermost ones.  @signals keeps the thread's mask.
 */
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

/*
 * Where the call path begins: the wrapper's own frame, in which the caller's
 * frame pointer ([0]) and the return address ([1]) stand.
 */
#define wm_frame() ((const uintptr_t *)__builtin_frame_address(0))

/*
 * After the real call.  @kind: any with stack, size and new address
 * (WMT_EV_MALLOC, _REALLOC_IN, _MAP ...); @p: what it returned; NULL is
 * recorded as FAILED.
 */
void wm_rec_alloc(unsigned kind, const void *p, size_t size,
		  const uintptr_t *frame);
#ifdef WM_DYNAMIC
/* malloc_usable_size of the allocator behind the wrappers;
 * NULL: it has none. */
extern size_t (*wm_usable_size)(void *) wm_hidden;
#endif

/* Before the real call, @p not NULL.  @kind: any with an old address alone. */
void wm_rec_release(unsigned kind, const void *p);
/* realloc(p, 0) returned NULL and has freed the block. */
void wm_rec_gone(void);
/*
 * Events with an extra operand, or with none (include/wm/trace_format.h):
 * @p the old address where the kind has one, @extra what goes to column EXTRA
 * (bytes of a range, number of a name).
 */
void wm_rec_mark(unsigned kind, const void *p, uint64_t extra);
/*
 * The call failed, before which this thread has recorded that what begins at
 * @p is released: the record becomes an UNMAP of no bytes.
 */
void wm_rec_refused(unsigned kind, const void *p);

/*
 * What the program says of itself: PHASE, NAME (of block @p) or SNAPSHOT with
 * a name that ends after @max bytes or at a zero; NULL or empty: no name.
 */
void wm_annotate(unsigned kind, const void *p, const char *name, size_t max);
/* NEXT or MARK of enum wmt_saying, with a name likewise. */
void wm_annotate_saying(unsigned saying, const char *name, size_t max);
/*
 * The thread's next blocks are no blocks of the program's: if the last event
 * was NEXT, take its name back (true), and when they are made, @hold false,
 * give it to the next one that comes.  false: there was nothing to do.
 */
bool wm_annotate_next_hold(bool hold);
/* The @bytes from @p on, in elements of @element bytes or 0, are called @name
 * from now on; where there are no such bytes, nothing is recorded. */
void wm_annotate_region(const void *p, size_t bytes, size_t element,
			const char *name, size_t max);
/* That which @p lies in ends. */
void wm_annotate_region_end(const void *p);
/* Loads and stores of the calling thread, or of all, are to be recorded; with
 * hooks alone.  Any time, also in handlers. */
void wm_annotate_accesses(bool on, bool all);
/* Leave out allocations (true), or record them again (false). */
void wm_annotate_pause(bool on);

/*
 * Reservations: address space without access, which is no memory yet.  Sizes
 * are whole pages.  wm_reservation_add() returns false when the table is full.
 * wm_reservation_take() takes a part of [@start, @start + @size) out of the
 * table, as long as there is one: true and the *@piece, else false.
 */
bool wm_reservation_add(const void *start, size_t size) wm_hidden;
bool wm_reservation_take(const void *start, size_t size, void **piece,
			 size_t *bytes) wm_hidden;
/* What is in the table now is older than this number, what comes is not. */
uint64_t wm_reservation_now(void) wm_hidden;
/* Take all parts of what is @older out. */
void wm_reservation_forget(const void *start, size_t size,
			   uint64_t older) wm_hidden;
#define WM_ANY_RESERVATION UINT64_MAX

/*
 * What the C library's allocator does with the system (static programs): the
 * footprint of the heap.  wm_thread_ready(): 1 when thread-local storage can be
 * used, before which nothing else here may be called.
 */
enum wm_heap_change {
	WM_HEAP_RESERVED, /* mapped without access: an arena is reserved */
	WM_HEAP_MAPPED,
	WM_HEAP_OPENED, /* a part of a reservation got access */
	WM_HEAP_UNMAPPED,
};
bool wm_thread_ready(void) wm_hidden;
/* By how many bytes the footprint has changed. */
int64_t wm_heap_change(enum wm_heap_change what, const void *start,
		       size_t size) wm_hidden;
void wm_heap_break(intptr_t bytes) wm_hidden;

/*
 * Page accesses (WM_PAGES; static programs).  While they are on, the memory
 * that is followed changes by these calls alone.  Those that return long make
 * the call for the program, and return what the kernel returned.
 */
extern _Atomic int wm_pages_on wm_hidden;
#ifdef WM_DYNAMIC
#define wm_pages_are_on() false
#else
#define wm_pages_are_on()                                                      \
	wm_unlikely(atomic_load_explicit(&wm_pages_on, memory_order_relaxed))
#endif
/* mmap has made this, with @prot and @flags. */
void wm_pages_mapped(const void *p, size_t bytes, int prot,
		     int flags) wm_hidden;
/* It is about to be replaced by another mapping. */
void wm_pages_leave(const void *p, size_t bytes) wm_hidden;
/* Before the break may go down from @from to @to, and after it has moved, or
 * not. */
void wm_pages_break_down(const void *from, const void *to) wm_hidden;
void wm_pages_break_moved(const void *from, const void *to) wm_hidden;
long wm_pages_unmap(const void *p, size_t bytes) wm_hidden;
long wm_pages_remap(const void *old, size_t old_bytes, size_t bytes, int flags,
		    const void *want) wm_hidden;
long wm_pages_advise(const void *p, size_t bytes, int advice) wm_hidden;
long wm_pages_protect(const void *p, size_t bytes, int prot) wm_hidden;
/* real(), which forks; what it returned, or a negated errno below -1. */
int wm_pages_fork(int (*real)(void)) wm_hidden;
/* All of it becomes private memory, for @why, which has to stay, and no more
 * epochs come; else -EAGAIN, and what was to follow must not be. */
long wm_pages_end(const char *why) wm_hidden;
/* The process is about to fork in another way; false: it must not, for memory
 * would be shared. */
bool wm_pages_before_fork(void) wm_hidden;
/* This becomes private memory; @anonymous: by copying, while nobody writes to
 * it; else it must not be moved later.  Below 0: a negated errno. */
long wm_pages_make_private(const void *p, size_t bytes,
			   bool anonymous) wm_hidden;
/* The kernel locks memory from now on, or no more (mlock): @all: all that is
 * there (MCL_CURRENT), and what comes (MCL_FUTURE).  Before the call it is
 * locked, after it unlocked, which leaves what the kernel still has locked. */
enum wm_pages_lock {
	WM_PAGES_UNLOCK,
	WM_PAGES_LOCK,
	WM_PAGES_LOCK_ON_FAULT, /* pages when they are touched */
};
void wm_pages_lock(const void *p, size_t bytes,
		   enum wm_pages_lock how) wm_hidden;
/* @flags: of mlockall; 0: munlockall; or: the last call was refused. */
#define WM_PAGES_LOCK_REFUSED (-1)
void wm_pages_lock_all(int flags) wm_hidden;
/* The process is about to limit its data, which what is followed is not for
 * the kernel: it becomes private. */
void wm_pages_limit_data(void) wm_hidden;
/* The calling thread may have changed its rights; where it has, a thread that
 * keeps the old ones is gone with pages. */
void wm_pages_rights(void) wm_hidden;
/* It is about to ask for what needs a process with one thread, or binds all
 * threads: the same. */
void wm_pages_confine(void) wm_hidden;

/* Before libc starts: wrappers may be called from now on. */
void wm_early_begin(char **argv) wm_hidden;

/* A system call without libc; a value in [-4095, -1] is a negated errno. */
long wm_kernel(long number, long a, long b, long c, long d, long e,
	       long f) wm_hidden;

/* Before and after a library may be unmapped: what is known of addresses is
 * void, and paths that lead through them. */
void wm_library_closing(void) wm_hidden;
/* The library is about to be opened with RTLD_DEEPBIND, or into a namespace of
 * its own: its allocations may not come to us. */
void wm_library_apart(const char *path) wm_hidden;
void wm_library_closed(void) wm_hidden;

/*
 * Around a call that forks a child which goes on as this process, @on true
 * before and false after it, in parent and child: the child is traced.
 */
void wm_follow_child(bool on) wm_hidden;

/* Dynamic programs: as dlsym(@where, @name) of this file; NULL: there is none.
 * Leaves nothing in the program's heap and for its dlerror(). */
void *wm_look_up(void *where, const char *name) wm_hidden;
/* RTLD_NEXT of a file that was loaded with the program, which is the same ever
 * after; NULL: it is not, or that is not known. */
void *wm_look_up_start(const char *name) wm_hidden;
/* Whether one file defines these two functions, which have been looked up. */
bool wm_of_one_library(const char *name, const void *at, const char *other,
		       const void *others) wm_hidden;

/* libwmtrace.so alone: the next function of this name, wherever it has been
 * loaded; NULL: none. */
void *wm_preload_next(const char *name) wm_hidden;

/*
 * f(arg) on a stack of our own, with all signals blocked: for what needs more
 * of the program's stack than the 400 bytes that we may take.  Any thread,
 * any time; may be called inside itself.
 */
void wm_aside(void (*f)(void *), void *arg);

/* Before @bytes go that may be shared with other processes: what is resident
 * is looked at while they are there.  SIZE_MAX: not known.  Any thread. */
void wm_memory_goes(size_t bytes);
/*
 * Around a call by which @bytes go without a release in the trace, private or
 * not.  true: wm_memory_gone() is due after it.  Any thread; the second one
 * also inside another intercepted call.
 */
bool wm_memory_fades(size_t bytes);
void wm_memory_fades_inside(size_t bytes);
void wm_memory_gone(void);
/* Memory has come that may be shared with other processes. */
void wm_memory_shared(void);
#define WM_MEMORY_LEAST ((size_t)1 << 20) /* bytes that are worth a look */

/* The process is about to end for @reason: hand over the trace. */
void wm_process_end(const char *reason);
/* The same for exit, with what it was given. */
void wm_process_exits(int status);

/* The process is about to die by abort(): the crash buffer keeps that.  Any
 * thread, in handlers of signals, too. */
void wm_process_aborts(void);

/*
 * MPI is up: @rank of @ranks is certain now.
 * wm_mpi_wants_name() is 1, on every rank of a job or on none, when no
 * launcher has named the job: then rank 0's name has to be broadcast and
 * given to wm_mpi_up() as @name (else NULL).
 */
#define WM_NAME_MAX 256
bool wm_mpi_wants_name(int ranks);
void wm_mpi_name(char name[WM_NAME_MAX]);
void wm_mpi_up(int rank, int ranks, const char *name);
/* MPI is up in a session, which has no ranks: the launcher's are right. */
void wm_mpi_no_world(void);

/* Before and @after the real MPI_Finalize, in any spelling: the summary. */
void wm_mpi_down(int after);

/* Defined by the MPI shim's object; its address is NULL without it. */
extern const char wm_mpi_present __attribute__((weak));

#endif
