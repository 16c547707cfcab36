/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Column PARTS: the heads of the blocks that a block of a repacked trace
 * stands for (docs/trace-format.md, 6.7).
 *
 * A wm_parts borrows the column and owns nothing.  One thread at a time.
 */
#ifndef WM_ANALYZE_PARTS_H
#define WM_ANALYZE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/base/error.h"
#include "analyze/trace/head.h"
#include "wm/trace_format.h"
#include "wm/varint.h"

struct wm_parts {
	const uint8_t *p, *end;
	uint64_t last[WMT_PART_TAGS][3]; /* numbers of the field before */
	uint8_t numbers[3 * WM_VARINT_MAX]; /* of the field of now */
};

/* A field as it stood in its head; @data lasts until the next one. */
struct wm_part_field {
	uint64_t tag;
	const uint8_t *data;
	size_t size;
};

void wm_parts_init(struct wm_parts *p, const uint8_t *data, size_t size);
/* The first four bytes of the next head behind its magic; false: malformed. */
bool wm_parts_prefix(struct wm_parts *p, const uint8_t **prefix);
/* 1: the next field of the head, 0: it has no more, -1: malformed. */
int wm_parts_field(struct wm_parts *p, struct wm_part_field *f);
/*
 * All of the next head; it has no columns, and of numbers only the values
 * last.
 */
enum wm_status wm_parts_head(struct wm_parts *p, struct wm_head *h,
			     struct wm_err *err);

#endif
