/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread of the runtime's own, which does work that needs open descriptors,
 * one call after the other.
 *
 * The thread shares memory with the program, but not descriptors, which the
 * program neither sees nor closes.  It has thread-local storage of its own, all
 * zero, no entry in the threads library, and all signals blocked; its code
 * calls no function of libc that could need more.  It ends with the process, or
 * with exec; a forked child has none.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* The result of @pause, from then on, if the thread has to end. */
#define WM_SERVICE_ENDS UINT64_MAX

/* Starts the thread, which calls @pause again and again; @pause returns the ns
 * to sleep.  Returns false without memory, or without a thread. */
bool wm_service_start(uint64_t (*pause)(void)) wm_hidden;
/* Calls f(arg) in the thread.  If f() returns 0, ends the thread, for the
 * kernel, too; later calls run in their callers. */
void wm_service_end(long (*f)(void *), void *arg) wm_hidden;
/* Joins the thread's stack and its guard page with neighbouring mappings, so
 * that two more are possible.  Called in the service thread. */
void wm_service_join_stack(void) wm_hidden;
/* Calls f(arg) in the thread and returns the result.  The caller, any other
 * thread, waits with all signals blocked. */
long wm_service_call(long (*f)(void *), void *arg) wm_hidden;
/* Does the same, and holds the thread: no other calls and no @pause until the
 * same caller calls wm_service_resume(). */
long wm_service_call_and_hold(long (*f)(void *), void *arg) wm_hidden;
long wm_service_call_held(long (*f)(void *), void *arg) wm_hidden;
void wm_service_resume(void) wm_hidden;
/* Returns the number of threads, the service thread included; 0: unknown. */
unsigned wm_service_threads(void) wm_hidden;
/* Stores the range of the calling thread's storage, with libc's part. */
void wm_service_storage(uint64_t *start, uint64_t *end) wm_hidden;
void wm_service_forget(void) wm_hidden;
