/* SPDX-License-Identifier: Apache-2.0 */
/* Appends the fields that describe the process, not its events, to @head, which
 * has WM_HEAD_ROOM bytes.  The caller holds the writer lock. */
#pragma once

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"

void wm_fields_identity(struct wm_buf *head) wm_hidden;
void wm_fields_start(struct wm_buf *head, int crash_buffer) wm_hidden;
/* limits.c: the limits on memory of the batch job, of the memory cgroup and the
 * cgroups above it, and of the process.  Runs on the writer's stack. */
void wm_fields_limits(struct wm_buf *head) wm_hidden;
void wm_fields_end(struct wm_buf *head, const char *reason) wm_hidden;
