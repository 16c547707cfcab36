/* SPDX-License-Identifier: Apache-2.0 */
/* Copies the bundle (census and symbols, docs/census-format.md) from the
 * executable into the run directory.  Called with the writer lock. */
#pragma once

#include <stdbool.h>

#include "runtime/base/attributes.h"
#include "runtime/trace/tracefile.h"

/* Copies the bundle if this process has made the run directory or, if @ending
 * is set, if the run directory has no bundle. */
void wm_bundle_copy(const struct wm_tracefile_name *name,
		    bool ending) wm_hidden;
