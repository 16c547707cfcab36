/* SPDX-License-Identifier: Apache-2.0 */
/* The limits on memory at the start of the process: those of its batch job, of
 * its memory cgroup and the cgroups above it, and of the process itself.  A
 * limit is left out if its file in /proc or /sys cannot be read. */
#pragma once

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"

/* Runs on the writer's stack. */
void wm_limits_put(struct wm_buf *head) wm_hidden;
