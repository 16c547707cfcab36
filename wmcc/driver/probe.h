/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that a configure script links are probes, whatever their names
 * are. */
#pragma once

#include <stdbool.h>

/* Returns whether configure or Configure is an ancestor of this process, with
 * no build tool between them. */
bool wm_below_configure(void);

bool wm_in_probe_folder(void);
