/* SPDX-License-Identifier: Apache-2.0 */
/* Predicted values take a part of one half byte, and only the values that were
 * not predicted are in columns.  The model starts anew with each block. */
#include "runtime/trace/encode.h"

#include <stdbool.h>
#include <string.h>

#include "wm/varint.h"

#define MAP_BITS 14
#define OPS_PER_EVENT 5
#define SEEN_BITS 10
#define always_inline inline __attribute__((always_inline))
#define HEAD 0 /* of the list of blocks; handle h is number h + 1 */

/* The model knows the blocks of some kinds below 15, and of no other kinds. */
#define X(name, number, s, a, f, x)                                            \
	(WMT_OPS_NEW(number) ? UINT64_C(1) << (number) : 0) |
static const uint64_t new_kinds = WMT_EVENT_LIST(X) 0;
#undef X
#define X(name, number, s, a, f, x)                                            \
	(WMT_OPS_OLD(number) ? UINT64_C(1) << (number) : 0) |
static const uint64_t old_kinds = WMT_EVENT_LIST(X) 0;
#undef X

/* A value is stored with the number of the trace's block, so that nothing has
 * to be cleared.  Values of more bits are neither predicted nor numbered. */
#define KEY_BITS 48

/* Numbers of the values of a column.  If a value was replaced here and occurs
 * again, it gets another number. */
struct seen {
	struct value {
		uint64_t key, number;
	} slot[1u << SEEN_BITS];
	uint32_t count, literals;
	int used; /* numbers are used in this block, else plain varints */
	unsigned skip;
};

/* The model that writer and reader both keep, and the map from addresses to
 * handles, which only the writer needs.  If two memory blocks compete for an
 * entry of the map, the older one is no longer named by its handle.  An entry
 * consists of the numbers of the trace's block and of the memory block. */
struct model {
	uint64_t next_stack[WMT_OPS_STACKS]; /* key, by the stack before */
	uint64_t size[WMT_OPS_STACKS]; /* key, by stack */
	uint8_t at[WMT_OPS_CLASSES]; /* index of the next released block */
	uint64_t released[WMT_OPS_CLASSES][WMT_OPS_DEPTH]; /* 0: none */
	struct block {
		uint64_t addr;
		uint16_t after, before;
		uint8_t class;
	} block[WMT_OPS_EVENTS + 1]; /* by number */
	uint16_t spare[WMT_OPS_EVENTS + 1]; /* numbers to use again */
	uint32_t map[1u << MAP_BITS];
	struct seen stacks, sizes;
};
static struct model *model;

static uint16_t epoch; /* number of the trace's block, never 0 */
/* Blocks to write without the map: most releases are of older blocks. */
static unsigned skip, backoff;

/* The ends of the columns, and the part of the model that changes often. */
struct state {
	uint8_t *op, *stack, *size, *fresh, *old, *handle;
	size_t last_stack; /* its number in the model */
	uint32_t spares, made; /* numbers free again, numbers ever used */
	uint32_t cursor; /* number after the block released last */
	uint64_t last_new, last_old, last_out, top;
	size_t releases, unnamed;
	uint32_t entry_epoch; /* epoch << 16 */
	uint64_t epoch_bits; /* epoch << KEY_BITS */
};

static inline uint32_t *entry_of(struct model *m, uint64_t addr)
{
	return &m->map[addr >> 4 & ((1u << MAP_BITS) - 1)];
}

static inline unsigned class_of(uint64_t units)
{
	return units < WMT_OPS_CLASSES ? (unsigned)units : WMT_OPS_CLASSES - 1;
}

/* @key is 0 for a value that will not be known when it occurs again. */
static __attribute__((noinline)) uint8_t *put_literal(struct seen *t,
						      struct value *place,
						      uint8_t *p, uint64_t v,
						      uint64_t key)
{
	if (t->used) {
		t->literals++;
		if (t->count < WMT_SEEN_LIMIT) {
			place->key = key;
			place->number = t->count++;
		}
		*p++ = 0;
	}
	return wm_varint_put(p, v);
}

static inline struct value *place_of(struct seen *t, uint64_t v)
{
	return &t->slot[(uint32_t)v * 0x9E3779B1u >> (32 - SEEN_BITS)];
}

/* If numbers are not used, no slot has the key of this block. */
static always_inline uint8_t *put_value(struct seen *t, uint8_t *p, uint64_t v,
					uint64_t key)
{
	struct value *place = place_of(t, v);
	uint64_t n;

	if (wm_unlikely(place->key != key))
		return put_literal(t, place, p, v, key);
	n = place->number;
	if (n >= WMT_SEEN_BYTE) {
		n -= WMT_SEEN_BYTE;
		*p++ = (uint8_t)(WMT_SEEN_BYTE + (n >> 8));
	}
	*p++ = (uint8_t)n;
	return p;
}

/* Not used if more than @many values were new in the last block of the
 * trace. */
static uint8_t begin_seen(struct seen *t, size_t many)
{
	if (t->skip)
		t->skip--;
	else if (t->literals > many)
		t->skip = 16;
	t->used = t->skip == 0;
	t->count = 1;
	t->literals = 0;
	return t->used ? WMT_ENC_SEEN : WMT_ENC_VARINT;
}

static __attribute__((noinline)) uint8_t *put_huge(struct model *m, uint8_t *p,
						   uint64_t size)
{
	return put_literal(&m->sizes, place_of(&m->sizes, size), p, size, 0);
}

static always_inline unsigned
put_stack_and_size(struct state *s, struct model *m, const struct wm_rec *r)
{
	uint64_t bytes = r->size, at = r->stack % WMT_OPS_STACKS;
	uint64_t *next = &m->next_stack[s->last_stack], *size = &m->size[at];
	uint64_t key = r->stack | s->epoch_bits;
	unsigned op = 0;

	s->last_stack = at;
	if (*next == key)
		op |= WMT_OP_STACK;
	else
		s->stack = put_value(&m->stacks, s->stack, r->stack, key);
	*next = key;
	key = bytes | s->epoch_bits;
	if (wm_unlikely(bytes >> KEY_BITS)) {
		s->size = put_huge(m, s->size, bytes);
		key = 0;
	} else if (*size == key) {
		op |= WMT_OP_SIZE;
	} else {
		s->size = put_value(&m->sizes, s->size, bytes, key);
	}
	*size = key;
	return op;
}

/* Puts each group of seven bits of @v, at most four, into a byte of its own. */
static always_inline uint32_t apart(uint32_t v)
{
	v += 3 * (v & 0xfffc000);
	return v + (v & 0x3f803f80);
}

/* Does what wm_varint_put() does, for values that mostly have three or four
 * bytes.  There is room for a word. */
static always_inline uint8_t *put_number(uint8_t *p, uint64_t v)
{
	uint32_t w;

	if (v - 0x4000 < 0x200000 - 0x4000) {
		w = apart((uint32_t)v) | 0x8080;
		memcpy(p, &w, 4);
		return p + 3;
	}
	if (v < 0x80) {
		*p = (uint8_t)v;
		return p + 1;
	}
	w = apart((uint32_t)v & 0xfffffff);
	if (v < 0x4000) {
		w |= 0x80;
		memcpy(p, &w, 2);
		return p + 2;
	}
	if (v < 0x10000000) {
		w |= 0x808080;
		memcpy(p, &w, 4);
		return p + 4;
	}
	w |= 0x80808080;
	memcpy(p, &w, 4);
	return wm_varint_put(p + 4, v >> 28);
}

static inline void put_new_addr(struct state *s, uint64_t addr)
{
	s->fresh = put_number(s->fresh, wmt_addr_code(addr, s->last_new));
}

/* Predicts the address that the allocator will give: that of the last released
 * block of this class, which is removed, else memory from the top. */
static always_inline uint64_t predict_addr(struct state *s, struct model *m,
					   unsigned kind, unsigned class,
					   int *from_top)
{
	unsigned at = (m->at[class] - 1u) % WMT_OPS_DEPTH;
	uint64_t addr = m->released[class][at];

	*from_top = 0;
	if (wm_unlikely(kind == WMT_EV_REALLOC_IN) && s->last_out)
		return s->last_out;
	if (addr) {
		m->released[class][at] = 0;
		m->at[class] = (uint8_t)at;
		return addr;
	}
	*from_top = 1;
	return s->top;
}

static always_inline void keep_released(struct model *m, unsigned class,
					uint64_t addr)
{
	unsigned at = m->at[class];

	m->released[class][at] = addr;
	m->at[class] = (at + 1) % WMT_OPS_DEPTH;
}

static always_inline void remember_block(struct state *s, struct model *m,
					 uint64_t addr, unsigned class)
{
	uint32_t number = s->spares ? m->spare[--s->spares] : ++s->made;
	struct block *b = &m->block[number];

	b->addr = addr;
	b->class = (uint8_t) class;
	b->after = HEAD;
	b->before = m->block[HEAD].before;
	m->block[b->before].after = (uint16_t)number;
	m->block[HEAD].before = (uint16_t)number;
	*entry_of(m, addr) = s->entry_epoch | number;
}

/* Without the map (@mapped) only the reader keeps the list of blocks. */
static always_inline unsigned new_block(struct state *s, struct model *m,
					const struct wm_rec *r, unsigned kind,
					bool mapped)
{
	uint64_t units = wmt_ops_units(r->size), addr = r->addr;
	unsigned op = put_stack_and_size(s, m, r), class = class_of(units);
	int from_top;

	if (predict_addr(s, m, kind, class, &from_top) == addr)
		op |= WMT_OP_ADDR;
	else
		put_new_addr(s, addr);
	if (from_top || addr == s->top)
		s->top = addr + 16 * units;
	s->last_new = addr;
	if (mapped)
		remember_block(s, m, addr, class);
	return op;
}

static always_inline unsigned name_block(struct state *s, const struct model *m,
					 uint32_t number)
{
	uint32_t handle = number - 1;

	if (number == m->block[HEAD].before)
		return WMT_OP_NEWEST;
	if (number == s->cursor)
		return WMT_OP_NEXT;
	if (number == m->block[s->cursor].before)
		return WMT_OP_PREVIOUS;
	*s->handle++ = (uint8_t)handle;
	if (handle < 256)
		return WMT_OP_HANDLE1;
	*s->handle++ = (uint8_t)(handle >> 8);
	return WMT_OP_HANDLE2;
}

static inline unsigned put_old_addr(struct state *s, uint64_t addr)
{
	s->old = put_number(s->old, wmt_addr_code(addr, s->last_old));
	s->last_old = addr;
	return WMT_OP_OLD_ADDR;
}

static always_inline unsigned old_block(struct state *s, struct model *m,
					const struct wm_rec *r, unsigned kind,
					bool mapped)
{
	uint64_t addr = r->addr;
	uint32_t *entry, number;
	struct block *b;
	unsigned op;

	if (kind == WMT_EV_REALLOC_OUT)
		s->last_out = addr;
	if (!mapped)
		return put_old_addr(s, addr);
	s->releases++;
	entry = entry_of(m, addr);
	/* An older entry gives a large number. */
	number = *entry - s->entry_epoch;
	if (number > WMT_OPS_EVENTS || m->block[number].addr != addr) {
		s->unnamed++;
		return put_old_addr(s, addr);
	}
	op = name_block(s, m, number);
	*entry = 0;
	b = &m->block[number];
	s->cursor = b->after;
	m->block[b->before].after = b->after;
	m->block[s->cursor].before = b->before;
	m->spare[s->spares++] = (uint16_t)number;
	if (kind != WMT_EV_REALLOC_OUT)
		keep_released(m, b->class, addr);
	return op;
}

/* Has the effect of new_block() and then old_block() for a block that is
 * released at once.  Returns the op of the first event; that of the second
 * event is WMT_OP_NEWEST. */
static always_inline unsigned passing_block(struct state *s, struct model *m,
					    const struct wm_rec *r)
{
	uint64_t units = wmt_ops_units(r->size), addr = r->addr, *released;
	unsigned op = put_stack_and_size(s, m, r), class = class_of(units);
	unsigned at = m->at[class];

	released = &m->released[class][(at - 1u) % WMT_OPS_DEPTH];
	if (*released == addr) {
		op |= WMT_OP_ADDR;
	} else if (*released) {
		*released = addr;
		put_new_addr(s, addr);
	} else {
		keep_released(m, class, addr);
		if (addr == s->top)
			op |= WMT_OP_ADDR;
		else
			put_new_addr(s, addr);
		s->top = addr;
	}
	if (addr == s->top)
		s->top = addr + 16 * units;
	s->last_new = addr;
	s->cursor = HEAD;
	s->releases++;
	return op;
}

/* Encodes an event whose block the model does not know. */
static __attribute__((noinline)) int
rare_event(struct wm_columns *c, struct state *s, const struct wm_rec *r)
{
	unsigned kind = WM_REC_KIND(r), has = wm_event_has[kind];

	*s->op++ = WMT_OP_KIND;
	if (kind < 15) {
		*s->op++ = (uint8_t)kind;
	} else {
		*s->op++ = 15;
		*s->op++ = kind & 15;
		*s->op++ = (uint8_t)(kind >> 4);
	}
	if (has & WM_HAS_STACK)
		*s->op++ = (uint8_t)put_stack_and_size(s, model, r);
	if (has & WM_HAS_NEW) {
		put_new_addr(s, r->addr);
		s->last_new = r->addr;
	}
	if (has & WM_HAS_OLD) {
		s->old = wm_varint_put(s->old,
				       wmt_addr_code(r->addr, s->last_old));
		s->last_old = r->addr;
	}
	if (has & WM_HAS_EXTRA)
		return wm_put_number(&c->col[WMT_COL_EXTRA], r->size);
	return 0;
}

static size_t pack_nibbles(uint8_t *ops, size_t n)
{
	uint8_t *out = ops;
	size_t i;

	ops[n] = WMT_NIBBLE_NONE;
	for (i = 0; i + 8 <= n; i += 8) {
		uint64_t w;

		memcpy(&w, ops + i, 8); /* little-endian, as the runtime is */
		w = (w | w >> 4) & 0x00ff00ff00ff00ff;
		w = (w | w >> 8) & 0x0000ffff0000ffff;
		w |= w >> 16;
		memcpy(out, &w, 4);
		out += 4;
	}
	for (; i < n; i += 2)
		*out++ = (uint8_t)(ops[i] | ops[i + 1] << 4);
	return (size_t)(out - ops);
}

size_t wm_encode_ops_bytes(void)
{
	return sizeof(*model);
}

int wm_encode_ops_reserve(struct wm_columns *c, size_t n)
{
	static const uint8_t bytes[WMT_COL_LIMIT] = {
		[WMT_COL_KIND] = OPS_PER_EVENT,
		[WMT_COL_STACK] = 6,
		[WMT_COL_SIZE] = 1 + WM_VARINT_MAX,
		[WMT_COL_ALLOC_ADDR] = WM_VARINT_MAX,
		[WMT_COL_FREE_ADDR] = WM_VARINT_MAX,
		[WMT_COL_HANDLE] = 2,
	};

	if (!model)
		model = wm_pool_map(sizeof(*model));
	if (!model)
		return -1;
	for (size_t i = 0; i < WMT_COL_LIMIT; i++)
		if (bytes[i] && wm_buf_reserve(&c->col[i], n * bytes[i] + 8))
			return -1;
	return 0;
}

static void choose_map(const struct state *s, bool mapped)
{
	if (!mapped) {
		skip--;
	} else if (s->releases >= 64 &&
		   (s->releases - s->unnamed) * 4 < s->releases) {
		backoff = backoff ? 2 * backoff : 2;
		if (backoff > 32)
			backoff = 32;
		skip = backoff;
	} else {
		backoff = 0;
	}
}

/* Returns -1 if there is no memory. */
static always_inline int put_events(struct wm_columns *c, struct state *to,
				    const struct wm_rec *r, size_t n,
				    bool mapped)
{
	const struct wm_rec *end = r + n;
	struct state s = *to; /* in registers, because its address is not
			       * taken */
	struct model *m = model;

	for (; r != end; r++) {
		unsigned kind = WM_REC_KIND(r);

		if (wm_likely(kind == WMT_EV_MALLOC)) {
			if (r + 1 != end && r[1].addr == r->addr &&
			    WM_REC_KIND(r + 1) == WMT_EV_FREE) {
				*s.op++ = (uint8_t)passing_block(&s, m, r++);
				*s.op++ = WMT_OP_NEWEST;
			} else {
				*s.op++ = (uint8_t)new_block(&s, m, r,
							     WMT_EV_MALLOC,
							     mapped);
			}
		} else if (wm_likely(kind == WMT_EV_FREE)) {
			*s.op++ = (uint8_t)old_block(&s, m, r, WMT_EV_FREE,
						     mapped);
		} else if ((new_kinds | old_kinds) >> kind & 1) {
			*s.op++ = WMT_OP_KIND;
			*s.op++ = (uint8_t)kind;
			*s.op++ = (uint8_t)(new_kinds >> kind & 1 ?
						    new_block(&s, m, r, kind,
							      mapped) :
						    old_block(&s, m, r, kind,
							      mapped));
		} else {
			*to = s;
			if (rare_event(c, to, r))
				return -1;
			s = *to;
		}
	}
	*to = s;
	return 0;
}

static __attribute__((noinline)) int put_mapped(struct wm_columns *c,
						struct state *s,
						const struct wm_rec *rec,
						size_t n)
{
	return put_events(c, s, rec, n, true);
}

static __attribute__((noinline)) int put_unmapped(struct wm_columns *c,
						  struct state *s,
						  const struct wm_rec *rec,
						  size_t n)
{
	return put_events(c, s, rec, n, false);
}

int wm_encode_ops(struct wm_columns *c, const struct wm_rec *rec, size_t n)
{
	bool mapped = skip == 0;
	struct state s = { .op = NULL };
	struct wm_buf *col = c->col;
	struct model *m;

	if (wm_encode_ops_reserve(c, n))
		return -1;
	if (++epoch == 0) {
		/* No old value may match a number that is used again. */
		memset(model, 0, sizeof(*model));
		epoch = 1;
	}
	m = model;
	s.epoch_bits = (uint64_t)epoch << KEY_BITS;
	s.entry_epoch = (uint32_t)epoch << 16;
	memset(m->released, 0, sizeof(m->released));
	m->block[HEAD].after = m->block[HEAD].before = HEAD;
	c->encoding[WMT_COL_KIND] = WMT_ENC_OPS;
	c->encoding[WMT_COL_STACK] = begin_seen(&m->stacks, n / 8);
	c->encoding[WMT_COL_SIZE] = begin_seen(&m->sizes, n / 8);
	s.op = col[WMT_COL_KIND].p;
	s.stack = col[WMT_COL_STACK].p;
	s.size = col[WMT_COL_SIZE].p;
	s.fresh = col[WMT_COL_ALLOC_ADDR].p;
	s.old = col[WMT_COL_FREE_ADDR].p;
	s.handle = col[WMT_COL_HANDLE].p;
	if ((mapped ? put_mapped : put_unmapped)(c, &s, rec, n))
		return -1;
	col[WMT_COL_KIND].len = pack_nibbles(col[WMT_COL_KIND].p,
					     (size_t)(s.op -
						      col[WMT_COL_KIND].p));
	col[WMT_COL_STACK].len = (size_t)(s.stack - col[WMT_COL_STACK].p);
	col[WMT_COL_SIZE].len = (size_t)(s.size - col[WMT_COL_SIZE].p);
	col[WMT_COL_ALLOC_ADDR].len = (size_t)(s.fresh -
					       col[WMT_COL_ALLOC_ADDR].p);
	col[WMT_COL_FREE_ADDR].len = (size_t)(s.old - col[WMT_COL_FREE_ADDR].p);
	col[WMT_COL_HANDLE].len = (size_t)(s.handle - col[WMT_COL_HANDLE].p);
	choose_map(&s, mapped);
	return 0;
}
