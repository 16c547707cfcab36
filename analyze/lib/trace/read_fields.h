/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies fields of heads (head.h) into the trace: the fields of the blocks
 * START and END, and those that any block may have.
 *
 * Only for the reader (reader.h).  The copies of texts belong to the trace.
 */
#pragma once

#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/trace/head.h"
#include "analyze/lib/trace/reader.h"

enum wm_status wm_trace_take_start(struct wm_trace *t, const struct wm_head *h,
				   struct wm_err *err);
enum wm_status wm_trace_take_end(struct wm_trace *t, const struct wm_head *h,
				 struct wm_err *err);
/* Takes the fields that any block may have. */
enum wm_status wm_trace_take_common(struct wm_trace *t, const struct wm_head *h,
				    struct wm_err *err);
/* Sets *@to to a copy of the text of field @f, if @head has this field. */
enum wm_status wm_trace_set_text(char **to, const struct wm_head *head,
				 enum wmt_field f, struct wm_err *err);
/* Raises *@back to the number of ticks by which a clock went back, if the clock
 * went from @before to a lower @now and the number is higher than *@back. */
void wm_trace_raise_back(uint64_t *back, uint64_t before, uint64_t now);
