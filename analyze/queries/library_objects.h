/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects of libraries (library_calls.h) that the program made and never freed:
 * plans, documents, statements.
 *
 * What functions of a library allocate for the program and leave is the
 * program's where it grows, or where more than one object was left: by calls
 * that go on through the run, by calls in several lines in the same ways, or
 * where most call paths below calls in one line agree on the number and what
 * these calls freed does not speak for fewer calls.  What is left once may be
 * the library's own, as a cache, or an object that was not closed: whose it is
 * is not known.  What functions that set a library up leave is the library's.
 */
#ifndef WM_ANALYZE_LIBRARY_OBJECTS_H
#define WM_ANALYZE_LIBRARY_OBJECTS_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/base/error.h"
#include "analyze/queries/handles.h"

struct wm_library_uses {
	const struct wm_use *use; /* by call path */
	const struct wm_lifetime *lifetime; /* of the first lifetimes paths */
	size_t lifetimes;
	uint64_t ranks; /* that these are of */
};

/* Add them to @h, and what is kept and not known.  Its arrays by call path are
 * there. */
enum wm_status wm_library_objects_find(struct wm_handles *h,
				       const struct wm_analysis *a,
				       const struct wm_library_uses *in,
				       struct wm_err *err);

#endif
