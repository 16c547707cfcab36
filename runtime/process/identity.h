/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which process of which job this is, from the launcher's variables.
 *
 * Both run once at the start, from the initial environment: first
 * wm_identity_begin(), which looks at variables and, where launchers meet, at
 * our ancestors (pid, rank, ranks, launcher, spread, job_named), then
 * wm_identity_read().  MPI corrects the rank later.  Plain data afterwards.
 */
#ifndef WM_RUNTIME_IDENTITY_H
#define WM_RUNTIME_IDENTITY_H

#include <stdbool.h>

#include "runtime/base/attributes.h"
#include "runtime/base/state.h"

void wm_identity_begin(void) wm_hidden;
void wm_identity_read(void) wm_hidden;
/* By MPI we are @rank of @ranks, and @id, unless NULL, is the job's: stores the
 * resulting identity in @now.  wm_identity stays unchanged. */
void wm_identity_by_mpi(int rank, int ranks, const char *id,
			struct wm_renaming *now) wm_hidden;
/* true: a launcher has provided both the job and the rank. */
bool wm_identity_is_certain(void) wm_hidden;

#endif
