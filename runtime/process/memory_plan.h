/* SPDX-License-Identifier: Apache-2.0 */
/* Plans the runtime's memory: that of the start, of each further thread, and of
 * call paths (docs/decisions.md).  If the address space is limited, or with
 * WM_MEMORY, call paths get theirs at start, too. */
#pragma once

#include <stdbool.h>

#include "runtime/base/attributes.h"

/* Returns false without memory; then nothing is traced. */
bool wm_memory_plan_start(void) wm_hidden;
