/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds objects of libraries (library_calls.h) that the program made and never
 * freed: plans, documents, statements.
 *
 * Blocks that functions of a library allocate for the program and leave are the
 * program's if they grow, or if more than one object was left.  More than one
 * object was left if the calls go on through the run; if calls in several lines
 * left blocks in the same ways; or if most call paths below calls in one line
 * agree on the number, and the blocks that these calls freed do not suggest
 * fewer calls.
 *
 * The owner of a block that is left once is unknown: it may be the library's
 * cache, or an object that was not closed.  Blocks that functions for setting
 * up a library leave are the library's.
 */
#pragma once

#include "analyze/lib/base/error.h"
#include "analyze/answers/leaks/handles.h"
#include "analyze/answers/leaks/library_calls.h"

/* Adds the objects, the blocks that libraries keep, and the blocks of unknown
 * owners to @h, whose arrays by call path must exist. */
enum wm_status wm_library_objects_find(struct wm_handles *h,
				       const struct wm_analysis *a,
				       const struct wm_library_uses *in,
				       struct wm_err *err);
