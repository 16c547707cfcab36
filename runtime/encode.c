/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/encode.h"

#include "wm/varint.h"

#define X(name, number, stack, fresh, old, extra)                              \
	[number] = (stack) | (fresh) << 1 | (old) << 2 | (extra) << 3,
static const uint8_t event_has[WMT_EV_LIMIT] = { WMT_EVENT_LIST(X) };
#undef X
#define HAS_STACK 1
#define HAS_NEW 2
#define HAS_OLD 4
#define HAS_EXTRA 8

static int reserve(struct wm_columns *c, size_t n)
{
	static const uint8_t bytes[WMT_COL_LIMIT] = {
		[WMT_COL_KIND] = 1,
		[WMT_COL_TIME] = 2 * WM_VARINT_MAX,
		[WMT_COL_STACK] = 5,
		[WMT_COL_SIZE] = WM_VARINT_MAX,
		[WMT_COL_ALLOC_ADDR] = WM_VARINT_MAX,
		[WMT_COL_FREE_ADDR] = WM_VARINT_MAX,
	};

	for (int i = 0; i < WMT_COL_LIMIT; i++) {
		if (!bytes[i])
			continue;
		c->col[i].len = 0;
		if (wm_buf_reserve(&c->col[i], n * bytes[i] + WM_VARINT_MAX))
			return -1;
	}
	c->col[WMT_COL_EXTRA].len = 0;
	return 0;
}

/* Two events a byte; if a kind is too high for that, one. */
static void encode_kinds(struct wm_columns *c, const struct wm_rec *rec,
			 size_t n)
{
	struct wm_buf *b = &c->col[WMT_COL_KIND];
	uint8_t *p = b->p;
	uint32_t high = 0;

	for (size_t i = 0; i + 1 < n; i += 2) {
		uint32_t a = WM_REC_KIND(&rec[i]);
		uint32_t z = WM_REC_KIND(&rec[i + 1]);

		high |= (a + 1) | (z + 1);
		*p++ = (uint8_t)(a | z << 4);
	}
	if (n & 1) {
		uint32_t a = WM_REC_KIND(&rec[n - 1]);

		high |= a + 1;
		*p++ = (uint8_t)(a | WMT_NIBBLE_NONE << 4);
	}
	c->kind_encoding = WMT_ENC_NIBBLE;
	if (wm_unlikely(high > 15)) {
		c->kind_encoding = WMT_ENC_OCTET;
		for (size_t i = 0; i < n; i++)
			b->p[i] = (uint8_t)WM_REC_KIND(&rec[i]);
		p = b->p + n;
	}
	b->len = (size_t)(p - b->p);
}

/* The rare operand: its column is made when it occurs. */
static __attribute__((noinline)) int encode_extra(struct wm_columns *c,
						  uint64_t value)
{
	struct wm_buf *b = &c->col[WMT_COL_EXTRA];

	if (wm_buf_reserve(b, WM_VARINT_MAX))
		return -1;
	b->len = (size_t)(wm_varint_put(b->p + b->len, value) - b->p);
	return 0;
}

static void encode_times(struct wm_columns *c, const struct wm_rec *rec,
			 size_t n, unsigned shift)
{
	struct wm_buf *b = &c->col[WMT_COL_TIME];
	uint64_t last = rec[0].time >> shift, run = 0;
	uint8_t *p = b->p;

	c->time_first = last;
	for (size_t i = 0; i < n; i++) {
		uint64_t t = rec[i].time >> shift;

		/* a thread that moves between sockets may see a step back */
		if (t <= last) {
			run++;
			continue;
		}
		p = wm_varint_put(p, run);
		p = wm_varint_put(p, t - last);
		last = t;
		run = 0;
	}
	p = wm_varint_put(p, run);
	c->time_last = last;
	b->len = (size_t)(p - b->p);
}

int wm_encode_events(struct wm_columns *c, const struct wm_rec *rec, size_t n,
		     unsigned shift)
{
	uint64_t last_new = 0, last_old = 0;
	uint8_t *stack, *size, *fresh, *old;

	if (reserve(c, n))
		return -1;
	encode_kinds(c, rec, n);
	encode_times(c, rec, n, shift);
	stack = c->col[WMT_COL_STACK].p;
	size = c->col[WMT_COL_SIZE].p;
	fresh = c->col[WMT_COL_ALLOC_ADDR].p;
	old = c->col[WMT_COL_FREE_ADDR].p;
	for (size_t i = 0; i < n; i++) {
		const struct wm_rec *r = &rec[i];
		unsigned has = event_has[WM_REC_KIND(r)];

		if (has & HAS_STACK) {
			stack = wm_varint_put(stack, r->stack);
			size = wm_varint_put(size, r->size);
		}
		if (has & HAS_NEW) {
			fresh = wm_varint_put(fresh, wmt_addr_code(r->addr,
								   last_new));
			last_new = r->addr;
		}
		if (has & HAS_OLD) {
			old = wm_varint_put(old, wmt_addr_code(r->addr,
							       last_old));
			last_old = r->addr;
		}
		if (wm_unlikely(has & HAS_EXTRA) && encode_extra(c, r->size))
			return -1;
	}
	c->col[WMT_COL_STACK].len = (size_t)(stack - c->col[WMT_COL_STACK].p);
	c->col[WMT_COL_SIZE].len = (size_t)(size - c->col[WMT_COL_SIZE].p);
	c->col[WMT_COL_ALLOC_ADDR].len =
		(size_t)(fresh - c->col[WMT_COL_ALLOC_ADDR].p);
	c->col[WMT_COL_FREE_ADDR].len =
		(size_t)(old - c->col[WMT_COL_FREE_ADDR].p);
	return 0;
}

static int encode_path(struct wm_buf *b, const struct wm_path *path,
		       const struct wm_path *before)
{
	size_t shared = 0;
	uint64_t last = 0;
	uint8_t *p;

	if (wm_buf_reserve(b, (path->depth + 2ul) * WM_VARINT_MAX))
		return -1;
	while (before && shared < path->depth && shared < before->depth &&
	       path->frames[shared] == before->frames[shared])
		shared++;
	p = b->p + b->len;
	p = wm_varint_put(p, path->depth);
	p = wm_varint_put(p, shared);
	if (shared)
		last = path->frames[shared - 1];
	for (size_t i = shared; i < path->depth; i++) {
		uint64_t f = path->frames[i];

		p = wm_varint_put(p, wm_zigzag((int64_t)(f - last)));
		last = f;
	}
	b->len = (size_t)(p - b->p);
	return 0;
}

int wm_encode_paths(struct wm_columns *c, const struct wm_path *first,
		    const struct wm_path *last, size_t limit,
		    const struct wm_path **next, uint32_t *count)
{
	struct wm_buf *b = &c->col[WMT_COL_DICT];
	const struct wm_path *before = NULL, *p = first;

	*next = first;
	while (p && (p == first || b->len < limit)) {
		if (encode_path(b, p, before))
			return -1;
		++*count;
		before = p;
		p = p == last ? NULL : p->next;
	}
	*next = p;
	return 0;
}
