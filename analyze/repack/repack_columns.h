/* SPDX-License-Identifier: Apache-2.0 */
/* --repack: the columns of a block (docs/trace-format.md, section 6). */
#ifndef WM_ANALYZE_REPACK_COLUMNS_H
#define WM_ANALYZE_REPACK_COLUMNS_H

#include "analyze/base/octets.h"
#include "wm/trace_format.h"

/* By column number; an empty one is left out. */
struct wm_columns_out {
	struct wm_octets col[WMT_COL_LIMIT];
	uint8_t encoding[WMT_COL_LIMIT]; /* WMT_ENC_* */
};

#endif
