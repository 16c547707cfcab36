/* SPDX-License-Identifier: Apache-2.0 */
/* The head of a block: fields and list of columns (docs/trace-format.md, 3).
 * It points into the caller's bytes, which must outlive it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "wm/trace_format.h"
#include "wm/varint.h"

/* The operands of each kind of event (docs/trace-format.md, 5). */
struct wm_operands {
	uint8_t known, stack, fresh, old, extra;
};
extern const struct wm_operands wm_operands[WMT_EV_LIMIT];

#define WM_MAX_COLUMNS 64

/* Bytes of a file, such as a column, or the rest of them; p may be NULL. */
struct wm_column {
	const uint8_t *p, *end;
};

/* Moves @c behind its next varint.  Returns false, with @c unchanged, if there
 * is none. */
static inline bool wm_take(struct wm_column *c, uint64_t *v)
{
	const uint8_t *p = wm_varint_get(c->p, c->end, v);

	if (p)
		c->p = p;
	return p != NULL;
}

struct wm_head_field {
	const uint8_t *data; /* NULL: the block lacks the field */
	size_t size;
	uint64_t v[3]; /* UINT has one number, TRIPLE three */
};

struct wm_head_column {
	uint64_t id, encoding, size;
};

struct wm_head {
	unsigned minor, type;
	struct wm_head_field field[WMT_F_LIMIT];
	struct wm_head_column column[WM_MAX_COLUMNS];
	size_t columns;
	const uint8_t *list, *end; /* of the columns; of the head */
};

enum wm_status wm_head_parse(struct wm_head *head, const uint8_t *data,
			     size_t size, struct wm_err *err);

/* Adds one field; an unknown field is ignored. */
enum wm_status wm_head_field(struct wm_head *head, uint64_t tag,
			     const uint8_t *p, size_t len, struct wm_err *err);

static inline bool wm_head_has(const struct wm_head *head, enum wmt_field f)
{
	return head->field[f].data != NULL;
}

/* Returns the value of a UINT field, or 0 without it. */
static inline uint64_t wm_head_uint(const struct wm_head *head,
				    enum wmt_field f)
{
	return head->field[f].v[0];
}

/* Sets *@to to a UINT field, if the block has the field. */
static inline void wm_head_set(uint64_t *to, const struct wm_head *head,
			       enum wmt_field f)
{
	if (wm_head_has(head, f))
		*to = wm_head_uint(head, f);
}

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
