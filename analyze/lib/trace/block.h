/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of a block, and their checks.  Pure functions. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/trace/head.h"
#include "wm/trace_format.h"

enum wm_status wm_malformed(const char *column, struct wm_err *err);

/* Returns WM_BAD_INPUT if the columns that @h announces are not possible. */
enum wm_status wm_block_check(const struct wm_head *h, struct wm_err *err);
bool wm_block_is_event_column(uint64_t id);
static inline uint64_t wm_block_encoding(const struct wm_head_column *c)
{
	return c->encoding & ~(uint64_t)WMT_ENC_PACKED;
}
static inline bool wm_block_is_packed(const struct wm_head_column *c)
{
	return (c->encoding & WMT_ENC_PACKED) != 0;
}
/* Returns an upper bound of the bytes of events in a column. */
static inline uint64_t wm_block_most(const struct wm_head *h)
{
	return 20 * wm_head_uint(h, WMT_F_EVENTS) + 32;
}
