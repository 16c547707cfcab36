/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --repack: writes the blocks of a plan, joined and compressed.
 *
 * Nothing is checked here: wm_repack_verify() reads what was written.
 */
#ifndef WM_ANALYZE_REPACK_WRITE_H
#define WM_ANALYZE_REPACK_WRITE_H

#include <stdint.h>

#include "analyze/base/error.h"
#include "analyze/repack/repack_plan.h"

/*
 * Append the repacked trace to the empty file @fd.  What plan->tail leaves out
 * follows byte by byte; *@tail is where it begins, *@blocks the number of
 * blocks before it.
 */
enum wm_status wm_repack_write(struct wm_repack_plan *p, int fd, uint64_t *tail,
			       uint64_t *blocks, struct wm_err *err);

#endif
