/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Children, which may have no trace: the kernel's figures about their memory,
 * and whether some children are in no figure.
 *
 * The caller holds the writer lock.
 */
#ifndef WM_RUNTIME_CHILD_USAGE_H
#define WM_RUNTIME_CHILD_USAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"

/* The trace of this process begins: children are those from here on. */
void wm_child_usage_begin(void) wm_hidden;
/* Add to the head of END what is known of them; nothing if there were none. */
void wm_child_usage_put(struct wm_buf *head) wm_hidden;
/* The process may have had children, or is one. */
bool wm_child_usage_matters(void) wm_hidden;

#endif
