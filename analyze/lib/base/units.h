/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes, counts and times as people write and read them.  Any thread; texts are
 * in the caller's memory.
 */
#ifndef WM_ANALYZE_UNITS_H
#define WM_ANALYZE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * "64G", "1.5M", "4096": bytes, with K, M, G, T or P (powers of 1024; KiB, GB
 * and the like are the same) behind them.  False: @text is something else.
 */
bool wm_parse_bytes(const char *text, uint64_t *bytes);

/* "1.5", "1.5s", "250ms", "250 ms", also us and ns.  False: @text is not a
 * time. */
bool wm_parse_seconds(const char *text, double *seconds);
/* The same, also "2 min 3 s" and "1 h 2 min", and half of its last digit: 0.05
 * for "1.5"; 0 for 0, and with an exponent. */
bool wm_parse_moment(const char *text, double *seconds, double *half);

/* Parse a number of only digits, up to @max; false: @text is none. */
bool wm_parse_number(const char *text, uint64_t max, uint64_t *v);

/* A number above 0, "8", "0.5" or "1e6", at *@text, which moves behind it; 0:
 * there is none. */
double wm_take_number(const char **text);

struct wm_figure {
	char s[48];
};

/* "123.4 MiB"; below 1 KiB "12 bytes".  The text is in @b. */
const char *wm_bytes(struct wm_figure *b, uint64_t bytes);
/* "1,234,567" */
const char *wm_count(struct wm_figure *b, uint64_t n);
/* "1234 events"; "1 event": @one of them */
const char *wm_several(struct wm_figure *b, uint64_t n, const char *one);
/* "1,234 blocks"; "1 block" */
const char *wm_blocks(struct wm_figure *b, uint64_t n);
/* "12.345 s", "87.149 ms", "2.500 us": a moment, which --at takes */
const char *wm_seconds(struct wm_figure *b, double s);
/* The same to the microsecond: a moment that need not be one of highest use. */
const char *wm_instant(struct wm_figure *b, double s);
/* "263 ms", "4.1 us", "99 ns", "12.3 s", "2.5 min", "3.1 h": two or three
 * digits in the unit that fits. */
const char *wm_duration(struct wm_figure *b, double s);

#endif
