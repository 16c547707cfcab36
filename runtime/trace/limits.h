/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The limits on memory at the start of the process: of its batch job, of its
 * memory cgroup and those above it, of the process itself.
 *
 * Without libc.  Limits in files of /proc or /sys that cannot be read are left
 * out.
 */
#ifndef WM_RUNTIME_LIMITS_H
#define WM_RUNTIME_LIMITS_H

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"

/* Adds them to the head of START.  On the writer's stack. */
void wm_limits_put(struct wm_buf *head) wm_hidden;

#endif
