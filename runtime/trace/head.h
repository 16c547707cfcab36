/* SPDX-License-Identifier: Apache-2.0 */
/* The head of a block: prefix, fields, list of columns.  The functions append
 * to a buffer that the caller owns, with WM_HEAD_ROOM bytes reserved; texts are
 * cut at WM_HEAD_TEXT bytes. */
#pragma once

#include <stdint.h>
#include <string.h>

#include "wm/trace_format.h"
#include "wm/varint.h"

#include "runtime/base/pool.h"

#define WM_HEAD_TEXT 4096
#define WM_HEAD_ROOM (8 * WM_HEAD_TEXT)

static inline void wm_head_varint(struct wm_buf *b, uint64_t v)
{
	b->len = (size_t)(wm_varint_put(b->p + b->len, v) - b->p);
}

static inline void wm_head_begin(struct wm_buf *b, enum wmt_block type)
{
	uint8_t *p = b->p;

	memcpy(p, WMT_MAGIC, WMT_MAGIC_SIZE);
	p[4] = WMT_MAJOR;
	p[5] = WMT_MINOR;
	p[6] = (uint8_t)type;
	p[7] = 0;
	b->len = WMT_PREFIX_SIZE;
}

static inline void wm_head_bytes(struct wm_buf *b, enum wmt_field tag,
				 const void *data, size_t n)
{
	if (n > WM_HEAD_TEXT)
		n = WM_HEAD_TEXT;
	wm_head_varint(b, tag);
	wm_head_varint(b, n);
	/* cppcheck-suppress uninitvar ; of tmp the first n bytes are set */
	memcpy(b->p + b->len, data, n);
	b->len += n;
}

static inline void wm_head_text(struct wm_buf *b, enum wmt_field tag,
				const char *s)
{
	wm_head_bytes(b, tag, s, strlen(s));
}

static inline void wm_head_uint(struct wm_buf *b, enum wmt_field tag,
				uint64_t v)
{
	uint8_t tmp[WM_VARINT_MAX];

	wm_head_bytes(b, tag, tmp, (size_t)(wm_varint_put(tmp, v) - tmp));
}

static inline void wm_head_triple(struct wm_buf *b, enum wmt_field tag,
				  uint64_t ticks, uint64_t mono, uint64_t real)
{
	uint8_t tmp[3 * WM_VARINT_MAX], *p = tmp;

	p = wm_varint_put(p, ticks);
	p = wm_varint_put(p, mono);
	p = wm_varint_put(p, real);
	wm_head_bytes(b, tag, tmp, (size_t)(p - tmp));
}
