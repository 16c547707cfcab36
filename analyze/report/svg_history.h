/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The picture of --history: a line of peaks over dates for each series.
 */
#ifndef WM_ANALYZE_SVG_HISTORY_H
#define WM_ANALYZE_SVG_HISTORY_H

#include <stdio.h>

struct wm_history;

/* Plain SVG 1.1 on @out, which is not its own. */
void wm_history_svg(const struct wm_history *h, FILE *out);

#endif
