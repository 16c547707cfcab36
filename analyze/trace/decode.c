/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/trace/decode.h"

#include <inttypes.h>
#include <string.h>

#include "analyze/trace/decode_ops.h"
#include "analyze/trace/decode_varint.h"
#include "wm/varint.h"

/*
 * Operands of each kind in fields of 12 bits, so that the needs of a slice
 * add up in one word: stacks, new addresses, old addresses, extra values.
 */
#define FIELD 12
#define NEEDS(s, a, f, x)                                                      \
	((uint64_t)(s) | (uint64_t)(a) << FIELD | (uint64_t)(f) << 2 * FIELD | \
	 (uint64_t)(x) << 3 * FIELD)
#define NEED(needs, field) ((unsigned)((needs) >> (field)*FIELD) & 0xfff)

#define X(name, number, s, a, f, x) [number] = NEEDS(s, a, f, x),
static const uint64_t kind_needs[WMT_EV_LIMIT] = { WMT_EVENT_LIST(X) };
#undef X

static enum wm_status malformed(const char *column, struct wm_err *err)
{
	return wm_err_set(err, WM_BAD_INPUT, "column %s is malformed", column);
}

enum wm_status wm_cursor_init(struct wm_cursor *c, const struct wm_trace *t,
			      const struct wm_event_block *b,
			      struct wm_event_data *d, struct wm_err *err)
{
	enum wm_status r;

	memset(c, 0, sizeof(*c));
	c->kind = d->col[WMT_COL_KIND];
	c->time = d->col[WMT_COL_TIME];
	c->stack = d->col[WMT_COL_STACK];
	c->size = d->col[WMT_COL_SIZE];
	c->new_addr = d->col[WMT_COL_ALLOC_ADDR];
	c->old_addr = d->col[WMT_COL_FREE_ADDR];
	c->extra = d->col[WMT_COL_EXTRA];
	c->left = b->events;
	c->shift = (unsigned)wm_head_uint(&d->head, WMT_F_TIME_SHIFT);
	c->now = wm_head_uint(&d->head, WMT_F_TIME_FIRST);
	c->last = wm_head_uint(&d->head, WMT_F_TIME_LAST);
	c->gen = &t->gen[b->generation];
	/* a path may not have found room in the window */
	c->lossy = t->gaps != 0 || b->memory;
	if (!c->left)
		return WM_OK;
	if (!d->plain) {
		r = wm_ops_begin(c, t, b, d, err);
		if (r)
			return r;
	}
	c->time.p = wm_varint_get(c->time.p, c->time.end, &c->run);
	if (!c->time.p)
		return malformed("TIME", err);
	return WM_OK;
}

/* Kinds of @n events; also says how many operands they have. */
static enum wm_status next_kinds(struct wm_cursor *c, struct wm_slice *s,
				 unsigned n, struct wm_err *err)
{
	uint64_t needs = 0;
	unsigned i;

	if ((size_t)(c->kind.end - c->kind.p) < n)
		return malformed("KIND", err);
	for (i = 0; i < n; i++) {
		uint8_t kind = *c->kind.p++;

		if (kind >= WMT_EV_LIMIT || !wm_operands[kind].known)
			return malformed("KIND", err);
		s->kind[i] = kind;
		needs += kind_needs[kind];
		c->decoded[kind]++;
	}
	s->events = n;
	s->stacks = NEED(needs, 0);
	s->news = NEED(needs, 1);
	s->olds = NEED(needs, 2);
	s->extras = NEED(needs, 3);
	return WM_OK;
}

void wm_cursor_count(const struct wm_cursor *c, uint64_t count[WMT_EV_LIMIT])
{
	unsigned i;

	for (i = 0; i < WMT_EV_LIMIT; i++)
		count[i] += c->decoded[i];
}

/* Times of @n events from runs of equal ones. */
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
		c->time.p = wm_varint_get(c->time.p, c->time.end, &delta);
		if (!c->time.p || delta > c->last - c->now)
			return malformed("TIME", err);
		c->time.p = wm_varint_get(c->time.p, c->time.end, &c->run);
		if (!c->time.p || c->run == UINT64_MAX)
			return malformed("TIME", err);
		c->now += delta;
		c->run++;
	}
}

static inline int is_safe(const struct wm_column *c, unsigned n)
{
	return (size_t)(c->end - c->p) >= (size_t)n * WM_VARINT_MAX;
}

static enum wm_status next_paths(struct wm_cursor *c, uint64_t *path,
				 unsigned n, struct wm_err *err)
{
	int safe = is_safe(&c->stack, n);
	unsigned i;

	for (i = 0; i < n; i++)
		if (!wm_decode_varint(&c->stack.p, c->stack.end, safe,
				      &path[i]))
			return malformed("STACK", err);
	return WM_OK;
}

/* From the trace's numbers to ours. */
static enum wm_status map_paths(struct wm_cursor *c, const uint64_t *number,
				uint32_t *path, unsigned n, struct wm_err *err)
{
	const uint32_t *map = c->gen->near.path;
	uint64_t known = c->gen->near.count;
	unsigned i;

	for (i = 0; i < n; i++) {
		path[i] = number[i] < known ?
				  map[number[i]] :
				  wm_generation_find(c->gen, number[i]);
		if (c->numbers && (path[i] != WM_NO_PATH || c->lossy) &&
		    number[i] < WM_NO_PATH) {
			path[i] = (uint32_t)number[i];
			continue;
		}
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

static enum wm_status next_sizes(struct wm_cursor *c, uint64_t *size,
				 unsigned n, struct wm_err *err)
{
	int safe = is_safe(&c->size, n);
	unsigned i;

	for (i = 0; i < n; i++)
		if (!wm_decode_varint(&c->size.p, c->size.end, safe, &size[i]))
			return malformed("SIZE", err);
	return WM_OK;
}

/* Only a call that failed may have asked for more than there can be. */
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

static enum wm_status next_addresses(struct wm_column *c, uint64_t *prev,
				     uint64_t *addr, unsigned n,
				     const char *name, struct wm_err *err)
{
	int safe = is_safe(c, n);
	uint64_t a = *prev, v;
	unsigned i, null = 0;

	for (i = 0; i < n; i++) {
		if (!wm_decode_varint(&c->p, c->end, safe, &v))
			return malformed(name, err);
		a = wmt_addr_decode(v, a);
		addr[i] = a;
		null |= a == 0;
	}
	if (null)
		return wm_err_set(err, WM_BAD_INPUT,
				  "column %s holds address 0", name);
	*prev = a;
	return WM_OK;
}

/* Records of a window: kinds, call paths, sizes and addresses, a column each. */
static enum wm_status next_columns(struct wm_cursor *c, struct wm_slice *s,
				   unsigned n, uint64_t *paths,
				   struct wm_err *err)
{
	enum wm_status r;

	if ((r = next_kinds(c, s, n, err)) ||
	    (r = next_paths(c, paths, s->stacks, err)) ||
	    (r = next_sizes(c, s->size, s->stacks, err)) ||
	    (r = next_addresses(&c->new_addr, &c->new_prev, s->new_addr,
				s->news, "ALLOC_ADDR", err)))
		return r;
	return next_addresses(&c->old_addr, &c->old_prev, s->old_addr, s->olds,
			      "FREE_ADDR", err);
}

static enum wm_status next_extras(struct wm_cursor *c, uint64_t *extra,
				  unsigned n, struct wm_err *err)
{
	unsigned i;

	for (i = 0; i < n; i++) {
		c->extra.p = wm_varint_get(c->extra.p, c->extra.end, &extra[i]);
		if (!c->extra.p)
			return malformed("EXTRA", err);
	}
	return WM_OK;
}

/* Nothing may be left. */
static enum wm_status finish(const struct wm_cursor *c, struct wm_err *err)
{
	if (!c->ops && c->kind.p != c->kind.end)
		return malformed("KIND", err);
	if (c->ops ? !wm_ops_done(c) :
		     c->stack.p != c->stack.end || c->size.p != c->size.end ||
			     c->new_addr.p != c->new_addr.end ||
			     c->old_addr.p != c->old_addr.end)
		return wm_err_set(err, WM_BAD_INPUT,
				  "columns hold more than the events need");
	if (c->time.p != c->time.end || c->extra.p != c->extra.end || c->run)
		return wm_err_set(err, WM_BAD_INPUT,
				  "columns hold more than the events need");
	if (c->now != c->last)
		return wm_err_set(err, WM_BAD_INPUT,
				  "the last event is not at TIME_LAST");
	return WM_END;
}

enum wm_status wm_cursor_next(struct wm_cursor *c, struct wm_slice *s,
			      struct wm_err *err)
{
	unsigned n = c->left < WM_SLICE ? (unsigned)c->left : WM_SLICE;
	uint64_t paths[WM_SLICE];
	enum wm_status r;

	s->events = 0;
	if (!n)
		return finish(c, err);
	r = c->ops ? wm_ops_next(c, s, n, paths, err) :
		     next_columns(c, s, n, paths, err);
	if (r || (r = next_times(c, s->time, n, err)) ||
	    (r = map_paths(c, paths, s->path, s->stacks, err)) ||
	    (r = next_extras(c, s->extra, s->extras, err)) ||
	    (r = check_sizes(s, err)))
		return r;
	c->left -= n;
	return WM_OK;
}
