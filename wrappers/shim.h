/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a wrapper gets its name and finds the function that it wraps.
 *
 * In static programs ld --wrap=X turns calls of X into calls of __wrap_X, and
 * calls of __real_X into calls of X.  In dynamic programs (WM_DYNAMIC) the
 * wrapper defines X itself and asks the loader for the next X.
 *
 * WM_SHIM(X)        the name of the wrapper
 * WM_WRAPPED(T, X, A...)  declares the wrapper and the function behind it.  The
 *                   latter is weak, because not every program contains it: a
 *                   strong reference could pull in another allocator
 * WM_REAL(X)        the function behind it, NULL if the program has none
 * WM_REAL_MISSING() 1 while the loader is being asked: use wm_boot_*
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "runtime/arch/machine.h"
#include WM_MACHINE_HEADER(memory.h)

#include "runtime/hooks.h"

#ifdef WM_DYNAMIC

#define WM_SHIM(name) name
#define WM_WRAPPED(type, name, ...) type name(__VA_ARGS__) wm_export
/* For a function that programs may define themselves; then the program's
 * function is used. */
#define wm_export_weak __attribute__((visibility("default"), weak))
#define WM_REAL(name) wm_real.name
/* Makes a system call that another library may have hooked, as UCX does.  It is
 * made outside the intercepted call: memory that the hook allocates does not
 * belong to this call, and the hook may wait for a signal, or for a thread that
 * a garbage collector has stopped by a signal. */
#define WM_OUTSIDE(signals, call)                                              \
	({                                                                     \
		__typeof__(call) result_;                                      \
                                                                               \
		wm_leave_alone(signals);                                       \
		result_ = (call);                                              \
		wm_enter_alone(signals);                                       \
		result_;                                                       \
	})
/* The load pairs with the release in wm_real_load().  A plain load is a part of
 * the comparison instruction. */
#ifdef WM_LOADS_ACQUIRE
#define WM_REAL_READY() wm_real.ready
#else
#define WM_REAL_READY() __atomic_load_n(&wm_real.ready, __ATOMIC_ACQUIRE)
#endif
#define WM_REAL_MISSING() (wm_unlikely(!WM_REAL_READY()) && !wm_real_load())

/* clang-format off */
#define WM_REALS(X)                                                            \
	X(void *, malloc, (size_t))                                            \
	X(void *, calloc, (size_t, size_t))                                    \
	X(void *, realloc, (void *, size_t))                                   \
	X(void, free, (void *))                                                \
	X(int, posix_memalign, (void **, size_t, size_t))                      \
	X(void *, aligned_alloc, (size_t, size_t))                             \
	X(void *, memalign, (size_t, size_t))                                  \
	X(void *, valloc, (size_t))                                            \
	X(void *, pvalloc, (size_t))                                           \
	X(void *, mmap, (void *, size_t, int, int, int, off_t))                \
	X(int, munmap, (void *, size_t))                                       \
	X(void *, mremap, (void *, size_t, size_t, int, ...))                  \
	X(int, mprotect, (void *, size_t, int))                                \
	X(int, brk, (void *))                                                  \
	X(void *, sbrk, (intptr_t))                                            \
	X(int, madvise, (void *, size_t, int))                                 \
	X(void *, shmat, (int, const void *, int))                             \
	X(int, shmdt, (const void *))                                          \
	X(void, _exit, (int))                                                  \
	X(void, _Exit, (int))                                                  \
	X(void, abort, (void))                                                 \
	X(int, dlclose, (void *))
/* clang-format on */

struct wm_real {
	bool ready;
#define WM_X(result, name, parameters) result(*name) parameters;
	WM_REALS(WM_X)
#undef WM_X
	void *dlopen, *dlmopen; /* jumped to */
};
extern struct wm_real wm_real wm_hidden;

/* Asks the loader for all functions; false: this thread is doing so already. */
bool wm_real_load(void) wm_hidden;
/* Returns zeroed memory for allocations that the loader makes meanwhile.  It is
 * never given back. */
void *wm_boot_alloc(size_t size, size_t align) wm_hidden;
bool wm_boot_owns(const void *p) wm_hidden;
/* Returns the size of a block of wm_boot_alloc(). */
size_t wm_boot_size(const void *p) wm_hidden;

/* Returns the next function of this name, for a call that came from @caller, or
 * NULL if there is none.  @kept, at first NULL, belongs to one name and one
 * shim.  @file is NULL or gets the name of the library that has the function,
 * if only its user sees that library. */
void *wm_next(void *_Atomic *kept, const char *name, const void *caller,
	      const char **file) wm_hidden;
/* @file must be loaded already. */
void *wm_look_in(const char *file, const char *name) wm_hidden;

#else

#define WM_SHIM(name) __wrap_##name
#define WM_WRAPPED(type, name, ...)                                            \
	type __wrap_##name(__VA_ARGS__) wm_export;                             \
	type __real_##name(__VA_ARGS__) __attribute__((weak))
#define wm_export_weak wm_export
#define WM_REAL(name) __real_##name
#define WM_OUTSIDE(signals, call) (call)
#define WM_REAL_MISSING() 0
#define wm_real_load() ((void)0)
#define wm_boot_alloc(size, align) NULL
#define wm_boot_owns(p) 0
#define wm_boot_size(p) 0

#endif
