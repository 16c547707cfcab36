/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/decode.h"

#include <inttypes.h>
#include <string.h>

#include "wm/varint.h"

enum wm_status wm_cursor_init(struct wm_cursor *c, const struct wm_trace *t,
			      const struct wm_event_block *b,
			      struct wm_event_data *d, struct wm_err *err)
{
	enum wm_status r;

	memset(c, 0, sizeof(*c));
	c->left = b->events;
	c->event = b->event_first;
	c->refusals = wm_refused_among(t, b->thread, b->event_first, b->events,
				       &c->refused);
	c->gen = &t->gen[b->generation];
	/* the crash buffer may have had no space for a path */
	c->lossy = t->gaps != 0 || b->memory;
	c->records = b->memory;
	if (c->records)
		return WM_OK;
	c->time = d->col[WMT_COL_TIME];
	c->extra = d->col[WMT_COL_EXTRA];
	c->shift = (unsigned)wm_head_uint(&d->stream.head, WMT_F_TIME_SHIFT);
	c->now = wm_head_uint(&d->stream.head, WMT_F_TIME_FIRST);
	c->last = wm_head_uint(&d->stream.head, WMT_F_TIME_LAST);
	r = wm_ops_begin(c, d, err);
	if (r || !c->left)
		return r;
	c->gaps = d->encoding[WMT_COL_TIME] == WMT_ENC_GAPS;
	c->run = 1;
	return c->gaps || wm_take(&c->time, &c->run) ?
		       WM_OK :
		       wm_malformed("TIME", err);
}

void wm_cursor_count(const struct wm_cursor *c, uint64_t count[WMT_EV_LIMIT])
{
	for (unsigned i = 0; i < WMT_EV_LIMIT; i++)
		count[i] += c->decoded[i];
}

/* Reads the times of @n events from runs of equal times. */
static enum wm_status next_times(struct wm_cursor *c, uint64_t *time,
				 unsigned n, struct wm_err *err)
{
	unsigned i = 0;
	uint64_t delta;

	for (;;) {
		uint64_t t = c->now << c->shift;
		unsigned m = c->run < n - i ? (unsigned)c->run : n - i;

		c->run -= m;
		while (m--)
			time[i++] = t;
		if (i == n)
			return WM_OK;
		if (!wm_take(&c->time, &delta) || delta > c->last - c->now ||
		    !wm_take(&c->time, &c->run) || c->run == UINT64_MAX)
			return wm_malformed("TIME", err);
		c->now += delta;
		c->run++;
	}
}

/* Reads the times of @n events from differences. */
static enum wm_status next_gaps(struct wm_cursor *c, uint64_t *time, unsigned n,
				struct wm_err *err)
{
	const uint8_t *p = c->time.p, *end = c->time.end;
	uint64_t now = c->now, gap;
	unsigned i = 0;

	if (c->run) { /* first event of the block */
		time[i++] = now << c->shift;
		c->run = 0;
	}
	for (; i < n; i++) {
		p = wm_varint_get(p, end, &gap);
		if (!p || gap > c->last - now)
			return wm_malformed("TIME", err);
		now += gap;
		time[i] = now << c->shift;
	}
	c->now = now;
	c->time.p = p;
	return WM_OK;
}

static enum wm_status map_paths(struct wm_cursor *c, const uint64_t *number,
				uint32_t *path, unsigned n, struct wm_err *err)
{
	const uint32_t *map = c->gen->near.path;
	uint64_t known = c->gen->near.count;

	for (unsigned i = 0; i < n; i++) {
		path[i] = number[i] < known ?
				  map[number[i]] :
				  wm_generation_find(c->gen, number[i]);
		if (path[i] != WM_NO_PATH)
			continue;
		if (!c->lossy)
			return wm_err_set(err, WM_BAD_INPUT,
					  "call path %" PRIu64
					  " is not defined",
					  number[i]);
		path[i] = 0;
	}
	return WM_OK;
}

/* Only a failed call can have asked for more memory than is possible. */
static enum wm_status check_sizes(const struct wm_slice *s, struct wm_err *err)
{
	unsigned i, j = 0;
	uint64_t all = 0;

	for (i = 0; i < s->stacks; i++)
		all |= s->size[i];
	if (all < WM_MAX_BYTES)
		return WM_OK;
	for (i = 0; i < s->events; i++) {
		if (!wm_operands[s->kind[i]].stack)
			continue;
		if (s->size[j++] >= WM_MAX_BYTES && s->kind[i] != WMT_EV_FAILED)
			return wm_err_set(err, WM_BAD_INPUT,
					  "an allocation of %" PRIu64 " bytes",
					  s->size[j - 1]);
	}
	return WM_OK;
}

static enum wm_status next_extras(struct wm_cursor *c, uint64_t *extra,
				  unsigned n, struct wm_err *err)
{
	for (unsigned i = 0; i < n; i++)
		if (!wm_take(&c->extra, &extra[i]))
			return wm_malformed("EXTRA", err);
	return WM_OK;
}

static enum wm_status check_all_used(const struct wm_cursor *c,
				     struct wm_err *err)
{
	if (c->records)
		return WM_END;
	if (!wm_ops_done(c) || c->time.p != c->time.end ||
	    c->extra.p != c->extra.end || c->run)
		return wm_err_set(err, WM_BAD_INPUT,
				  "columns hold more than the events need");
	if (c->now != c->last)
		return wm_err_set(err, WM_BAD_INPUT,
				  "the last event is not at TIME_LAST");
	return WM_END;
}

static void next_records(struct wm_cursor *c, struct wm_slice *s, unsigned n,
			 uint64_t *paths)
{
	s->stacks = s->news = s->olds = s->extras = 0;
	s->events = n;
	for (unsigned i = 0; i < n; i++) {
		const struct wm_event *e = c->records++;
		const struct wm_operands *has = &wm_operands[e->kind];

		s->kind[i] = e->kind;
		s->time[i] = e->time;
		if (has->stack) {
			paths[s->stacks] = e->path;
			s->size[s->stacks++] = e->size;
		}
		if (has->fresh)
			s->new_addr[s->news++] = e->addr;
		if (has->old)
			s->old_addr[s->olds++] = e->addr;
		if (has->extra)
			s->extra[s->extras++] = e->size;
		c->decoded[e->kind]++;
	}
}

static enum wm_status next_columns(struct wm_cursor *c, struct wm_slice *s,
				   unsigned n, uint64_t *paths,
				   struct wm_err *err)
{
	enum wm_status r = wm_ops_next(c, s, n, paths, err);

	if (!r)
		r = c->gaps ? next_gaps(c, s->time, n, err) :
			      next_times(c, s->time, n, err);
	return r ? r : next_extras(c, s->extra, s->extras, err);
}

static void take_back(struct wm_cursor *c, struct wm_slice *s)
{
	while (c->refusals && c->refused->event - c->event < s->events) {
		unsigned i = (unsigned)(c->refused->event - c->event);

		c->decoded[wm_refused_apply(s, i)]--;
		c->decoded[s->kind[i]]++;
		c->refused++;
		c->refusals--;
	}
}

enum wm_status wm_cursor_next(struct wm_cursor *c, struct wm_slice *s,
			      struct wm_err *err)
{
	unsigned n = c->left < WM_SLICE ? (unsigned)c->left : WM_SLICE;
	uint64_t paths[WM_SLICE];
	enum wm_status r = WM_OK;

	s->events = 0;
	if (!n)
		return check_all_used(c, err);
	if (c->records)
		next_records(c, s, n, paths);
	else
		r = next_columns(c, s, n, paths, err);
	if (r || (r = map_paths(c, paths, s->path, s->stacks, err)) ||
	    (r = check_sizes(s, err)))
		return r;
	if (c->refusals)
		take_back(c, s);
	c->event += n;
	c->left -= n;
	return WM_OK;
}
