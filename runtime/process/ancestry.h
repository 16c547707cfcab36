/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the launcher that started this process among its ancestors.  Variables
 * are inherited: a process of mpiexec in an allocation has those of Slurm, and
 * a process of srun in a script of mpiexec has those of mpiexec.  The nearest
 * ancestor that belongs to a launcher counts.  Called once, at the start. */
#pragma once

#include <stdint.h>

#include "runtime/base/attributes.h"

enum wm_starter {
	WM_STARTER_NONE = 0,
	WM_STARTER_HYDRA = 1, /* a proxy of MPICH's mpiexec */
	WM_STARTER_OPEN_MPI = 2, /* mpirun or its daemon */
	WM_STARTER_STEP = 4, /* Slurm's srun */
	WM_STARTER_NO_STEP = 8, /* Slurm's script or shell of the job */
};

struct wm_ancestry {
	enum wm_starter starter;
	int parent;
	char port[64]; /* hydra: HOST:PORT, the same on all nodes of a world */
	uint64_t group; /* hydra: number of the spawned world, or 0 */
};

void wm_ancestry_find(struct wm_ancestry *a, unsigned wanted) wm_hidden;
