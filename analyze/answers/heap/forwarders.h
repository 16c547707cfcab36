/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that only forward: xmalloc(), local_alloc(), a class's allocate().
 * Text shows their callers instead; JSON and CSV do not.
 *
 * A function of the program forwards if, in all call paths of the trace,
 * - it is the allocation site, or always calls the same function that
 *   forwards, and makes the call at one place (source line, or address);
 * - it has a caller, and is not on a path twice.
 *
 * A function that forwards is folded if a rule of kind forward fits its name
 * (the built-in rule fits all names), and if two or more functions call it, or
 * if its only caller is folded: one caller is no reason to hide the function
 * that allocates.  Functions that a rule of group wrapper names are always
 * folded.
 *
 * Forwarders are found once for an analysis, when the first list asks for them,
 * and are kept in it (struct wm_forwarders).  One thread at a time.
 */
#pragma once

#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/heap/functions.h"
#include "analyze/answers/heap/path_frames.h"

/*
 * Makes @to from @f, with the memory of forwarders moved to their callers.  The
 * caller releases @to.
 */
enum wm_status wm_forwarders_fold(struct wm_functions *to,
				  const struct wm_functions *f,
				  const struct wm_analysis *a,
				  struct wm_err *err);
/*
 * For code that folds by itself.  wm_forwarders_agree() finds the forwarders of
 * two analyses that are compared: a name that one analysis folds is folded in
 * the other, too.  Thereafter wm_forwarders_passed() returns how many frames of
 * a call path, from its site on, are forwarders; if all frames are, it returns
 * 0.
 */
enum wm_status wm_forwarders_agree(const struct wm_analysis *a,
				   const struct wm_analysis *b,
				   struct wm_err *err);
size_t wm_forwarders_passed(const struct wm_analysis *a,
			    const struct wm_path_frames *callpath);
/* Does the same as wm_forwarders_fold() in place. */
enum wm_status wm_forwarders_apply(struct wm_functions *f,
				   const struct wm_analysis *a,
				   struct wm_err *err);
