/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the traces of a run in threads (crew.h) and processes (spread.h). */
#pragma once

#include "analyze/lib/base/error.h"
#include "analyze/job/crew.h"

/* Returns the number of threads that read @groups groups.  @threads is the
 * user's number; 0 means one per processor, at most 8. */
unsigned wm_load_threads(unsigned threads, size_t groups);
enum wm_status wm_load_run(const struct wm_load *l, struct wm_err *err);
