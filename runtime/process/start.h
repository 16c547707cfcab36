/* SPDX-License-Identifier: Apache-2.0 */
/* Tracing starts with the first event, in most programs before any
 * constructor. */
#pragma once

#include <stdbool.h>

#include "runtime/base/attributes.h"
#include "runtime/base/state.h"

/* Sets everything up once.  Returns true if tracing is on.  May be called in
 * any thread at any time. */
bool wm_start(void) wm_hidden;
bool wm_start_is_done(void) wm_hidden;
/* Calls wm_start() for an event, which is lost if it cannot be recorded. */
bool wm_start_event(void) wm_hidden;
void wm_state_begin(struct wm_state *st) wm_hidden;
/* Removes the runtime's storage for the first thread.  Called when libc's
 * exists. */
void wm_early_end(void) wm_hidden;
/* Returns 1 if MPI may provide the rank later. */
int wm_uses_mpi(void) wm_hidden;
/* Whether WM_RANKS leaves out @rank.  If it leaves out all ranks, one process
 * reports that (wm_identity.nobody_pid). */
bool wm_is_left_out(int rank, int ranks) wm_hidden;
