/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds which process of which job this is, from the launcher's variables.
 *
 * Both functions run once at the start, with the initial environment.  First
 * wm_identity_begin() looks at variables and, where several launchers are
 * involved, at our ancestors (pid, rank, ranks, launcher, spread, job_named);
 * wm_identity_read() runs after that.  MPI corrects the rank later.  Afterwards
 * the identity is plain data.
 */
#pragma once

#include <stdbool.h>

#include "runtime/base/attributes.h"
#include "runtime/base/state.h"

void wm_identity_begin(void) wm_hidden;
void wm_identity_read(void) wm_hidden;
/* Stores the identity that results in @now if by MPI this process is @rank of
 * @ranks, and @id, unless it is NULL, is the id of the job.  wm_identity stays
 * unchanged. */
void wm_identity_by_mpi(int rank, int ranks, const char *id,
			struct wm_renaming *now) wm_hidden;
/* Returns true if a launcher has provided both the job and the rank. */
bool wm_identity_is_certain(void) wm_hidden;
