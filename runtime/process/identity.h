/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds which process of which job this is, from the launcher's variables.
 * First wm_identity_begin() examines variables and, if there are several
 * launchers, ancestors (pid, rank, ranks, launcher, spread, job_named); then
 * wm_identity_read() finds the rest.  Both run once at the start, with the
 * initial environment.  MPI corrects the rank later.
 */
#pragma once

#include <stdbool.h>

#include "runtime/base/attributes.h"
#include "runtime/base/state.h"

void wm_identity_begin(void) wm_hidden;
void wm_identity_read(void) wm_hidden;
/* Stores the identity if MPI has made this process @rank of @ranks and named
 * the job @id, or NULL.  wm_identity stays unchanged. */
void wm_identity_by_mpi(int rank, int ranks, const char *id,
			struct wm_renaming *now) wm_hidden;
/* Whether a launcher has provided both the job and the rank. */
bool wm_identity_is_certain(void) wm_hidden;
