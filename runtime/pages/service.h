/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread of the runtime's own in the traced process: it does what needs
 * descriptors that stay open, one thing after the other.
 *
 * It shares memory with the program, but not descriptors: the program neither
 * sees nor closes those that are opened here.  It has thread-local storage of
 * its own, all zero, no entry in the threads library, and all signals blocked;
 * what runs in it calls nothing of libc that could need more.  It goes with
 * the process, or with exec; a forked child has none.
 */
#ifndef WM_RUNTIME_SERVICE_H
#define WM_RUNTIME_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/hooks.h"

/* What @pause returns when the thread has to end; it asks again until it has. */
#define WM_SERVICE_ENDS UINT64_MAX

/* Start it; @pause is called in it again and again, and returns how many ns
 * it may sleep then.  false: no memory, no thread, or no code for this
 * processor. */
bool wm_service_start(uint64_t (*pause)(void)) wm_hidden;
/* Nothing is to be followed after all: it ends. */
void wm_service_stop(void) wm_hidden;
/* f(arg) in it; if that returns 0 the thread is gone, for the kernel too, and
 * what is called later runs in its callers. */
void wm_service_end(long (*f)(void *), void *arg) wm_hidden;
/* In it: two mappings less, for what comes next. */
void wm_service_join_stack(void) wm_hidden;
/* f(arg) in it, while the caller waits with all signals blocked; what it
 * returned.  Any thread but it itself. */
long wm_service_call(long (*f)(void *), void *arg) wm_hidden;
/* The same, and nobody else's calls and no pause come in between until
 * wm_service_resume(), which is called in the same thread. */
long wm_service_call_and_hold(long (*f)(void *), void *arg) wm_hidden;
long wm_service_call_held(long (*f)(void *), void *arg) wm_hidden;
void wm_service_resume(void) wm_hidden;
/* Threads of the process, it included; 0: not known. */
unsigned wm_service_threads(void) wm_hidden;
/* Where this thread's storage lies, what libc keeps of it included. */
void wm_service_storage(uint64_t *start, uint64_t *end) wm_hidden;
/* In a forked child: it is gone, and what was held is free. */
void wm_service_forget(void) wm_hidden;

#endif
