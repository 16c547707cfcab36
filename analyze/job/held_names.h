/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of variables that point at blocks: traces have the places of words in
 * static memory, which become names here, from the files of the modules.
 */
#ifndef WM_ANALYZE_HELD_NAMES_H
#define WM_ANALYZE_HELD_NAMES_H

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"

/* Finds those of all ranks put together, and of the chosen one. */
enum wm_status wm_held_names_find(struct wm_analysis *a, struct wm_err *err);

#endif
