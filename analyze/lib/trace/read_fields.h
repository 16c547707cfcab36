/* SPDX-License-Identifier: Apache-2.0 */
/* Copies fields of heads into the trace, which owns the copies. */
#pragma once

#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/trace/head.h"
#include "analyze/lib/trace/reader.h"

enum wm_status wm_trace_take_start(struct wm_trace *t, const struct wm_head *h,
				   struct wm_err *err);
enum wm_status wm_trace_take_end(struct wm_trace *t, const struct wm_head *h,
				 struct wm_err *err);
enum wm_status wm_trace_take_common(struct wm_trace *t, const struct wm_head *h,
				    struct wm_err *err);
/* Sets *@to to a copy of the text of field @f, if @head has this field. */
enum wm_status wm_trace_set_text(char **to, const struct wm_head *head,
				 enum wmt_field f, struct wm_err *err);
/* Raises *@back to the ticks by which a clock fell from @before to @now. */
void wm_trace_raise_back(uint64_t *back, uint64_t before, uint64_t now);
