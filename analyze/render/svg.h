/* SPDX-License-Identifier: Apache-2.0 */
/* Parts that all pictures share: plain SVG 1.1 without scripts or fonts.  The
 * stream belongs to the caller.  Texts may have any bytes.  All pictures have
 * the classes "axis", "grid" and "line", and for text "t" (title), "s" (small),
 * "m" (centred) and "r" (aligned right). */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#define WM_SVG_WIDTH 960

/* A picture with the edges of its plot, and the values at the edges. */
struct wm_svg {
	FILE *out;
	double left, right, top, bottom;
	double from, to, high; /* left, right, upper; the lower one is 0 */
	bool logarithmic; /* from left to right */
};

/* Writes text between tags. */
void wm_svg_text(FILE *out, const char *s);
/* Returns about @whole / @n: 1, 2 or 5 times a power of ten and @unit. */
double wm_svg_step(double whole, int n, double unit);
/* Colours of series, in turn; the last one is for all others. */
#define WM_SVG_COLOURS 10
extern const char *const wm_svg_colour[WM_SVG_COLOURS];

/* Writes the head, with further classes, on white. */
void wm_svg_begin(const struct wm_svg *p, double height, const char *classes);
void wm_svg_end(const struct wm_svg *p);

double wm_svg_x(const struct wm_svg *p, double v);
/* Widens the range of values to include these. */
void wm_svg_hold(struct wm_svg *p, double x, double y);
/* Writes a step of a path to the place of these values. */
void wm_svg_to(const struct wm_svg *p, bool first, double x, double y);

void wm_svg_label(const struct wm_svg *p, const char *class, double x, double y,
		  const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* Writes the text that appears under the pointer, in an element. */
void wm_svg_title(const struct wm_svg *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* Writes a line of a legend, or a part of it. */
void wm_svg_legend(const struct wm_svg *p, const char *colour, double x,
		   double y, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/* Draws a circle at the place of these values, with its title. */
void wm_svg_point(const struct wm_svg *p, const char *class, double x, double y,
		  const char *fmt, ...) __attribute__((format(printf, 5, 6)));

void wm_svg_axes(const struct wm_svg *p);
/* Draws both axes, and about @n lines across, with their bytes. */
void wm_svg_bytes(const struct wm_svg *p, int n);
/* Write ticks of the lower axis: one tick with its text; all ticks of seconds;
 * all ticks of a logarithmic axis, at doublings. */
void wm_svg_tick(const struct wm_svg *p, double x, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void wm_svg_seconds(const struct wm_svg *p);
void wm_svg_doublings(const struct wm_svg *p);
