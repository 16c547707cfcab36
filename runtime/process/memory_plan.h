/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much memory the runtime takes: what is mapped at start, what a further
 * thread adds, and what call paths may add (docs/decisions.md).  Where the
 * address space has a limit, or WM_MEMORY says so, call paths get their part
 * at start, too, and no more.
 *
 * Made once, by wm_start(); read-only afterwards.
 */
#ifndef WM_RUNTIME_MEMORY_PLAN_H
#define WM_RUNTIME_MEMORY_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/hooks.h"

/* Map what is mapped at start; false: there is no memory, and no tracing. */
bool wm_memory_plan_start(void) wm_hidden;

#endif
