/* SPDX-License-Identifier: Apache-2.0 */
/* Makes tokens of the thread's stream (docs/trace-format.md, 6.11), for
 * runtime/access and access_notes.c. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#include "wm/access_format.h"
#include "wm/varint.h"

#include "runtime/base/attributes.h"
#include "runtime/trace/accesses.h"

struct token {
	uint8_t *p;
	uint64_t coded; /* accesses up to this token's own */
};

static inline struct token begin_token(struct wm_access_stream *s,
				       unsigned what)
{
	uint64_t point = atomic_load_explicit(&s->point, memory_order_relaxed);
	struct token t = { wm_access_tokens(s) + WM_ACCESS_USED(point),
			   s->count };
	uint64_t run = s->count - WM_ACCESS_CODED(point);

	if (wm_likely(run < WMA_RUN_MORE)) {
		*t.p++ = (uint8_t)(what | run << WMA_RUN_SHIFT);
	} else {
		*t.p++ = (uint8_t)(what | WMA_RUN_MORE << WMA_RUN_SHIFT);
		t.p = wm_varint_put(t.p, run - WMA_RUN_MORE);
	}
	return t;
}

static inline void end_token(struct wm_access_stream *s, struct token t)
{
	/* pairs with the acquire in take_moment() */
	atomic_store_explicit(&s->point,
			      WM_ACCESS_POINT(t.coded,
					      (uint64_t)(t.p -
							 wm_access_tokens(s))),
			      memory_order_release);
}

static inline bool is_full(const struct wm_access_stream *s)
{
	uint64_t point = atomic_load_explicit(&s->point, memory_order_relaxed);

	return WM_ACCESS_USED(point) > WM_ACCESS_BYTES - 2 * WM_ACCESS_TOKEN;
}

/* Returns the number of bytes of a jump, and stores its code in *@length. */
static inline unsigned jump_bytes(uint64_t jump, unsigned *length)
{
	unsigned n = (71 - (unsigned)__builtin_clzll(jump | 1)) / 8;

	*length = n > 6 ? WMA_JUMP_WIDE : n;
	return n > 6 ? 8 : n;
}

static inline void put_eight(uint8_t *p, uint64_t v)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	__builtin_memcpy(p, &v, sizeof(v));
}
