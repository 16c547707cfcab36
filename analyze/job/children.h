/* SPDX-License-Identifier: Apache-2.0 */
/* The memory that forked children with own traces had at one time. */
#pragma once

#include "analyze/job/analysis.h"

/* Fills .forked of each rank, after all ranks have been read. */
enum wm_status wm_children_read(struct wm_analysis *a, struct wm_err *err);
