/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The launcher that has started this process, as far as it is known from the
 * environment: for wm-analyze-mpi, each of whose processes is by itself when
 * the launcher belongs to another MPI.
 */
#ifndef WM_ANALYZE_LAUNCHER_H
#define WM_ANALYZE_LAUNCHER_H

#include <stdbool.h>

struct wm_launcher {
	const char *name;
	long count; /* processes */
	long me; /* 0 when unknown */
};

/*
 * Has a launcher started several processes, of which MPI, with @size of them,
 * knows but this one?  Fills @l.
 */
bool wm_launcher_is_foreign(struct wm_launcher *l, int size);

#endif
