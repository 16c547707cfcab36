/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes, counts and times as people write and read them.  Any thread; texts
 * are in what the caller gives.
 */
#ifndef WM_ANALYZE_UNITS_H
#define WM_ANALYZE_UNITS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * "64G", "1.5M", "4096": bytes, with K, M, G or T (powers of 1024; KiB, GB and
 * the like are the same) behind them.  Returns false when @text is nothing of
 * that.
 */
bool wm_parse_bytes(const char *text, uint64_t *bytes);

/* "1.5", "1.5s", "250ms", also us and ns.  Returns false when @text is no
 * time. */
bool wm_parse_seconds(const char *text, double *seconds);

/* Digits alone, a number up to @max.  Returns false when @text is not. */
bool wm_parse_number(const char *text, uint64_t max, uint64_t *v);

struct wm_buf {
	char s[48];
};

/* "123.4 MiB"; below 1 KiB "12 bytes".  The text is in @b. */
const char *wm_bytes(struct wm_buf *b, uint64_t bytes);
/* "1,234,567" */
const char *wm_count(struct wm_buf *b, uint64_t n);
/* "1,234 blocks"; "1 block" */
const char *wm_blocks(struct wm_buf *b, uint64_t n);
/* "12.345 s" */
const char *wm_seconds(struct wm_buf *b, double s);

#endif
