/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events of a block as OPS, written from section 6.6 of
 * docs/trace-format.md alone: the model of the runtime and that of the reader
 * are other code.
 *
 * Now and then a release has a form that the writer is free to choose: releases
 * by address of a block that has a handle.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/tools/fixture.h"
#include "wm/trace_format.h"

#define END 0 /* of the list of blocks; handle h is number h + 1 */
#define SEEN_SLOTS 16384 /* a power of two */

/* Numbers of values: @value has number @number in block @epoch. */
struct seen {
	struct {
		uint64_t value;
		uint32_t number, epoch;
	} slot[SEEN_SLOTS];
	uint32_t next;
};

struct entry {
	uint64_t addr;
	uint32_t number, epoch;
};

static struct model {
	uint32_t epoch; /* number of this block; older entries are none */
	uint64_t stack_after[WMT_OPS_STACKS], size_of[WMT_OPS_STACKS];
	uint64_t last_stack;
	struct seen stacks, sizes;
	/* blocks that have handles, in the order of their allocation */
	struct {
		uint64_t addr;
		unsigned class;
		uint32_t before, after;
	} block[WMT_OPS_PLACES + 1];
	uint32_t spare[WMT_OPS_PLACES + 1], spares, made;
	uint32_t next; /* the number behind the block released last */
	/* addresses that each class keeps, the last one at the end */
	uint64_t kept[WMT_OPS_CLASSES][WMT_OPS_DEPTH];
	unsigned keeps[WMT_OPS_CLASSES];
	uint64_t top, last_out, last_new, last_old;
	/* from addresses to numbers */
	struct entry *map;
	size_t slots;
	int half; /* a half byte that waits for its other half; or -1 */
} m;

static void put_half(struct fix_block *b, unsigned v)
{
	uint8_t byte;

	if (m.half < 0) {
		m.half = (int)v;
		return;
	}
	byte = (uint8_t)((unsigned)m.half | v << 4);
	fix_put(&b->column[WMT_COL_KIND], &byte, 1);
	m.half = -1;
}

static uint64_t scatter(uint64_t v)
{
	v *= 0x9e3779b97f4a7c15ull;
	return v >> 32 ^ v >> 7;
}

static void put_byte(struct fix_bytes *to, unsigned v)
{
	uint8_t byte = (uint8_t)v;

	fix_put(to, &byte, 1);
}

/* A value of a column that is coded as SEEN. */
static void put_seen(struct fix_bytes *to, struct seen *s, uint64_t v)
{
	uint64_t i = scatter(v) % SEEN_SLOTS;
	uint32_t n;

	while (s->slot[i].epoch == m.epoch && s->slot[i].value != v)
		i = (i + 1) % SEEN_SLOTS;
	if (s->slot[i].epoch != m.epoch) {
		put_byte(to, 0);
		fix_varint(to, v);
		if (s->next == WMT_SEEN_LIMIT)
			return;
		s->slot[i].value = v;
		s->slot[i].epoch = m.epoch;
		s->slot[i].number = s->next++;
		return;
	}
	n = s->slot[i].number;
	if (n >= WMT_SEEN_BYTE) {
		n -= WMT_SEEN_BYTE;
		put_byte(to, WMT_SEEN_BYTE + n / 256);
		n %= 256;
	}
	put_byte(to, n);
}

static void put_value(struct fix_block *b, int column, struct seen *s,
		      uint64_t v)
{
	if (b->plain)
		fix_varint(&b->column[column], v);
	else
		put_seen(&b->column[column], s, v);
}

/* Call path and size; returns what of them was predicted. */
static unsigned put_site(struct fix_block *b, const struct fix_event *e)
{
	uint64_t *stack = &m.stack_after[m.last_stack % WMT_OPS_STACKS];
	uint64_t *size = &m.size_of[e->stack % WMT_OPS_STACKS];
	unsigned op = 0;

	if (*stack == e->stack)
		op |= WMT_OP_STACK;
	else
		put_value(b, WMT_COL_STACK, &m.stacks, e->stack);
	if (*size == e->size)
		op |= WMT_OP_SIZE;
	else
		put_value(b, WMT_COL_SIZE, &m.sizes, e->size);
	*stack = m.last_stack = e->stack;
	*size = e->size;
	return op;
}

static struct entry *find(uint64_t addr)
{
	uint64_t i = scatter(addr >> 3) % m.slots;

	while (m.map[i].epoch == m.epoch && m.map[i].addr != addr)
		i = (i + 1) % m.slots;
	return &m.map[i];
}

static void take_out(uint32_t number)
{
	m.block[m.block[number].before].after = m.block[number].after;
	m.block[m.block[number].after].before = m.block[number].before;
}

/* A number for one more block, taken from the oldest if there is none. */
static uint32_t new_number(void)
{
	uint32_t number;

	if (m.spares)
		return m.spare[--m.spares];
	if (m.made < WMT_OPS_PLACES)
		return ++m.made;
	number = m.block[END].after;
	if (m.next == number)
		m.next = m.block[number].after;
	if (find(m.block[number].addr)->number == number)
		find(m.block[number].addr)->number = 0;
	take_out(number);
	return number;
}

static void append(uint64_t addr, unsigned class)
{
	uint32_t number = new_number(), last = m.block[END].before;
	struct entry *e = find(addr);

	m.block[number].addr = addr;
	m.block[number].class = class;
	m.block[number].before = last;
	m.block[number].after = END;
	m.block[last].after = m.block[END].before = number;
	*e = (struct entry){ addr, number, m.epoch };
}

static unsigned put_new(struct fix_block *b, const struct fix_event *e)
{
	unsigned op = put_site(b, e);
	uint64_t units = wmt_ops_units(e->size), expected;
	unsigned class = units < WMT_OPS_CLASSES ? (unsigned)units :
						   WMT_OPS_CLASSES - 1;
	int is_top = 0;

	if (e->kind == WMT_EV_REALLOC_IN && m.last_out) {
		expected = m.last_out;
	} else if (m.keeps[class]) {
		expected = m.kept[class][--m.keeps[class]];
	} else {
		expected = m.top;
		is_top = 1;
	}
	if (expected == e->addr)
		op |= WMT_OP_ADDR;
	else
		fix_address(&b->column[WMT_COL_ALLOC_ADDR], e->addr,
			    m.last_new);
	m.last_new = e->addr;
	if (is_top || e->addr == m.top)
		m.top = e->addr + 16 * units;
	append(e->addr, class);
	return op;
}

static void keep(unsigned class, uint64_t addr)
{
	if (m.keeps[class] == WMT_OPS_DEPTH) {
		memmove(m.kept[class], m.kept[class] + 1,
			(WMT_OPS_DEPTH - 1) * sizeof(addr));
		m.keeps[class]--;
	}
	m.kept[class][m.keeps[class]++] = addr;
}

static void put_old_address(struct fix_block *b, uint64_t addr)
{
	fix_address(&b->column[WMT_COL_FREE_ADDR], addr, m.last_old);
	m.last_old = addr;
}

/* How the block with number @number is named. */
static unsigned put_name(struct fix_block *b, uint32_t number)
{
	struct fix_bytes *to = &b->column[WMT_COL_HANDLE];
	uint32_t handle = number - 1;

	if (number == m.block[END].before)
		return WMT_OP_NEWEST;
	if (number == m.next)
		return WMT_OP_NEXT;
	if (number == m.block[m.next].before)
		return WMT_OP_PREVIOUS;
	put_byte(to, handle & 255);
	if (handle < 256)
		return WMT_OP_HANDLE1;
	put_byte(to, handle >> 8);
	return WMT_OP_HANDLE2;
}

static unsigned put_old(struct fix_block *b, const struct fix_event *e)
{
	struct entry *at = find(e->addr);
	uint32_t number = at->epoch == m.epoch ? at->number : 0;
	unsigned op;

	if (e->kind == WMT_EV_REALLOC_OUT)
		m.last_out = e->addr;
	if (number)
		at->number = 0;
	/* the runtime, too, forgets where some blocks are */
	if (!number || e->addr / 16 % 61 == 60) {
		put_old_address(b, e->addr);
		return WMT_OP_OLD_ADDR;
	}
	op = put_name(b, number);
	m.next = m.block[number].after;
	take_out(number);
	m.spare[m.spares++] = number;
	if (e->kind != WMT_EV_REALLOC_OUT)
		keep(m.block[number].class, e->addr);
	return op;
}

/* Columns of an event that the model does not know, but call path and size. */
static void put_other(struct fix_block *b, const struct fix_event *e, int fresh,
		      int old, int extra)
{
	if (fresh) {
		fix_address(&b->column[WMT_COL_ALLOC_ADDR], e->addr,
			    m.last_new);
		m.last_new = e->addr;
	}
	if (old)
		put_old_address(b, e->addr);
	if (extra)
		fix_varint(&b->column[WMT_COL_EXTRA], e->size);
}

static void put_kind(struct fix_block *b, unsigned kind)
{
	if (kind == WMT_EV_MALLOC || kind == WMT_EV_FREE)
		return;
	put_half(b, WMT_OP_KIND);
	if (kind < 15) {
		put_half(b, kind);
		return;
	}
	put_half(b, 15);
	put_half(b, kind & 15);
	put_half(b, kind >> 4);
}

static void put_event(struct fix_block *b, const struct fix_event *e)
{
	static const struct {
		int stack, fresh, old, extra;
	} all[WMT_EV_LIMIT] = {
#define X(name, number, s, a, f, x) [number] = { s, a, f, x },
		WMT_EVENT_LIST(X)
#undef X
	};

	put_kind(b, e->kind);
	if (WMT_OPS_NEW(e->kind)) {
		put_half(b, put_new(b, e));
	} else if (WMT_OPS_OLD(e->kind)) {
		put_half(b, put_old(b, e));
	} else {
		if (all[e->kind].stack)
			put_half(b, put_site(b, e));
		put_other(b, e, all[e->kind].fresh, all[e->kind].old,
			  all[e->kind].extra);
	}
}

/* The model is empty at the start of each block. */
static void begin(size_t events)
{
	size_t slots = 1024;

	while (slots < 2 * events)
		slots *= 2;
	if (slots > m.slots) {
		m.map = fix_alloc(m.map, slots * sizeof(*m.map));
		memset(m.map, 0, slots * sizeof(*m.map));
		m.slots = slots;
	}
	m.epoch++;
	memset(m.stack_after, 0, sizeof(m.stack_after));
	memset(m.size_of, 0, sizeof(m.size_of));
	memset(m.keeps, 0, sizeof(m.keeps));
	m.stacks.next = m.sizes.next = 1;
	m.spares = m.made = 0;
	m.next = END;
	m.block[END].before = m.block[END].after = END;
	m.block[END].addr = 0;
	m.last_stack = m.top = m.last_out = m.last_new = m.last_old = 0;
	m.half = -1;
}

void fix_ops(struct fix_block *b, const struct fix_event *e, size_t n)
{
	begin(n);
	while (n--)
		put_event(b, e++);
	if (m.half >= 0)
		put_half(b, WMT_NIBBLE_NONE);
}
