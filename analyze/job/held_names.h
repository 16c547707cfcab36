/* SPDX-License-Identifier: Apache-2.0 */
/* Names of variables that point at blocks, from the files of modules. */
#pragma once

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"

/* Finds the names of the chosen rank and of the sum over all ranks. */
enum wm_status wm_held_names_find(struct wm_analysis *a, struct wm_err *err);
