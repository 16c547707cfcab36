/* SPDX-License-Identifier: Apache-2.0 */
/* The environment at the start of the process, and its options (wm/env_list.h).
 * Called once, at the start.  Returned strings remain valid. */
#pragma once

#include "runtime/base/attributes.h"

void wm_options_read(void) wm_hidden;
/* Appends to the warnings that are printed at the end of the run. */
void wm_options_warn(const char *what) wm_hidden;
const char *wm_env(const char *name) wm_hidden;
