/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The environment as it was when the process began, and the options in it.
 * Their names are in wm/env_list.h.
 *
 * Called once, at the start; returned strings are valid as long as the process.
 */
#pragma once

#include "runtime/base/attributes.h"

/* Fills wm_options. */
void wm_options_read(void) wm_hidden;
/* Keeps a line about an option, which is printed at the end of the run. */
void wm_options_warn(const char *what) wm_hidden;
/* Returns the value of @name, or NULL. */
const char *wm_env(const char *name) wm_hidden;
