/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --repack: proves that a repacked trace says what the one before it says:
 * every event, call path, name, module, field, and byte of what could not be
 * read.
 *
 * Both are read by the code that all reports read traces with.
 */
#ifndef WM_ANALYZE_REPACK_VERIFY_H
#define WM_ANALYZE_REPACK_VERIFY_H

#include <stdint.h>

#include "analyze/base/error.h"
#include "analyze/repack/repack_plan.h"

/*
 * Compare @p with the file @path: @blocks blocks up to @tail, and then what
 * p->tail leaves out.  WM_BAD_INPUT: they differ.
 */
enum wm_status wm_repack_verify(struct wm_repack_plan *p, const char *path,
				uint64_t tail, uint64_t blocks,
				struct wm_err *err);

#endif
