/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program that runs us: programs that a configure script links are probes,
 * whatever their names are.
 *
 * One thread, may allocate.
 */
#ifndef WM_WMCC_PROBE_H
#define WM_WMCC_PROBE_H

#include <stdbool.h>

/*
 * Is there a script named configure or Configure among our ancestors, and no
 * build tool between it and us?
 */
bool wm_below_configure(void);

/* Do we run in a folder that is only for probes? */
bool wm_in_probe_folder(void);

#endif
