/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes a column KIND in the encoding OPS: events from half bytes and the
 * predictions of a model of the allocator (docs/trace-format.md, 6.6).  The
 * model belongs to one struct wm_event_data and starts anew with each block.
 * Bad input ends in WM_BAD_INPUT; no byte outside the columns is read. */
#pragma once

#include <stdbool.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/trace/decode.h"
#include "analyze/lib/trace/reader.h"

struct wm_ops;

enum wm_status wm_ops_begin(struct wm_cursor *c, struct wm_event_data *d,
			    struct wm_err *err);
void wm_ops_free(struct wm_ops *o);
size_t wm_ops_memory(const struct wm_ops *o);
/* Reads the next @n events, except their times, into @s, and the trace's
 * numbers of their call paths into @paths, which has WM_SLICE elements. */
enum wm_status wm_ops_next(struct wm_cursor *c, struct wm_slice *s, unsigned n,
			   uint64_t *paths, struct wm_err *err);
/* Returns whether nothing is left of the columns that belong to OPS. */
bool wm_ops_done(const struct wm_cursor *c);
