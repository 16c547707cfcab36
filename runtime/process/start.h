/* SPDX-License-Identifier: Apache-2.0 */
/* The beginning: tracing starts with the first event, in most programs before
 * any constructor. */
#ifndef WM_RUNTIME_START_H
#define WM_RUNTIME_START_H

#include <stdbool.h>

#include "runtime/base/attributes.h"
#include "runtime/base/state.h"

/* Set everything up once; true when tracing is on.  Any thread, any time. */
bool wm_start(void) wm_hidden;
/* Whether wm_start() has ended, with any result. */
bool wm_start_is_done(void) wm_hidden;
/* wm_start() for an event, which is counted as lost if it cannot be
 * recorded. */
bool wm_start_event(void) wm_hidden;
/* The fields of @st that a process begins with. */
void wm_state_begin(struct wm_state *st) wm_hidden;
/* 1 when MPI may provide our rank later. */
int wm_uses_mpi(void) wm_hidden;
/* true: WM_RANKS leaves out this process, which is @rank of @ranks.  If it
 * leaves out all of them, one reports that (wm_identity.nobody_pid). */
bool wm_is_left_out(int rank, int ranks) wm_hidden;

#endif
