/* SPDX-License-Identifier: Apache-2.0 */
/* Plans the runtime's memory: the memory mapped at start, the memory of each
 * further thread, and the memory that call paths may add (docs/decisions.md).
 * If the address space is limited, or with WM_MEMORY, call paths get their part
 * at start, too, and no more later.  The plan is made once, by wm_start(). */
#pragma once

#include <stdbool.h>

#include "runtime/base/attributes.h"

/* Maps the memory of the start.  Returns false without memory; then nothing is
 * traced. */
bool wm_memory_plan_start(void) wm_hidden;
