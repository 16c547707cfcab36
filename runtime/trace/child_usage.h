/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's figures about the memory of children, which may have no trace,
 * and whether children are missing there.  The caller holds the writer lock. */
#pragma once

#include <stdbool.h>

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"

/* Called when the trace of this process begins; only later children count. */
void wm_child_usage_begin(void) wm_hidden;
/* Adds what is known about children to the head of END, if there were any. */
void wm_child_usage_put(struct wm_buf *head) wm_hidden;
/* Returns whether the process may have had children, or is a child. */
bool wm_child_usage_matters(void) wm_hidden;
/* The next child is traced, whatever the options are: daemon() makes it. */
extern bool wm_child_followed wm_hidden;
