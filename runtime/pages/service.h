/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread of the runtime's own in the traced process, which does work that
 * needs open descriptors, one call after the other.
 *
 * The thread shares memory with the program, but not descriptors: the program
 * neither sees nor closes those that are opened here.  The thread has
 * thread-local storage of its own, all zero, no entry in the threads library,
 * and all signals blocked; its code calls no function of libc that could need
 * more.  The thread ends with the process, or with exec; a forked child has
 * none.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* The result of @pause, from then on, if the thread has to end. */
#define WM_SERVICE_ENDS UINT64_MAX

/* Starts the thread, which calls @pause again and again; @pause returns the ns
 * to sleep.  Returns false if there is no memory, no thread, or no code for
 * this processor. */
bool wm_service_start(uint64_t (*pause)(void)) wm_hidden;
/* Calls f(arg) in the thread.  If f() returns 0, ends the thread and waits
 * until the kernel has ended it, too; later calls run in their callers. */
void wm_service_end(long (*f)(void *), void *arg) wm_hidden;
/* Joins the thread's stack and its guard page with neighbouring mappings, which
 * makes two more mappings possible.  Called in the service thread. */
void wm_service_join_stack(void) wm_hidden;
/* Calls f(arg) in the thread and returns the result.  The caller, any other
 * thread, waits with all signals blocked. */
long wm_service_call(long (*f)(void *), void *arg) wm_hidden;
/* Does the same, and holds the thread: neither calls of other threads nor
 * @pause run until the same caller calls wm_service_resume(). */
long wm_service_call_and_hold(long (*f)(void *), void *arg) wm_hidden;
long wm_service_call_held(long (*f)(void *), void *arg) wm_hidden;
void wm_service_resume(void) wm_hidden;
/* Returns the number of threads, the service thread included; 0: unknown. */
unsigned wm_service_threads(void) wm_hidden;
/* Stores the range of the calling thread's storage, with libc's part. */
void wm_service_storage(uint64_t *start, uint64_t *end) wm_hidden;
void wm_service_forget(void) wm_hidden;
