/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Looks at the programs that run us: programs that a configure script links are
 * probes, whatever their names are.
 *
 * One thread, may allocate.
 */
#pragma once

#include <stdbool.h>

/*
 * Whether there is a script named configure or Configure among our ancestors,
 * and no build tool between the script and us.
 */
bool wm_below_configure(void);

/* Whether we run in a folder that is only for probes. */
bool wm_in_probe_folder(void);
