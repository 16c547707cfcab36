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

#include "runtime/hooks.h"
#include "runtime/state.h"

struct wm_identity {
	int pid; /* not wiped in a forked child: the last traced process */
	int parent; /* a traced child's; 0: this is no child */
	int rank, ranks;
	int told_rank, told_ranks; /* by the launcher; 0 ranks: not told */
	int mpi_rank, mpi_ranks; /* by MPI; 0 ranks: not told */
	int spawned; /* by MPI_Comm_spawn, as the launcher tells */
	int spread; /* 1: the launcher says that the job has other nodes, too */
	int job_named; /* 1: the id is the same on all ranks of the job */
	const char *launcher;
	char program[WM_NAME_MAX]; /* first part of the run directory's name */
	char id[WM_NAME_MAX]; /* second part */
	char exe[WM_PATH_MAX];
	char host[WM_NAME_MAX];
	char boot_id[64];
};

extern struct wm_identity wm_identity wm_hidden;

void wm_identity_begin(void) wm_hidden;
void wm_identity_read(void) wm_hidden;
/* 1: a launcher has told both the job and the rank. */
int wm_identity_is_certain(void) wm_hidden;

#endif
