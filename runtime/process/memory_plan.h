/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory of the runtime: that mapped at start, that of each further thread,
 * and that which call paths may add (docs/decisions.md).  If the address space
 * has a limit, or with WM_MEMORY, call paths get their part at start, too, and
 * no more.
 *
 * Made once, by wm_start(); constant afterwards.
 */
#ifndef WM_RUNTIME_MEMORY_PLAN_H
#define WM_RUNTIME_MEMORY_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* Maps the memory of the start; false: there is none, and no tracing. */
bool wm_memory_plan_start(void) wm_hidden;

#endif
