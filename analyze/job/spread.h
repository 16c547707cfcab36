/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading that is spread over processes: wm-analyze-mpi.
 *
 * Process 0, the root, is wm-analyze: it has the options, finds the run, and
 * prints.  The other processes are helpers: they read groups of files that the
 * root names, and send the results (wm_rank_wire()).  The root delivers these
 * results like those of its own threads, in the order of the groups, so that
 * the output does not depend on the reader.  In wm-analyze (spread_none.c)
 * there are no helpers.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct wm_crew;
struct wm_load;

const char *wm_spread_program(void);

/* Called first in main().  Returns true in the root.  Returns false in a helper
 * when the root has ended, and in every process if another MPI has started the
 * processes: the process must then end with *@status.  A helper first calls
 * @prepare with its command line, which is that of the root. */
bool wm_spread_start(int *argc, char ***argv, int *status,
		     void (*prepare)(int argc, char **argv));
/* Called last in the root; returns @status. */
int wm_spread_end(int status);

/* Returns whether standard output is certainly a terminal.  Below mpiexec it
 * may be a terminal of the launcher, which writes to a file. */
bool wm_spread_terminal(void);

size_t wm_spread_helpers(void);
/* Gives groups of @c to helpers, each with @threads threads, and delivers
 * results, until all are read. */
void wm_spread_serve(struct wm_crew *c, const struct wm_load *l,
		     unsigned threads);
