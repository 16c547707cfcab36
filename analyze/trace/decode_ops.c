/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/trace/decode_ops.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/base/vec.h"
#include "analyze/trace/decode_varint.h"
#include "analyze/trace/live.h"
#include "analyze/trace/ops_model.h"
#include "wm/varint.h"

#define rare(x) __builtin_expect(!!(x), 0)
/* Ways to read: a set of these. */
#define NEAR 1u /* PLACE is there */
#define KNOWN 2u /* blocks have numbers that outlast the block of the trace */
#define IDS 4u /* and these will do instead of addresses */

/* A column that is either plain varints or coded as SEEN. */
struct values {
	uint64_t value[WMT_SEEN_LIMIT];
	uint32_t count;
	uint32_t single; /* numbers up to this one are a byte, and known */
	bool seen;
};

/* The next byte of each column, or where it ends. */
struct places {
	const uint8_t *kind, *stack, *size, *new_addr, *old_addr;
	const uint8_t *handle, *place, *known;
};

/*
 * What nearly every event needs and changes.  The loop over events has a copy
 * of its own: nobody else can know its address, so that it can be in
 * registers.  So all that takes one is inlined there, and what is not inlined
 * takes and gives values.
 */
struct hot {
	struct places at;
	struct wm_ops_now now;
	uint64_t half; /* half bytes before at.kind, the next one lowest */
	unsigned halves; /* so many */
	const char *slots; /* as in struct wm_cursor */
	unsigned shift;
};

struct wm_ops {
	struct wm_ops_model m;
	struct hot hot;
	struct places end;
	struct values stacks, sizes;
	uint32_t number[WMT_OPS_PLACES + 1]; /* KNOWN, but not IDS: by place */
	unsigned mode;
	/* KNOWN: from one block of the trace to the next */
	const struct wm_event_block *block; /* the last one */
	uint64_t *known_addr; /* by number; not with IDS */
	uint8_t *known_class;
	uint8_t *known; /* where it is coded as STEPS: the numbers */
	size_t addr_cap, class_cap, known_cap;
};

/* Of each place, in number and the arrays of the model. */
#define PLACE_BYTES 19

static enum wm_status bad_column(const char *column, struct wm_err *err)
{
	return wm_err_set(err, WM_BAD_INPUT, "column %s is malformed", column);
}

/* How many released addresses a class keeps. */
WM_OPS_STEP unsigned depth_of(unsigned mode)
{
	return mode & NEAR ? WMT_NEAR_DEPTH : WMT_OPS_DEPTH;
}

static unsigned mode_of(const struct wm_event_data *d)
{
	switch (d->encoding[WMT_COL_KIND]) {
	case WMT_ENC_OPS_NEAR:
		return NEAR;
	case WMT_ENC_OPS_KNOWN:
		return d->ids ? NEAR | KNOWN | IDS : NEAR | KNOWN;
	default:
		return 0;
	}
}

/* From differences to numbers. */
static enum wm_status sum_steps(struct wm_ops *o, struct wm_err *err)
{
	const uint8_t *from = o->hot.at.known;
	size_t n = (size_t)(o->end.known - from), i;
	uint32_t number = 0;
	uint8_t *to = wm_grow(o->known, &o->known_cap, n + WM_COLUMN_SLACK, 1);

	if (!to)
		return wm_no_memory(err, NULL);
	o->known = to;
	if (n % 4)
		return bad_column("KNOWN", err);
	for (i = 0; i < n; i += 4) {
		number += wm_load_le32(from + i);
		wm_store_le32(to + i, number);
	}
	memset(to + n, 0, WM_COLUMN_SLACK);
	o->hot.at.known = to;
	o->end.known = to + n;
	return WM_OK;
}

/* Numbers go on from the thread's block before this one. */
static enum wm_status begin_known(struct wm_ops *o, const struct wm_trace *t,
				  const struct wm_event_block *b,
				  struct wm_err *err)
{
	bool first = b == t->blocks || b[-1].thread != b->thread;

	if (first)
		o->hot.now.numbers = o->hot.now.free_numbers = 0;
	else if (o->block != b - 1)
		return wm_err_set(err, WM_BAD_INPUT,
				  "blocks are not read in "
				  "their order");
	o->block = b;
	return WM_OK;
}

/* Most of it is written before it is read, and seldom all: not zeroed, it
 * takes no memory until then. */
static struct wm_ops *ops_new(void)
{
	struct wm_ops *o = malloc(sizeof(*o));

	if (!o)
		return NULL;
	o->hot = (struct hot){ .halves = 0 };
	o->m.free_number = NULL;
	o->m.free_cap = 0;
	memset(&o->mode, 0, sizeof(*o) - offsetof(struct wm_ops, mode));
	return o;
}

static void begin_values(struct values *t, uint8_t encoding)
{
	t->count = 1;
	t->single = 0;
	t->seen = encoding == WMT_ENC_SEEN;
}

/* Of a column that the block does not have: nothing, too, has some slack. */
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
	begin_column(&col[WMT_COL_PLACE], &at->place, &end->place);
	begin_column(&col[WMT_COL_KNOWN], &at->known, &end->known);
	if (o->mode & IDS) {
		/* nobody looks at them */
		o->hot.at.place = o->end.place;
		o->hot.at.new_addr = o->end.new_addr;
	}
}

enum wm_status wm_ops_begin(struct wm_cursor *c, const struct wm_trace *t,
			    const struct wm_event_block *b,
			    struct wm_event_data *d, struct wm_err *err)
{
	struct wm_ops *o = d->ops;

	if (!o)
		o = d->ops = ops_new();
	if (!o)
		return wm_no_memory(err, NULL);
	begin_values(&o->stacks, d->encoding[WMT_COL_STACK]);
	begin_values(&o->sizes, d->encoding[WMT_COL_SIZE]);
	o->mode = mode_of(d);
	wm_ops_model_begin(&o->hot.now, &o->m);
	o->hot = (struct hot){ .now = o->hot.now };
	begin_columns(o, d->col);
	c->ops = o;
	if (o->mode & KNOWN && o->hot.at.known != o->end.known &&
	    d->encoding[WMT_COL_KNOWN] == WMT_ENC_STEPS) {
		enum wm_status r = sum_steps(o, err);

		if (r)
			return r;
	}
	return o->mode & KNOWN ? begin_known(o, t, b, err) : WM_OK;
}

void wm_ops_free(struct wm_ops *o)
{
	if (!o)
		return;
	free(o->m.free_number);
	free(o->known_addr);
	free(o->known_class);
	free(o->known);
	free(o);
}

size_t wm_ops_memory(const struct wm_ops *o)
{
	if (!o)
		return 0;
	/* what lies by place, and what was seen, is touched up to the last */
	return sizeof(*o) - PLACE_BYTES * (WMT_OPS_PLACES - o->hot.now.made) -
	       (2 * WMT_SEEN_LIMIT - o->stacks.count - o->sizes.count) *
		       sizeof(*o->stacks.value) +
	       o->m.free_cap * sizeof(*o->m.free_number) +
	       o->addr_cap * sizeof(*o->known_addr) + o->class_cap +
	       o->known_cap;
}

/* Room for the numbers of @n more blocks. */
static int room_for_numbers(struct wm_ops *o, unsigned n)
{
	size_t want = (size_t)o->hot.now.numbers + n;
	void *p;

	if (wm_ops_number_room(&o->hot.now, &o->m, n))
		return -1;
	if (o->mode & IDS)
		return 0;
	p = wm_grow(o->known_addr, &o->addr_cap, want, sizeof(uint64_t));
	if (!p)
		return -1;
	o->known_addr = p;
	p = wm_grow(o->known_class, &o->class_cap, want, 1);
	if (!p)
		return -1;
	o->known_class = p;
	return 0;
}

/* Replay will look for the block at @addr. */
WM_OPS_STEP void expect(const struct hot *h, uint64_t addr, unsigned mode)
{
	const char *p = h->slots;

	if (!p)
		return;
	p += 16 * (mode & IDS ? addr : addr * WM_LIVE_HASH >> h->shift);
	__builtin_prefetch(p, 1);
	/* it may not be where it should */
	if (!(mode & IDS))
		__builtin_prefetch(p + 32, 1);
}

/* The next half byte, or -1 at the end. */
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

/* Any value at @p, as next_value() but for those that are a known byte. */
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

/* Call path and size of an event; -1 when a column is malformed. */
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

/* The next address in the column at *@p, 0 when it is malformed. */
WM_OPS_STEP uint64_t get_addr(const uint8_t **p, const uint8_t *end,
			      uint64_t before)
{
	struct wm_decoded g = wm_decode_short(*p);

	if (rare(!g.p))
		g = long_varint(*p, end);
	*p = g.p;
	return g.p ? wmt_addr_decode(g.v, before) : 0;
}

/*
 * The class keeps addresses, and the last of them it is not: one that PLACE
 * tells, or if it is 0 none of them.
 */
WM_OPS_STEP uint64_t get_near(struct hot *h, struct wm_ops *o, unsigned class)
{
	unsigned n = *h->at.place++;
	uint64_t addr;

	if (n == 0)
		return get_addr(&h->at.new_addr, o->end.new_addr,
				h->now.last_new);
	if (rare(n >= o->m.kept[class]))
		return 0;
	addr = wm_ops_kept(&o->m, class, n, WMT_NEAR_DEPTH);
	wm_ops_forget(&o->m, class, n, WMT_NEAR_DEPTH);
	return addr;
}

/* A new block of @size bytes; its address (with IDS what stands for it), 0
 * when a column is malformed. */
WM_OPS_STEP uint64_t new_block(struct hot *h, struct wm_ops *o, unsigned kind,
			       unsigned op, uint64_t size, unsigned mode)
{
	struct wm_ops_model *m = &o->m;
	enum wm_ops_source source;
	uint64_t units, addr;
	uint32_t place, number;
	unsigned class, depth = depth_of(mode);

	if (mode & IDS) {
		addr = WM_ID_FIRST + (uint64_t)wm_ops_number(&h->now, m);
		wm_ops_append(&h->now, m, addr, 0);
		return addr;
	}
	units = wmt_ops_units(size);
	class = wm_ops_class(units);
	source = wm_ops_source(&h->now, m, kind, class);
	if (mode & NEAR && !(op & WMT_OP_ADDR) && source == WM_OPS_KEPT) {
		addr = get_near(h, o, class);
		if (rare(!addr))
			return 0;
	} else {
		addr = wm_ops_expected(&h->now, m, class, source, depth);
		if (source == WM_OPS_KEPT)
			wm_ops_forget(m, class, 0, depth);
		if (!(op & WMT_OP_ADDR)) {
			addr = get_addr(&h->at.new_addr, o->end.new_addr,
					h->now.last_new);
			if (rare(!addr))
				return 0;
		}
	}
	wm_ops_came(&h->now, units, addr, source);
	place = wm_ops_append(&h->now, m, addr, class);
	if (mode & KNOWN) {
		number = o->number[place] = wm_ops_number(&h->now, m);
		o->known_addr[number] = addr;
		o->known_class[number] = (uint8_t) class;
	}
	return addr;
}

/* The place that @op names, WM_OPS_HEAD when there is none. */
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

/* A release of a block of long ago, as KNOWN tells; as old_block(). */
WM_OPS_STEP uint64_t old_known(struct hot *h, struct wm_ops *o, unsigned kind,
			       unsigned mode)
{
	uint32_t number;
	uint64_t addr;

	number = wm_load_le32(h->at.known);
	h->at.known += 4;
	if (rare(!number)) {
		addr = get_addr(&h->at.old_addr, o->end.old_addr,
				h->now.last_old);
		if (!addr)
			return 0;
		h->now.last_old = addr;
		return mode & IDS ? WM_ID_UNKNOWN : addr;
	}
	if (rare(--number >= h->now.numbers))
		return 0;
	if (mode & IDS)
		return wm_ops_number_back(&h->now, &o->m, number) ?
			       WM_ID_FIRST + (uint64_t)number :
			       0;
	addr = o->known_addr[number];
	o->known_addr[number] = 0;
	if (!addr || !wm_ops_number_back(&h->now, &o->m, number))
		return 0;
	if (kind != WMT_EV_REALLOC_OUT)
		wm_ops_keep(&o->m, o->known_class[number], addr,
			    depth_of(mode));
	return addr;
}

/* The address of the block that is released (with IDS what stands for it); 0
 * when there is none. */
WM_OPS_STEP uint64_t old_block(struct hot *h, struct wm_ops *o, unsigned kind,
			       unsigned op, unsigned mode)
{
	uint64_t addr;
	uint32_t place;

	if (mode & KNOWN && op == WMT_OP_OLD_ADDR) {
		addr = old_known(h, o, kind, mode);
	} else if (op == WMT_OP_OLD_ADDR) {
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
		if (mode & IDS) {
			if (!wm_ops_number_back(&h->now, &o->m,
						(uint32_t)(addr - WM_ID_FIRST)))
				return 0;
		} else if (mode & KNOWN) {
			o->known_addr[o->number[place]] = 0;
			if (!wm_ops_number_back(&h->now, &o->m,
						o->number[place]))
				return 0;
		}
		if (!(mode & IDS) && kind != WMT_EV_REALLOC_OUT)
			wm_ops_keep(&o->m, o->m.class[place], addr,
				    depth_of(mode));
	}
	if (kind == WMT_EV_REALLOC_OUT)
		h->now.last_out = addr;
	return addr;
}

/* The kind behind WMT_OP_KIND; -1 when it is cut off. */
static int next_kind(struct hot *h, const struct wm_ops *o)
{
	int kind = next_op(h, o), high;

	if (kind != 15)
		return kind;
	kind = next_op(h, o);
	high = next_op(h, o);
	return kind < 0 || high < 0 ? -1 : kind | high << 4;
}

/* The new address of an event that is not of the list. */
static uint64_t other_address(struct hot *h, struct wm_ops *o)
{
	if (o->mode & KNOWN)
		return h->now.last_old = get_addr(&h->at.old_addr,
						  o->end.old_addr,
						  h->now.last_old);
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
	unsigned mode = o->mode;
	int op = 0;
	uint64_t addr;

	if (has->stack || WMT_OPS_OLD(kind))
		op = next_op(h, o);
	if (op < 0 || (has->stack && op > 7) ||
	    (WMT_OPS_OLD(kind) && (op < 8 || op > 13)))
		return bad_column("KIND", err);
	if (has->stack) {
		if (site(h, o, (unsigned)op, &paths[s->stacks],
			 &s->size[s->stacks]))
			return bad_column("STACK or SIZE", err);
		s->stacks++;
	}
	if (has->fresh) {
		addr = WMT_OPS_NEW(kind) ?
			       new_block(h, o, kind, (unsigned)op,
					 s->size[s->stacks - 1], mode) :
			       other_address(h, o);
		if (!addr)
			return bad_column("ALLOC_ADDR", err);
		s->new_addr[s->news++] = addr;
	}
	if (has->old) {
		addr = WMT_OPS_OLD(kind) ?
			       old_block(h, o, kind, (unsigned)op, mode) :
			       other_old_address(h, o);
		if (!addr)
			return bad_column("FREE_ADDR, HANDLE or KNOWN", err);
		s->old_addr[s->olds++] = addr;
	}
	s->extras += has->extra;
	return WM_OK;
}

/* An event behind WMT_OP_KIND; its kind goes to @to. */
static enum wm_status other_kind(struct wm_cursor *c, struct wm_slice *s,
				 uint8_t *to, uint64_t *paths,
				 struct wm_err *err)
{
	struct wm_ops *o = c->ops;
	int kind = next_kind(&o->hot, o);

	if (kind < 0 || kind >= WMT_EV_LIMIT || !wm_operands[kind].known)
		return bad_column("KIND", err);
	*to = (uint8_t)kind;
	c->decoded[kind]++;
	return rare_event(&o->hot, o, s, (unsigned)kind, paths, err);
}

WM_OPS_STEP enum wm_status next_ops(struct wm_cursor *c, struct wm_slice *s,
				    unsigned n, uint64_t *paths, unsigned mode,
				    struct wm_err *err)
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
			return bad_column("KIND", err);
		if (op < WMT_OP_HANDLE1) {
			if (rare(site(&h, o, (unsigned)op, &paths[stacks],
				      &s->size[stacks])))
				return bad_column("STACK or SIZE", err);
			addr = new_block(&h, o, WMT_EV_MALLOC, (unsigned)op,
					 s->size[stacks++], mode);
			if (rare(!addr))
				return bad_column("ALLOC_ADDR", err);
			if (!(mode & IDS))
				expect(&h, addr, mode);
			s->new_addr[news++] = addr;
			s->kind[i] = WMT_EV_MALLOC;
		} else if (!rare(op >= WMT_OP_KIND)) {
			addr = old_block(&h, o, WMT_EV_FREE, (unsigned)op,
					 mode);
			if (rare(!addr))
				return bad_column("FREE_ADDR, HANDLE or KNOWN",
						  err);
			expect(&h, addr, mode);
			s->old_addr[olds++] = addr;
			s->kind[i] = WMT_EV_FREE;
			frees++;
		} else {
			enum wm_status r;

			if (op != WMT_OP_KIND)
				return bad_column("KIND", err);
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

/* No column was read behind its end. */
static bool is_within(const struct wm_ops *o)
{
	const struct places *at = &o->hot.at, *end = &o->end;

	return at->kind <= end->kind && at->stack <= end->stack &&
	       at->size <= end->size && at->new_addr <= end->new_addr &&
	       at->old_addr <= end->old_addr && at->handle <= end->handle &&
	       at->place <= end->place && at->known <= end->known;
}

enum wm_status wm_ops_next(struct wm_cursor *c, struct wm_slice *s, unsigned n,
			   uint64_t *paths, struct wm_err *err)
{
	struct wm_ops *o = c->ops;
	enum wm_status r;

	if (o->mode & KNOWN && room_for_numbers(o, n))
		return wm_no_memory(err, NULL);
	switch (o->mode) {
	case 0:
		r = next_ops(c, s, n, paths, 0, err);
		break;
	case NEAR:
		r = next_ops(c, s, n, paths, NEAR, err);
		break;
	case NEAR | KNOWN:
		r = next_ops(c, s, n, paths, NEAR | KNOWN, err);
		break;
	default:
		r = next_ops(c, s, n, paths, NEAR | KNOWN | IDS, err);
	}
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
	       at->place == end->place && at->known == end->known &&
	       at->stack == end->stack && at->size == end->size &&
	       at->new_addr == end->new_addr && at->old_addr == end->old_addr;
}
