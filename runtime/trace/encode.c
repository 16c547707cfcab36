/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/encode.h"

#include "wm/varint.h"

#define X(name, number, stack, fresh, old, extra)                              \
	[number] = (stack)*WM_HAS_STACK | (fresh)*WM_HAS_NEW |                 \
		   (old)*WM_HAS_OLD | (extra)*WM_HAS_EXTRA,
const uint8_t wm_event_has[WMT_EV_LIMIT] = { WMT_EVENT_LIST(X) };
#undef X

/* The rare operand: its column is made when it occurs. */
int wm_encode_extra(struct wm_columns *c, uint64_t value)
{
	struct wm_buf *b = &c->col[WMT_COL_EXTRA];

	if (wm_buf_reserve(b, WM_VARINT_MAX))
		return -1;
	b->len = (size_t)(wm_varint_put(b->p + b->len, value) - b->p);
	return 0;
}

int wm_encode_times_reserve(struct wm_columns *c, size_t n)
{
	return wm_buf_reserve(&c->col[WMT_COL_TIME],
			      (n + 1) * 2 * WM_VARINT_MAX);
}

int wm_encode_times(struct wm_columns *c, const struct wm_rec *rec, size_t n,
		    unsigned shift)
{
	struct wm_buf *b = &c->col[WMT_COL_TIME];
	uint64_t last = rec[0].time >> shift, run = 0;
	uint8_t *p;

	if (wm_encode_times_reserve(c, n))
		return -1;
	p = b->p;
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
	/* outermost first: that is what paths have in common */
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
