/* SPDX-License-Identifier: Apache-2.0 */
/* The launcher that started this process, by the environment.  If it belongs to
 * another MPI, each process of wm-analyze-mpi is a job of its own. */
#pragma once

#include <stdbool.h>

struct wm_launcher {
	const char *name;
	long count; /* processes */
	long me; /* 0: also unknown */
};

/* Returns whether a launcher started several processes although MPI has only
 * this one, by @size.  Fills @l. */
bool wm_launcher_is_foreign(struct wm_launcher *l, int size);
