/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/encode.h"

#include "wm/varint.h"

#define X(name, number, stack, fresh, old, extra)                              \
	[number] = (stack)*WM_HAS_STACK | (fresh)*WM_HAS_NEW |                 \
		   (old)*WM_HAS_OLD | (extra)*WM_HAS_EXTRA,
const uint8_t wm_event_has[WMT_EV_LIMIT] = { WMT_EVENT_LIST(X) };
#undef X

int wm_encode_times_reserve(struct wm_columns *c, size_t n)
{
	return wm_buf_reserve(&c->col[WMT_COL_TIME],
			      (n + 1) * 2 * WM_VARINT_MAX);
}

/* Equal times are rare, so there are no lengths of runs. */
static uint8_t *put_gaps(struct wm_columns *c, uint8_t *p,
			 const struct wm_rec *rec, size_t n)
{
	uint64_t last = rec->time;

	for (const struct wm_rec *end = rec++ + n; rec != end; rec++) {
		uint64_t gap = rec->time - last;

		if (wm_unlikely(gap >= 0x80)) {
			/* A thread that moves to another socket may see the
			 * time step back. */
			if ((int64_t)gap < 0)
				gap = 0;
			p = wm_varint_put(p, gap);
		} else {
			*p++ = (uint8_t)gap;
		}
		last += gap;
	}
	c->time_last = last;
	return p;
}

/* Returns the first record from @rec on that is not before @next, or @end. */
static inline const struct wm_rec *
end_of_run(const struct wm_rec *rec, const struct wm_rec *end, uint64_t next)
{
	while (end - rec >= 4 && rec[0].time < next && rec[1].time < next &&
	       rec[2].time < next && rec[3].time < next)
		rec += 4;
	while (rec != end && rec->time < next)
		rec++;
	return rec;
}

int wm_encode_times(struct wm_columns *c, const struct wm_rec *rec, size_t n,
		    unsigned shift)
{
	struct wm_buf *b = &c->col[WMT_COL_TIME];
	const struct wm_rec *begin = rec, *end = rec + n;
	uint64_t last = rec[0].time >> shift, next = (last + 1) << shift;
	uint8_t *p;

	if (wm_encode_times_reserve(c, n))
		return -1;
	p = b->p;
	c->time_first = last;
	if (shift == 0 && n > 1) {
		c->encoding[WMT_COL_TIME] = WMT_ENC_GAPS;
		b->len = (size_t)(put_gaps(c, p, rec, n) - p);
		return 0;
	}
	c->encoding[WMT_COL_TIME] = WMT_ENC_RUNS;
	for (;;) {
		uint64_t t;

		/* Times that step back are part of a run. */
		rec = end_of_run(rec, end, next);
		p = wm_varint_put(p, (uint64_t)(rec - begin));
		if (rec == end)
			break;
		t = rec->time >> shift;
		p = wm_varint_put(p, t - last);
		last = t;
		next = (t + 1) << shift;
		begin = ++rec;
	}
	c->time_last = last;
	b->len = (size_t)(p - b->p);
	return 0;
}
