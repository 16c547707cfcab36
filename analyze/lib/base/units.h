/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes bytes, counts and times in the form that people use. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Parses a number of bytes such as "64G", "1.5M" or "4096".  The unit is K, M,
 * G, T or P, a power of 1024; KiB, GB and the like mean the same.  Returns
 * false for other texts. */
bool wm_parse_bytes(const char *text, uint64_t *bytes);

/* Parses a time such as "1.5", "1.5s", "250ms" or "250 ms"; us and ns are
 * units, too.  Returns false for other texts. */
bool wm_parse_seconds(const char *text, double *seconds);
/* Likewise, and also parses times such as "2 min 3 s" and "1 h 2 min".  Stores
 * half of the last digit's unit in *@half: 0.05 for "1.5", and 0 for "0" and
 * for a number with an exponent. */
bool wm_parse_moment(const char *text, double *seconds, double *half);

/* Parses a number of only digits, up to @max; returns false for other texts. */
bool wm_parse_number(const char *text, uint64_t max, uint64_t *v);

/* Returns the number above 0 at *@text, such as "8", "0.5" or "1e6", and moves
 * *@text behind the number.  Returns 0 if there is no such number. */
double wm_take_number(const char **text);

struct wm_figure {
	char s[48];
};

/* Writes "123.4 MiB", or "12 bytes" below 1 KiB, to @b; returns the text. */
const char *wm_bytes(struct wm_figure *b, uint64_t bytes);
/* "1,234,567" */
const char *wm_count(struct wm_figure *b, uint64_t n);
/* "1234 events", or "1 event" where @one is "event" */
const char *wm_several(struct wm_figure *b, uint64_t n, const char *one);
const char *wm_blocks(struct wm_figure *b, uint64_t n);
/* "12.345 s", "87.149 ms", "2.500 us": a moment in the form that --at takes */
const char *wm_seconds(struct wm_figure *b, double s);
/* "12.345678 s": a moment to the microsecond */
const char *wm_instant(struct wm_figure *b, double s);
/* "263 ms", "4.1 us", "99 ns", "12.3 s", "2.5 min", "3.1 h": a duration with
 * two or three digits, in the unit that fits. */
const char *wm_duration(struct wm_figure *b, double s);
