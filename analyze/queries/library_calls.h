/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which call of the program a library allocated for.
 *
 * A library is code that the program's authors cannot look into: functions of
 * shared libraries, or of members of archives, without source lines.  The
 * program's call of it is in the first function outwards that has lines; where
 * the program has none either, in the first one of its own objects.
 */
#ifndef WM_ANALYZE_LIBRARY_CALLS_H
#define WM_ANALYZE_LIBRARY_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/queries/path_frames.h"

/* The number of the caller in @f, whose frames before it are a library's; 0: it
 * is no such path. */
size_t wm_library_caller(const struct wm_analysis *a,
			 const struct wm_path_frames *f);

/* One of the first @count frames sets the library up, by its name. */
bool wm_library_sets_up(const struct wm_path_frames *f, size_t count);

/* A hash of the frames of @path inside of @caller: equal where calls of one
 * function go on in the same way. */
uint64_t wm_path_below(const struct wm_analysis *a, uint32_t path,
		       const struct wm_frame *caller);

/* An order of calls, 0 for those in the same line of a function, of which
 * compilers may make several; without lines, for the same call. */
int wm_library_compare_callers(const struct wm_frame *x,
			       const struct wm_frame *y);

#endif
