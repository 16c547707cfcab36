/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the launcher that started this process among the ancestors of this
 * process.
 *
 * Variables of launchers are inherited: a process of mpiexec in an allocation
 * has those of Slurm, and a process of srun in a script of mpiexec has those of
 * mpiexec.  The variables of the nearest ancestor that belongs to a launcher
 * count.  Called once, at the start; uses static buffers.
 */
#pragma once

#include <stdint.h>

#include "runtime/base/attributes.h"

/* Launchers, as a set of bits to look for. */
enum wm_starter {
	WM_STARTER_NONE = 0, /* none of these was found */
	WM_STARTER_HYDRA = 1, /* a proxy of MPICH's mpiexec */
	WM_STARTER_OPEN_MPI = 2, /* mpirun or its daemon */
	WM_STARTER_STEP = 4, /* Slurm: srun's */
	WM_STARTER_NO_STEP = 8, /* Slurm: the job's script or shell itself */
};

struct wm_ancestry {
	enum wm_starter starter;
	int parent; /* pid */
	char port[64]; /* hydra: HOST:PORT, the same on all nodes of a world */
	uint64_t group; /* hydra: 0, or number of the spawned world */
};

/* Finds the nearest ancestor that is of a launcher in the set @wanted. */
void wm_ancestry_find(struct wm_ancestry *a, unsigned wanted) wm_hidden;
