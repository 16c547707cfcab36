/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/decode.h"

#include <stdlib.h>

#include "analyze/lib/trace/decode_varint.h"
#include "analyze/lib/trace/live.h"
#include "analyze/lib/trace/ops_model.h"
#include "wm/varint.h"

#define rare(x) __builtin_expect(!!(x), 0)

struct values {
	uint64_t value[WMT_SEEN_LIMIT];
	uint32_t count;
	uint32_t single; /* a byte up to this number is a known value */
	bool seen;
};

struct places {
	const uint8_t *kind, *stack, *size, *new_addr, *old_addr;
	const uint8_t *handle;
};

/* The state that nearly every event changes.  The loop over events has a copy
 * in registers, as no other code can have its address: functions that take a
 * pointer to the struct are inlined there, and others take and
 * return values. */
struct hot {
	struct places at;
	struct wm_ops_now now;
	uint64_t half; /* half bytes before at.kind, the next one lowest */
	unsigned halves; /* number of them */
	const char *slots;
	unsigned shift;
};

struct wm_ops {
	struct wm_ops_model m;
	struct hot hot;
	struct places end;
	struct values stacks, sizes;
};

/* The bytes of each place in the arrays of the model. */
#define PLACE_BYTES 15

/* Most of the memory is written before it is read, and seldom all of it is
 * used: without zeroing, unused pages take no memory. */
static struct wm_ops *ops_new(void)
{
	struct wm_ops *o = malloc(sizeof(*o));

	if (o)
		o->hot = (struct hot){ .halves = 0 };
	return o;
}

static void begin_values(struct values *t, uint8_t encoding)
{
	t->count = 1;
	t->single = 0;
	t->seen = encoding == WMT_ENC_SEEN;
}

/* For a column that the block does not have, but must have slack. */
static const uint8_t no_column[WM_COLUMN_SLACK];

static void begin_column(const struct wm_column *c, const uint8_t **at,
			 const uint8_t **end)
{
	*at = c->p ? c->p : no_column;
	*end = c->p ? c->end : no_column;
}

static void begin_columns(struct wm_ops *o, const struct wm_column *col)
{
	struct places *at = &o->hot.at, *end = &o->end;

	begin_column(&col[WMT_COL_KIND], &at->kind, &end->kind);
	begin_column(&col[WMT_COL_STACK], &at->stack, &end->stack);
	begin_column(&col[WMT_COL_SIZE], &at->size, &end->size);
	begin_column(&col[WMT_COL_ALLOC_ADDR], &at->new_addr, &end->new_addr);
	begin_column(&col[WMT_COL_FREE_ADDR], &at->old_addr, &end->old_addr);
	begin_column(&col[WMT_COL_HANDLE], &at->handle, &end->handle);
}

enum wm_status wm_ops_begin(struct wm_cursor *c, struct wm_event_data *d,
			    struct wm_err *err)
{
	struct wm_ops *o = d->ops;

	if (!o)
		o = d->ops = ops_new();
	if (!o)
		return wm_no_memory(err, NULL);
	begin_values(&o->stacks, d->encoding[WMT_COL_STACK]);
	begin_values(&o->sizes, d->encoding[WMT_COL_SIZE]);
	o->hot = (struct hot){ .halves = 0 };
	wm_ops_model_begin(&o->hot.now, &o->m);
	begin_columns(o, d->col);
	c->ops = o;
	return WM_OK;
}

void wm_ops_free(struct wm_ops *o)
{
	free(o);
}

size_t wm_ops_memory(const struct wm_ops *o)
{
	if (!o)
		return 0;
	/* arrays are touched up to their last used elements */
	return sizeof(*o) - PLACE_BYTES * (WMT_OPS_PLACES - o->hot.now.made) -
	       (2 * WMT_SEEN_LIMIT - o->stacks.count - o->sizes.count) *
		       sizeof(*o->stacks.value);
}

/* Prefetches the slot where replay will look up the block at @addr. */
WM_OPS_STEP void expect(const struct hot *h, uint64_t addr)
{
	const char *p = h->slots;

	if (!p)
		return;
	p += 16 * (addr * WM_LIVE_HASH >> h->shift);
	__builtin_prefetch(p, 1);
	/* the address may be in a later slot */
	__builtin_prefetch(p + 32, 1);
}

/* Returns the next half byte, or -1 at the end. */
WM_OPS_STEP int next_op(struct hot *h, const struct wm_ops *o)
{
	int op;

	if (rare(h->halves == 0)) {
		if (o->end.kind - h->at.kind >= 8) {
			h->half = wm_load_le64(h->at.kind);
			h->halves = 16;
		} else if (h->at.kind < o->end.kind) {
			h->half = *h->at.kind;
			h->halves = 2;
		} else {
			return -1;
		}
		h->at.kind += h->halves / 2;
	}
	op = h->half & 15;
	h->half >>= 4;
	h->halves--;
	return op;
}

static struct wm_decoded long_varint(const uint8_t *p, const uint8_t *end)
{
	struct wm_decoded g = { .v = 0 };

	if (p <= end)
		g.p = wm_varint_get(p, end, &g.v);
	return g;
}

static __attribute__((noinline)) struct wm_decoded
other_value(const uint8_t *p, const uint8_t *end, struct values *t)
{
	struct wm_decoded none = { NULL, 0 }, g;
	uint32_t n;

	if (!t->seen)
		return long_varint(p, end);
	if (p >= end)
		return none;
	n = *p++;
	if (n >= WMT_SEEN_BYTE) {
		if (p == end)
			return none;
		n = WMT_SEEN_BYTE + ((n - WMT_SEEN_BYTE) << 8) + *p++;
	}
	if (n)
		return n < t->count ? (struct wm_decoded){ p, t->value[n] } :
				      none;
	g = long_varint(p, end);
	if (g.p && t->count < WMT_SEEN_LIMIT) {
		if (t->count < WMT_SEEN_BYTE)
			t->single = t->count;
		t->value[t->count++] = g.v;
	}
	return g;
}

WM_OPS_STEP struct wm_decoded next_value(const uint8_t *p, const uint8_t *end,
					 struct values *t)
{
	uint32_t n = *p;

	if (rare(n - 1 >= t->single))
		return other_value(p, end, t);
	return (struct wm_decoded){ p + 1, t->value[n] };
}

/* Reads call path and size of an event; returns -1 if malformed. */
WM_OPS_STEP int site(struct hot *h, struct wm_ops *o, unsigned op,
		     uint64_t *stack, uint64_t *size)
{
	uint64_t *next = wm_ops_stack(&h->now, &o->m);
	uint64_t *size_of;
	struct wm_decoded g;

	if (!(op & WMT_OP_STACK)) {
		g = next_value(h->at.stack, o->end.stack, &o->stacks);
		if (rare(!g.p))
			return -1;
		h->at.stack = g.p;
		*next = g.v;
	} else {
		g.v = *next;
	}
	*stack = h->now.last_stack = g.v;
	size_of = wm_ops_size(&o->m, g.v);
	if (!(op & WMT_OP_SIZE)) {
		g = next_value(h->at.size, o->end.size, &o->sizes);
		if (rare(!g.p))
			return -1;
		h->at.size = g.p;
		*size_of = g.v;
	} else {
		g.v = *size_of;
	}
	*size = g.v;
	return 0;
}

/* Returns the next address of the column at *@p, or 0 if malformed. */
WM_OPS_STEP uint64_t get_addr(const uint8_t **p, const uint8_t *end,
			      uint64_t before)
{
	struct wm_decoded g = wm_decode_short(*p);

	if (rare(!g.p))
		g = long_varint(*p, end);
	*p = g.p;
	return g.p ? wmt_addr_decode(g.v, before) : 0;
}

/* Adds a block of @size bytes; returns its address, or 0 if malformed. */
WM_OPS_STEP uint64_t new_block(struct hot *h, struct wm_ops *o, unsigned kind,
			       unsigned op, uint64_t size)
{
	struct wm_ops_model *m = &o->m;
	uint64_t units = wmt_ops_units(size), addr;
	unsigned class = wm_ops_class(units);
	enum wm_ops_source source = wm_ops_source(&h->now, m, kind, class);

	addr = wm_ops_expected(&h->now, m, class, source);
	if (source == WM_OPS_KEPT)
		wm_ops_forget(m, class);
	if (!(op & WMT_OP_ADDR)) {
		addr = get_addr(&h->at.new_addr, o->end.new_addr,
				h->now.last_new);
		if (rare(!addr))
			return 0;
	}
	wm_ops_came(&h->now, units, addr, source);
	wm_ops_append(&h->now, m, addr, class);
	return addr;
}

/* Returns the place that @op denotes, or WM_OPS_HEAD if there is none. */
WM_OPS_STEP uint32_t named(struct hot *h, struct wm_ops *o, unsigned op)
{
	uint32_t handle;

	if (!rare(op != WMT_OP_HANDLE1)) {
		handle = *h->at.handle++;
	} else if (op == WMT_OP_HANDLE2) {
		handle = h->at.handle[0] | (uint32_t)h->at.handle[1] << 8;
		h->at.handle += 2;
	} else {
		return op == WMT_OP_NEWEST ? o->m.before[WM_OPS_HEAD] :
		       op == WMT_OP_NEXT   ? h->now.cursor :
					     o->m.before[h->now.cursor];
	}
	return rare(handle >= h->now.made) ? WM_OPS_HEAD : handle + 1;
}

/* Returns the address of the released block, or 0 if malformed. */
WM_OPS_STEP uint64_t old_block(struct hot *h, struct wm_ops *o, unsigned kind,
			       unsigned op)
{
	uint64_t addr;
	uint32_t place;

	if (op == WMT_OP_OLD_ADDR) {
		addr = get_addr(&h->at.old_addr, o->end.old_addr,
				h->now.last_old);
		if (!addr)
			return 0;
		h->now.last_old = addr;
	} else {
		place = named(h, o, op);
		addr = o->m.addr[place];
		if (rare(!addr))
			return 0;
		wm_ops_remove(&h->now, &o->m, place);
		if (kind != WMT_EV_REALLOC_OUT)
			wm_ops_keep(&o->m, o->m.class[place], addr);
	}
	if (kind == WMT_EV_REALLOC_OUT)
		h->now.last_out = addr;
	return addr;
}

/* Reads the kind behind WMT_OP_KIND; returns -1 at the end. */
static int next_kind(struct hot *h, const struct wm_ops *o)
{
	int kind = next_op(h, o), high;

	if (kind != 15)
		return kind;
	kind = next_op(h, o);
	high = next_op(h, o);
	return kind < 0 || high < 0 ? -1 : kind | high << 4;
}

/* Reads the new address of an event that is not in the list of blocks. */
static uint64_t other_address(struct hot *h, struct wm_ops *o)
{
	return h->now.last_new = get_addr(&h->at.new_addr, o->end.new_addr,
					  h->now.last_new);
}

static uint64_t other_old_address(struct hot *h, const struct wm_ops *o)
{
	return h->now.last_old = get_addr(&h->at.old_addr, o->end.old_addr,
					  h->now.last_old);
}

static enum wm_status rare_event(struct hot *h, struct wm_ops *o,
				 struct wm_slice *s, unsigned kind,
				 uint64_t *paths, struct wm_err *err)
{
	const struct wm_operands *has = &wm_operands[kind];
	int op = 0;
	uint64_t addr;

	if (has->stack || WMT_OPS_OLD(kind))
		op = next_op(h, o);
	if (op < 0 || (has->stack && op > 7) ||
	    (WMT_OPS_OLD(kind) && (op < 8 || op > 13)))
		return wm_malformed("KIND", err);
	if (has->stack) {
		if (site(h, o, (unsigned)op, &paths[s->stacks],
			 &s->size[s->stacks]))
			return wm_malformed("STACK or SIZE", err);
		s->stacks++;
	}
	if (has->fresh) {
		addr = WMT_OPS_NEW(kind) ? new_block(h, o, kind, (unsigned)op,
						     s->size[s->stacks - 1]) :
					   other_address(h, o);
		if (!addr)
			return wm_malformed("ALLOC_ADDR", err);
		s->new_addr[s->news++] = addr;
	}
	if (has->old) {
		addr = WMT_OPS_OLD(kind) ? old_block(h, o, kind, (unsigned)op) :
					   other_old_address(h, o);
		if (!addr)
			return wm_malformed("FREE_ADDR or HANDLE", err);
		s->old_addr[s->olds++] = addr;
	}
	s->extras += has->extra;
	return WM_OK;
}

/* Reads the kind behind WMT_OP_KIND into *@to, and the event. */
static enum wm_status other_kind(struct wm_cursor *c, struct wm_slice *s,
				 uint8_t *to, uint64_t *paths,
				 struct wm_err *err)
{
	struct wm_ops *o = c->ops;
	int kind = next_kind(&o->hot, o);

	if (kind < 0 || kind >= WMT_EV_LIMIT || !wm_operands[kind].known)
		return wm_malformed("KIND", err);
	*to = (uint8_t)kind;
	c->decoded[kind]++;
	return rare_event(&o->hot, o, s, (unsigned)kind, paths, err);
}

static enum wm_status next_ops(struct wm_cursor *c, struct wm_slice *s,
			       unsigned n, uint64_t *paths, struct wm_err *err)
{
	struct wm_ops *o = c->ops;
	struct hot h;
	unsigned stacks = 0, news = 0, olds = 0, i, others = 0, frees = 0;

	o->hot.slots = c->slots;
	o->hot.shift = c->shift_slots;
	h = o->hot;
	s->stacks = s->news = s->olds = s->extras = 0;
	for (i = 0; i < n; i++) {
		int op = next_op(&h, o);
		uint64_t addr;

		if (rare(op < 0))
			return wm_malformed("KIND", err);
		if (op < WMT_OP_HANDLE1) {
			if (rare(site(&h, o, (unsigned)op, &paths[stacks],
				      &s->size[stacks])))
				return wm_malformed("STACK or SIZE", err);
			addr = new_block(&h, o, WMT_EV_MALLOC, (unsigned)op,
					 s->size[stacks++]);
			if (rare(!addr))
				return wm_malformed("ALLOC_ADDR", err);
			expect(&h, addr);
			s->new_addr[news++] = addr;
			s->kind[i] = WMT_EV_MALLOC;
		} else if (!rare(op >= WMT_OP_KIND)) {
			addr = old_block(&h, o, WMT_EV_FREE, (unsigned)op);
			if (rare(!addr))
				return wm_malformed("FREE_ADDR or HANDLE", err);
			expect(&h, addr);
			s->old_addr[olds++] = addr;
			s->kind[i] = WMT_EV_FREE;
			frees++;
		} else {
			enum wm_status r;

			if (op != WMT_OP_KIND)
				return wm_malformed("KIND", err);
			s->stacks = stacks;
			s->news = news;
			s->olds = olds;
			o->hot = h;
			r = other_kind(c, s, &s->kind[i], paths, err);
			if (r)
				return r;
			h = o->hot;
			stacks = s->stacks;
			news = s->news;
			olds = s->olds;
			others++;
		}
	}
	o->hot = h;
	s->events = n;
	s->stacks = stacks;
	s->news = news;
	s->olds = olds;
	c->decoded[WMT_EV_MALLOC] += n - others - frees;
	c->decoded[WMT_EV_FREE] += frees;
	return WM_OK;
}

/* Returns whether no column was read beyond its end. */
static bool is_within(const struct wm_ops *o)
{
	const struct places *at = &o->hot.at, *end = &o->end;

	return at->kind <= end->kind && at->stack <= end->stack &&
	       at->size <= end->size && at->new_addr <= end->new_addr &&
	       at->old_addr <= end->old_addr && at->handle <= end->handle;
}

enum wm_status wm_ops_next(struct wm_cursor *c, struct wm_slice *s, unsigned n,
			   uint64_t *paths, struct wm_err *err)
{
	struct wm_ops *o = c->ops;
	enum wm_status r = next_ops(c, s, n, paths, err);

	if (!r && !is_within(o))
		return wm_err_set(err, WM_BAD_INPUT,
				  "columns hold less than the events need");
	return r;
}

bool wm_ops_done(const struct wm_cursor *c)
{
	const struct hot *h = &c->ops->hot;
	const struct places *at = &h->at, *end = &c->ops->end;

	if (h->halves > 1 || (h->halves && h->half != WMT_NIBBLE_NONE))
		return false;
	return at->kind == end->kind && at->handle == end->handle &&
	       at->stack == end->stack && at->size == end->size &&
	       at->new_addr == end->new_addr && at->old_addr == end->old_addr;
}
