/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects of libraries (library_calls.h) that the program made and never freed:
 * plans, documents, statements.
 *
 * Blocks that functions of a library allocate for the program and leave are the
 * program's where they grow, or where more than one object was left: by calls
 * that go on through the run, by calls in several lines in the same ways, or
 * where most call paths below calls in one line agree on the number and the
 * blocks that these calls freed do not suggest fewer calls.  A block that is
 * left once may be the library's own, as a cache, or an object that was not
 * closed: its owner is not known.  Blocks that functions for setting up a
 * library leave are the library's.
 */
#ifndef WM_ANALYZE_LIBRARY_OBJECTS_H
#define WM_ANALYZE_LIBRARY_OBJECTS_H

#include "analyze/lib/base/error.h"
#include "analyze/answers/leaks/handles.h"
#include "analyze/answers/leaks/library_calls.h"

/* Adds them to @h, with blocks that libraries keep and blocks of unknown
 * owners.  The arrays of @h by call path must exist. */
enum wm_status wm_library_objects_find(struct wm_handles *h,
				       const struct wm_analysis *a,
				       const struct wm_library_uses *in,
				       struct wm_err *err);

#endif
