/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The limits on memory that the process has met at its start: of its batch
 * job, of its memory cgroup and those above it, of the process itself.
 *
 * Without libc and without /proc or /sys: what cannot be read is left out.
 */
#ifndef WM_RUNTIME_LIMITS_H
#define WM_RUNTIME_LIMITS_H

#include "runtime/base/pool.h"
#include "runtime/hooks.h"

/* On the writer's stack: add them to the head of START. */
void wm_limits_put(struct wm_buf *head) wm_hidden;

#endif
