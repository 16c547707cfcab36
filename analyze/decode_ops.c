/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/decode_ops.h"

#include <stdlib.h>
#include <string.h>

#include "wm/varint.h"

#define HEAD 0 /* of the list of blocks; handle h is place h + 1 */

/* A column that is either plain varints or coded as SEEN. */
struct values {
	uint64_t value[WMT_SEEN_LIMIT];
	uint32_t count;
	int seen;
};

struct wm_ops {
	uint64_t next_stack[WMT_OPS_STACKS], size_of[WMT_OPS_STACKS];
	uint8_t at[WMT_OPS_CLASSES], kept[WMT_OPS_CLASSES];
	uint64_t last_stack, last_new, last_old, last_out, top;
	uint32_t spares, made, cursor;
	struct wm_column handle, place;
	int near; /* OPS_NEAR */
	unsigned depth; /* of released */
	int high; /* the high half of *kind.p comes next */
	/* up to here it starts as zeros */
	struct values stacks, sizes;
	uint64_t released[WMT_OPS_CLASSES][WMT_NEAR_DEPTH];
	uint64_t addr[WMT_OPS_PLACES + 1]; /* by place; 0: free */
	uint16_t after[WMT_OPS_PLACES + 1], before[WMT_OPS_PLACES + 1];
	uint16_t spare[WMT_OPS_PLACES + 1];
	uint8_t class[WMT_OPS_PLACES + 1];
};

static enum wm_status malformed(const char *column, struct wm_err *err)
{
	return wm_err_set(err, WM_BAD_INPUT, "column %s is malformed", column);
}

enum wm_status wm_ops_begin(struct wm_cursor *c, struct wm_event_data *d,
			    struct wm_err *err)
{
	struct wm_ops *o = d->ops;

	if (!o)
		o = d->ops = malloc(sizeof(*o));
	if (!o)
		return wm_err_set(err, WM_NO_MEMORY, "no memory");
	memset(o, 0, offsetof(struct wm_ops, stacks));
	o->stacks.count = o->sizes.count = 1;
	o->stacks.seen = d->encoding[WMT_COL_STACK] == WMT_ENC_SEEN;
	o->sizes.seen = d->encoding[WMT_COL_SIZE] == WMT_ENC_SEEN;
	o->handle = d->col[WMT_COL_HANDLE];
	o->place = d->col[WMT_COL_PLACE];
	o->near = d->encoding[WMT_COL_KIND] == WMT_ENC_OPS_NEAR;
	o->depth = o->near ? WMT_NEAR_DEPTH : WMT_OPS_DEPTH;
	o->after[HEAD] = o->before[HEAD] = HEAD;
	o->addr[HEAD] = 0;
	c->ops = o;
	c->octets = 1;
	return WM_OK;
}

/* The next half byte, or -1 at the end. */
static inline int next_op(struct wm_cursor *c)
{
	struct wm_ops *o = c->ops;

	if (c->kind.p == c->kind.end)
		return -1;
	o->high = !o->high;
	return o->high ? *c->kind.p & 15 : *c->kind.p++ >> 4;
}

static inline int get_value(struct wm_column *c, struct values *t, uint64_t *v)
{
	uint32_t n;

	if (!t->seen) {
		c->p = wm_varint_get(c->p, c->end, v);
		return c->p != NULL;
	}
	if (c->p == c->end)
		return 0;
	n = *c->p++;
	if (n >= WMT_SEEN_BYTE) {
		if (c->p == c->end)
			return 0;
		n = WMT_SEEN_BYTE + ((n - WMT_SEEN_BYTE) << 8) + *c->p++;
	}
	if (n) {
		*v = t->value[n < t->count ? n : 0];
		return n < t->count;
	}
	c->p = wm_varint_get(c->p, c->end, v);
	if (!c->p)
		return 0;
	if (t->count < WMT_SEEN_LIMIT)
		t->value[t->count++] = *v;
	return 1;
}

/* Call path and size of an event; -1 when a column is malformed. */
static inline int site(struct wm_cursor *c, unsigned op, uint64_t *stack,
		       uint64_t *size)
{
	struct wm_ops *o = c->ops;
	uint64_t *next = &o->next_stack[o->last_stack % WMT_OPS_STACKS];
	uint64_t *size_of;

	if (!(op & WMT_OP_STACK) && !get_value(&c->stack, &o->stacks, next))
		return -1;
	*stack = o->last_stack = *next;
	size_of = &o->size_of[*stack % WMT_OPS_STACKS];
	if (!(op & WMT_OP_SIZE) && !get_value(&c->size, &o->sizes, size_of))
		return -1;
	*size = *size_of;
	return 0;
}

static inline int get_addr(struct wm_column *c, uint64_t before, uint64_t *addr)
{
	uint64_t code;

	c->p = wm_varint_get(c->p, c->end, &code);
	if (!c->p)
		return 0;
	*addr = wmt_addr_decode(code, before);
	return *addr != 0;
}

static inline uint64_t predict(struct wm_ops *o, unsigned kind, unsigned class,
			       int *from_top)
{
	*from_top = 0;
	if (kind == WMT_EV_REALLOC_IN && o->last_out)
		return o->last_out;
	if (o->kept[class]) {
		o->kept[class]--;
		o->at[class]--;
		return o->released[class][o->at[class] % o->depth];
	}
	*from_top = 1;
	return o->top;
}

/*
 * The class keeps addresses, and the last of them it is not: one that PLACE
 * tells, or if it is 0 none of them.
 */
static int get_near(struct wm_cursor *c, unsigned class, uint64_t *addr)
{
	struct wm_ops *o = c->ops;
	uint64_t *kept = o->released[class];
	unsigned n, i, at = o->at[class] - 1u;

	if (o->place.p == o->place.end)
		return 0;
	n = *o->place.p++;
	if (n == 0)
		return get_addr(&c->new_addr, o->last_new, addr);
	if (n >= o->kept[class])
		return 0;
	*addr = kept[(at - n) % WMT_NEAR_DEPTH];
	for (i = at - n; i != at; i++)
		kept[i % WMT_NEAR_DEPTH] = kept[(i + 1) % WMT_NEAR_DEPTH];
	o->at[class]--;
	o->kept[class]--;
	return 1;
}

static inline void unlink_place(struct wm_ops *o, uint32_t place)
{
	o->after[o->before[place]] = o->after[place];
	o->before[o->after[place]] = o->before[place];
}

/* All places are taken: the oldest block gives up its own. */
static uint32_t take_oldest(struct wm_ops *o)
{
	uint32_t place = o->after[HEAD];

	if (o->cursor == place)
		o->cursor = o->after[place];
	unlink_place(o, place);
	return place;
}

static inline void remember(struct wm_ops *o, uint64_t addr, unsigned class)
{
	uint32_t place;
	uint16_t last;

	if (o->spares)
		place = o->spare[--o->spares];
	else if (o->made < WMT_OPS_PLACES)
		place = ++o->made;
	else
		place = take_oldest(o);
	last = o->before[HEAD];
	o->addr[place] = addr;
	o->class[place] = (uint8_t)class;
	o->after[last] = (uint16_t)place;
	o->before[place] = last;
	o->after[place] = HEAD;
	o->before[HEAD] = (uint16_t)place;
}

/* A new block of @size bytes; its address, 0 when a column is malformed. */
static inline uint64_t new_block(struct wm_cursor *c, unsigned kind,
				 unsigned op, uint64_t size)
{
	struct wm_ops *o = c->ops;
	uint64_t units = wmt_ops_units(size), addr;
	unsigned class = units < WMT_OPS_CLASSES ? (unsigned)units :
						   WMT_OPS_CLASSES - 1;
	int from_top;

	if (o->near && !(op & WMT_OP_ADDR) && o->kept[class] &&
	    (kind != WMT_EV_REALLOC_IN || !o->last_out)) {
		from_top = 0;
		if (!get_near(c, class, &addr))
			return 0;
	} else {
		addr = predict(o, kind, class, &from_top);
		if (!(op & WMT_OP_ADDR) &&
		    !get_addr(&c->new_addr, o->last_new, &addr))
			return 0;
	}
	if (from_top || addr == o->top)
		o->top = addr + 16 * units;
	o->last_new = addr;
	remember(o, addr, class);
	return addr;
}

/* The place that @op names, HEAD when there is none. */
static inline uint32_t named(struct wm_ops *o, unsigned op)
{
	size_t left = (size_t)(o->handle.end - o->handle.p);
	uint32_t handle;

	switch (op) {
	case WMT_OP_NEWEST:
		return o->before[HEAD];
	case WMT_OP_NEXT:
		return o->cursor;
	case WMT_OP_PREVIOUS:
		return o->before[o->cursor];
	case WMT_OP_HANDLE1:
		if (left < 1)
			return HEAD;
		handle = *o->handle.p++;
		break;
	default:
		if (left < 2)
			return HEAD;
		handle = o->handle.p[0] | (uint32_t)o->handle.p[1] << 8;
		o->handle.p += 2;
	}
	return handle < o->made ? handle + 1 : HEAD;
}

/* The address of the block that is released; 0 when there is none. */
static inline uint64_t old_block(struct wm_cursor *c, unsigned kind,
				 unsigned op)
{
	struct wm_ops *o = c->ops;
	uint64_t addr;
	uint32_t place;
	unsigned class;

	if (op == WMT_OP_OLD_ADDR) {
		if (!get_addr(&c->old_addr, o->last_old, &addr))
			return 0;
		o->last_old = addr;
	} else {
		place = named(o, op);
		addr = o->addr[place];
		if (!addr)
			return 0;
		o->addr[place] = 0;
		o->cursor = o->after[place];
		unlink_place(o, place);
		o->spare[o->spares++] = (uint16_t)place;
		class = o->class[place];
		if (kind != WMT_EV_REALLOC_OUT) {
			o->released[class][o->at[class]++ % o->depth] = addr;
			if (o->kept[class] < o->depth)
				o->kept[class]++;
		}
	}
	if (kind == WMT_EV_REALLOC_OUT)
		o->last_out = addr;
	return addr;
}

/* The kind behind WMT_OP_KIND; -1 when it is cut off. */
static int next_kind(struct wm_cursor *c)
{
	int kind = next_op(c), high;

	if (kind != 15)
		return kind;
	kind = next_op(c);
	high = next_op(c);
	return kind < 0 || high < 0 ? -1 : kind | high << 4;
}

static enum wm_status rare_event(struct wm_cursor *c, struct wm_slice *s,
				 unsigned kind, uint64_t *paths,
				 struct wm_err *err)
{
	const struct wm_operands *has = &wm_operands[kind];
	struct wm_ops *o = c->ops;
	int op = 0, modelled = WMT_OPS_NEW(kind);
	uint64_t addr;

	if (has->stack || WMT_OPS_OLD(kind))
		op = next_op(c);
	if (op < 0 || (has->stack && op > 7) ||
	    (WMT_OPS_OLD(kind) && (op < 8 || op > 13)))
		return malformed("KIND", err);
	if (has->stack) {
		if (site(c, (unsigned)op, &paths[s->stacks],
			 &s->size[s->stacks]))
			return malformed("STACK or SIZE", err);
		s->stacks++;
	}
	if (has->fresh) {
		addr = modelled ? new_block(c, kind, (unsigned)op,
					    s->size[s->stacks - 1]) : 0;
		if (!modelled && get_addr(&c->new_addr, o->last_new, &addr))
			o->last_new = addr;
		if (!addr)
			return malformed("ALLOC_ADDR", err);
		s->new_addr[s->news++] = addr;
	}
	if (has->old) {
		addr = old_block(c, kind, WMT_OPS_OLD(kind) ?
						  (unsigned)op :
						  WMT_OP_OLD_ADDR);
		if (!addr)
			return malformed("FREE_ADDR or HANDLE", err);
		s->old_addr[s->olds++] = addr;
	}
	s->extras += has->extra;
	return WM_OK;
}

enum wm_status wm_ops_next(struct wm_cursor *c, struct wm_slice *s, unsigned n,
			   uint64_t *paths, struct wm_err *err)
{
	s->stacks = s->news = s->olds = s->extras = 0;
	for (unsigned i = 0; i < n; i++) {
		int op = next_op(c), kind;
		uint64_t addr;
		enum wm_status r;

		if (op >= 0 && op < WMT_OP_HANDLE1) {
			kind = WMT_EV_MALLOC;
			if (site(c, (unsigned)op, &paths[s->stacks],
				 &s->size[s->stacks]))
				return malformed("STACK or SIZE", err);
			addr = new_block(c, WMT_EV_MALLOC, (unsigned)op,
					 s->size[s->stacks++]);
			if (!addr)
				return malformed("ALLOC_ADDR", err);
			s->new_addr[s->news++] = addr;
		} else if (op >= 0 && op < WMT_OP_KIND) {
			kind = WMT_EV_FREE;
			addr = old_block(c, WMT_EV_FREE, (unsigned)op);
			if (!addr)
				return malformed("FREE_ADDR or HANDLE", err);
			s->old_addr[s->olds++] = addr;
		} else {
			kind = op == WMT_OP_KIND ? next_kind(c) : -1;
			if (kind < 0 || kind >= WMT_EV_LIMIT ||
			    !wm_operands[kind].known)
				return malformed("KIND", err);
			r = rare_event(c, s, (unsigned)kind, paths, err);
			if (r)
				return r;
		}
		s->kind[i] = (uint8_t)kind;
		c->bytes[kind]++;
	}
	s->events = n;
	return WM_OK;
}

int wm_ops_done(const struct wm_cursor *c)
{
	const struct wm_ops *o = c->ops;
	const uint8_t *p = c->kind.p;

	if (o->high)
		p = *p >> 4 == WMT_NIBBLE_NONE ? p + 1 : NULL;
	return p == c->kind.end && o->handle.p == o->handle.end &&
	       o->place.p == o->place.end;
}
