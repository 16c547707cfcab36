/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The wrappers' door: the only header of runtime/ that they include.  It leads
 * to the functions of each folder that they may call; those of entry.c are
 * below.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/depth.h"
#include "runtime/base/look_up.h"
#include "runtime/base/objects.h"
#include "runtime/base/on_stack.h"
#include "runtime/base/overwritten.h"
#include "runtime/base/pool.h"
#include "runtime/event/event_hooks.h"
#include "runtime/pages/page_hooks.h"
#include "runtime/process/process_hooks.h"

/* The process is about to end for @reason: completes the trace. */
void wm_process_end(const char *reason);
/* The same for exit, with its argument. */
void wm_process_exits(int status);

/* The process is about to die by abort(): notes that in the crash buffer.  Any
 * thread, also in signal handlers. */
void wm_process_aborts(void);

/*
 * MPI is up: @rank of @ranks is certain now.
 * wm_mpi_wants_name() is 1, on every rank of a job or on none, when no
 * launcher has named the job: then rank 0's name has to be broadcast and
 * given to wm_mpi_up() as @name (else NULL).
 */
bool wm_mpi_wants_name(int ranks);
void wm_mpi_name(char name[WM_NAME_MAX]);
void wm_mpi_up(int rank, int ranks, const char *name);
/* MPI is up in a session, which has no ranks: those of the launcher count. */
void wm_mpi_no_world(void);

/* Before and @after the real MPI_Finalize, in any spelling: the summary. */
void wm_mpi_down(int after);
