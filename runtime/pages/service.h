/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread of the runtime's own in the traced process, for work that needs
 * descriptors that stay open, one call after the other.
 *
 * It shares memory with the program, but not descriptors: the program neither
 * sees nor closes those that are opened here.  It has thread-local storage of
 * its own, all zero, no entry in the threads library, and all signals blocked;
 * its code calls no function of libc that could need more.  It ends with the
 * process, or with exec; a forked child has none.
 */
#ifndef WM_RUNTIME_SERVICE_H
#define WM_RUNTIME_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* The value that @pause returns, again and again, when the thread has to
 * end. */
#define WM_SERVICE_ENDS UINT64_MAX

/* Starts it; it calls @pause again and again, which returns the ns to sleep.
 * false: no memory, no thread, or no code for this processor. */
bool wm_service_start(uint64_t (*pause)(void)) wm_hidden;
/* Ends it, as nothing is followed after all. */
void wm_service_stop(void) wm_hidden;
/* Calls f(arg) in it; if that returns 0 the thread has ended, for the kernel,
 * too, and later calls run in their callers. */
void wm_service_end(long (*f)(void *), void *arg) wm_hidden;
/* In it: its stack and guard page become one with their neighbours, so that two
 * more mappings are possible. */
void wm_service_join_stack(void) wm_hidden;
/* Calls f(arg) in it, while the caller waits with all signals blocked, and
 * returns the result.  Any other thread. */
long wm_service_call(long (*f)(void *), void *arg) wm_hidden;
/* The same, without calls of other threads and without @pause until
 * wm_service_resume(), which the same thread calls. */
long wm_service_call_and_hold(long (*f)(void *), void *arg) wm_hidden;
long wm_service_call_held(long (*f)(void *), void *arg) wm_hidden;
void wm_service_resume(void) wm_hidden;
/* The number of threads of the process with it; 0: unknown. */
unsigned wm_service_threads(void) wm_hidden;
/* The range of this thread's storage, with libc's part. */
void wm_service_storage(uint64_t *start, uint64_t *end) wm_hidden;
/* In a forked child: there is no service thread, and its lock is free. */
void wm_service_forget(void) wm_hidden;

#endif
