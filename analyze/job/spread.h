/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading spread over processes: wm-analyze-mpi.
 *
 * Process 0, the root, is wm-analyze: it has the options, finds the run, prints.  The
 * others are helpers: they read groups of files that the root names, and send the
 * results (wm_rank_wire()).  The root delivers these like those of its own threads,
 * in the order of the groups, so that the output does not depend on the reader.
 *
 * In wm-analyze (spread_none.c) there are never any helpers.
 */
#ifndef WM_ANALYZE_SPREAD_H
#define WM_ANALYZE_SPREAD_H

#include <stdbool.h>
#include <stddef.h>

struct wm_crew;

/* The name of the program. */
const char *wm_spread_program(void);

/*
 * To be called first in main().  Returns true in the root.  In a helper it returns
 * false when the root has ended: the process then ends with *@status.  So does each
 * process if the launcher is another MPI's.  A helper first calls @prepare with its
 * command line, which is that of the root.
 */
bool wm_spread_start(int *argc, char ***argv, int *status,
		     void (*prepare)(int argc, char **argv));
/* To be called last in the root; returns @status. */
int wm_spread_end(int status);

/* Whether standard output is certainly a terminal: below mpiexec it may be one of the
 * launcher's, which writes to a file. */
bool wm_spread_terminal(void);

size_t wm_spread_helpers(void);
/* Hand out groups of @c and deliver their results, until helpers have read all. */
void wm_spread_serve(struct wm_crew *c);

#endif
