/* SPDX-License-Identifier: Apache-2.0 */
/* The compiler driver: runs the real compiler so that it links through the
 * linker shim.  Never returns. */
#pragma once

#include "wmcc/driver/personality.h"
#include "wmcc/base/strv.h"

/* @words are the real compiler, @argv the user's arguments without argv[0]. */
__attribute__((noreturn)) void wm_driver(const struct wm_personality *p,
					 const struct wm_strv *words,
					 char **argv);
