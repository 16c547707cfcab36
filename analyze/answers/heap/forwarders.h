/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds functions that only forward a request: xmalloc(), local_alloc(), a
 * class's allocate().  Text charges their memory to their callers; JSON and CSV
 * do not.
 *
 * A function of the program forwards if it has a caller, is on no path twice
 * and, in all call paths, either allocates or calls the same forwarding
 * function, always at one place (source line or address).
 *
 * A function that forwards is folded if a rule of kind forward matches its name
 * (the built-in rule matches all names), and if two or more functions call it,
 * or its only caller is folded.  A function that a rule of group wrapper names
 * is always folded.
 *
 * Forwarders are found when the first list of an analysis needs them, and are
 * stored in the analysis (struct wm_forwarders).  One thread at a time.
 */
#pragma once

#include <stdbool.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/heap/functions.h"
#include "analyze/answers/heap/path_frames.h"

/* Finds the forwarders of the analysis, unless they have been found. */
enum wm_status wm_forwarders_find(const struct wm_analysis *a,
				  struct wm_err *err);
bool wm_forwarders_has(const struct wm_forwarders *w,
		       const struct wm_symbol *s);
/* Makes @to from @f, with the memory of forwarders moved to their callers.  The
 * caller releases @to. */
enum wm_status wm_forwarders_fold(struct wm_functions *to,
				  const struct wm_functions *f,
				  const struct wm_analysis *a,
				  struct wm_err *err);
/* For code that folds by itself.  wm_forwarders_agree() finds the forwarders of
 * two analyses that are compared: a name that one analysis folds is also folded
 * in the other.  Thereafter wm_forwarders_passed() returns the number of
 * forwarders at the start of a call path, or 0 if all frames are forwarders. */
enum wm_status wm_forwarders_agree(const struct wm_analysis *a,
				   const struct wm_analysis *b,
				   struct wm_err *err);
size_t wm_forwarders_passed(const struct wm_analysis *a,
			    const struct wm_path_frames *callpath);
/* Does the same as wm_forwarders_fold(), in place. */
enum wm_status wm_forwarders_apply(struct wm_functions *f,
				   const struct wm_analysis *a,
				   struct wm_err *err);
