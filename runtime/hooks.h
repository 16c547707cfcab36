/* SPDX-License-Identifier: Apache-2.0 */
/* The only header of runtime/ that wrappers include.  It leads to the functions
 * of each folder that they may call, and declares those of entry.c. */
#pragma once

#include <stdbool.h>

#include "runtime/base/attributes.h"
#include "runtime/base/depth.h"
#include "runtime/base/footprint.h"
#include "runtime/base/look_up.h"
#include "runtime/base/objects.h"
#include "runtime/base/on_stack.h"
#include "runtime/base/overwritten.h"
#include "runtime/base/pool.h"
#include "runtime/event/event_hooks.h"
#include "runtime/pages/page_hooks.h"
#include "runtime/process/process_hooks.h"

/* Completes the trace.  Called before the process ends for @reason. */
void wm_process_end(const char *reason);
/* The same for exit, with its argument. */
void wm_process_exits(int status);

/* Notes in the crash buffer that abort() is called.  Any thread may call this,
 * also in signal handlers. */
void wm_process_aborts(void);

/* wm_mpi_up() is called when MPI has made the rank certain.  If
 * wm_mpi_wants_name() is true, on all ranks of a job, no launcher has named the
 * job: then rank 0's name has to be broadcast and given as @name, which is
 * otherwise NULL. */
bool wm_mpi_wants_name(int ranks);
void wm_mpi_name(char name[WM_NAME_MAX]);
void wm_mpi_up(int rank, int ranks, const char *name);
/* MPI is initialized in a session, which has no ranks: those of the launcher
 * count. */
void wm_mpi_no_world(void);

/* Called before and @after the real MPI_Finalize, in any spelling. */
void wm_mpi_down(int after);
