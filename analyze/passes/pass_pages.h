/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pass pages reads blocks of its own from the trace: these may be damaged,
 * and there may be more of them than changes.
 */
#ifndef WM_ANALYZE_PASS_PAGES_H
#define WM_ANALYZE_PASS_PAGES_H

#include <stdint.h>

#include "analyze/base/error.h"

/* After the last change: the epochs that are left. */
enum wm_status wm_pass_pages_drain(void *state, struct wm_err *err);
/* The damaged block that an error came from; else WM_ALL_BLOCKS. */
uint64_t wm_pass_pages_bad(const void *state);

#endif
