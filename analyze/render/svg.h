/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the pictures share.  They write to a stream that is not theirs.
 */
#ifndef WM_ANALYZE_SVG_H
#define WM_ANALYZE_SVG_H

#include <stdbool.h>
#include <stdio.h>

/* Text between tags, whatever bytes are in it. */
void wm_svg_text(FILE *out, const char *s);
/* 1, 2 or 5 times a power of ten (@binary: of that and 1024): about @n of it
 * make @whole. */
double wm_svg_step(double whole, int n, bool binary);

/* Where a picture is drawn, within its axes. */
struct wm_svg_plot {
	double left, right, top, bottom;
};

/* The height of @bytes of @whole. */
double wm_svg_y(const struct wm_svg_plot *p, double bytes, double whole);
/* Both axes, and about @n lines across, with their bytes, up to @whole.  Of the
 * classes "axis", "grid" and, for text that ends there, "r". */
void wm_svg_bytes(const struct wm_svg_plot *p, double whole, int n, FILE *out);

#endif
