/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The picture of --history: a line of peaks over dates for each series.
 */
#ifndef WM_ANALYZE_SVG_HISTORY_H
#define WM_ANALYZE_SVG_HISTORY_H

#include <stdio.h>

/* Plain SVG 1.1 of a struct wm_history on @out, which is not its own. */
void wm_history_svg(const void *history, FILE *out);

#endif
