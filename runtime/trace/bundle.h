/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bundle (census and symbols of the executable, docs/census-format.md)
 * goes from the executable into the run directory.  Under the writer lock.
 */
#ifndef WM_RUNTIME_BUNDLE_H
#define WM_RUNTIME_BUNDLE_H

#include <stdbool.h>

#include "runtime/hooks.h"
#include "runtime/trace/tracefile.h"

/* The process that made the run directory does it; @ending: or whoever finds
 * none. */
void wm_bundle_copy(const struct wm_tracefile_name *name,
		    bool ending) wm_hidden;

#endif
