/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The beginning: tracing starts with the first event, which in most programs
 * comes before any constructor.
 */
#ifndef WM_RUNTIME_START_H
#define WM_RUNTIME_START_H

#include <stdbool.h>

#include "runtime/base/state.h"
#include "runtime/hooks.h"

/* Set everything up once; true when tracing is on.  Any thread, any time. */
bool wm_start(void) wm_hidden;
/* That has come to its end, however it went. */
bool wm_start_is_done(void) wm_hidden;
/* The same as wm_start() for an event, which is counted as lost where it cannot be
 * recorded. */
bool wm_start_event(void) wm_hidden;
/* The fields of @st that a process begins with. */
void wm_state_begin(struct wm_state *st) wm_hidden;
/* 1 when MPI may tell who we are. */
int wm_uses_mpi(void) wm_hidden;
/* true: WM_RANKS leaves out this process, which is @rank of @ranks.  Where it
 * leaves out all of them one says so (wm_identity.nobody_pid). */
bool wm_is_left_out(int rank, int ranks) wm_hidden;

#endif
