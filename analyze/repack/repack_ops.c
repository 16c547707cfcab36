/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/repack/repack_ops.h"

#include "analyze/trace/decode.h"
#include "analyze/trace/live.h"
#include "analyze/trace/ops_model.h"

#define BUCKETS 65536
#define SEEN_BUCKETS 16384

/* The numbers of the values of a column. */
struct seen {
	uint64_t value[WMT_SEEN_LIMIT];
	uint16_t next[WMT_SEEN_LIMIT]; /* of the same bucket */
	uint16_t first[SEEN_BUCKETS];
	uint32_t count;
};

struct wm_ops_encoder {
	struct wm_ops_model m;
	struct wm_ops_now now;
	/* places by bucket of their address */
	uint16_t chain[WMT_OPS_PLACES + 1], first[BUCKETS];
	struct seen stacks, sizes;
	struct wm_columns_out *out;
	struct wm_octets *plain;
	int half; /* the high half of the last byte of KIND is free */
	bool failed; /* memory was short */
	/* from here on it lasts */
	bool known;
	struct wm_live live; /* by address; the number is the path */
	uint8_t *class_of; /* by number */
	size_t class_cap;
};

struct wm_ops_encoder *wm_ops_encoder_new(bool known)
{
	struct wm_ops_encoder *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->known = known;
	if (known && wm_live_init(&e->live)) {
		free(e);
		return NULL;
	}
	return e;
}

void wm_ops_encoder_free(struct wm_ops_encoder *e)
{
	if (!e)
		return;
	wm_live_release(&e->live);
	free(e->m.free_number);
	free(e->class_of);
	free(e);
}

static uint32_t bucket_index(uint64_t v, unsigned bits)
{
	return (uint32_t)(v * 0x9E3779B97F4A7C15u >> (64 - bits));
}

static void put_op(struct wm_ops_encoder *e, unsigned op)
{
	struct wm_octets *b = &e->out->col[WMT_COL_KIND];

	if (e->half && !b->failed)
		b->p[b->len - 1] = (uint8_t)((b->p[b->len - 1] & 15) | op << 4);
	else
		wm_octets_byte(b, (uint8_t)(op | WMT_NIBBLE_NONE << 4));
	e->half = !e->half;
}

/* ---- call path and size ---- */

static void put_value(struct wm_ops_encoder *e, struct seen *s, int column,
		      uint64_t v)
{
	struct wm_octets *b = &e->out->col[column];
	uint16_t *first = &s->first[bucket_index(v, 14)];
	uint32_t n = *first;

	wm_octets_varint(&e->plain[column == WMT_COL_SIZE], v);
	while (n && s->value[n] != v)
		n = s->next[n];
	if (n >= WMT_SEEN_BYTE) {
		n -= WMT_SEEN_BYTE;
		wm_octets_byte(b, (uint8_t)(WMT_SEEN_BYTE + (n >> 8)));
		wm_octets_byte(b, (uint8_t)n);
		return;
	}
	wm_octets_byte(b, (uint8_t)n);
	if (n)
		return;
	wm_octets_varint(b, v);
	if (s->count < WMT_SEEN_LIMIT) {
		s->value[s->count] = v;
		s->next[s->count] = *first;
		*first = (uint16_t)s->count++;
	}
}

/* Returns what was predicted. */
static unsigned put_site(struct wm_ops_encoder *e, const struct wm_event *ev)
{
	uint64_t *next = wm_ops_stack(&e->now, &e->m);
	uint64_t *size = wm_ops_size(&e->m, ev->path);
	unsigned op = 0;

	if (*next == ev->path)
		op |= WMT_OP_STACK;
	else
		put_value(e, &e->stacks, WMT_COL_STACK, ev->path);
	if (*size == ev->size)
		op |= WMT_OP_SIZE;
	else
		put_value(e, &e->sizes, WMT_COL_SIZE, ev->size);
	*next = e->now.last_stack = ev->path;
	*size = ev->size;
	return op;
}

/* ---- the list of blocks ---- */

static uint16_t *bucket_of(struct wm_ops_encoder *e, uint64_t addr)
{
	return &e->first[bucket_index(addr, 16)];
}

static uint32_t find_place(struct wm_ops_encoder *e, uint64_t addr)
{
	uint32_t place = *bucket_of(e, addr);

	while (place && e->m.addr[place] != addr)
		place = e->chain[place];
	return place;
}

static void leave_bucket(struct wm_ops_encoder *e, uint32_t place)
{
	uint16_t *link = bucket_of(e, e->m.addr[place]);

	while (*link != place)
		link = &e->chain[*link];
	*link = e->chain[place];
}

static void remember_block(struct wm_ops_encoder *e, uint64_t addr,
			   unsigned class)
{
	uint16_t *first = bucket_of(e, addr);
	uint32_t place;

	if (wm_ops_is_full(&e->now))
		leave_bucket(e, e->m.after[WM_OPS_HEAD]);
	place = wm_ops_append(&e->now, &e->m, addr, class);
	e->chain[place] = *first;
	*first = (uint16_t)place;
}

/* ---- numbers ---- */

static void number_block(struct wm_ops_encoder *e, uint64_t addr,
			 unsigned class)
{
	struct wm_live_slot *s;
	uint32_t number;

	if (e->failed)
		return;
	if (!WM_ROOM(e->class_of, e->class_cap, (size_t)e->now.numbers + 1) ||
	    wm_ops_number_room(&e->now, &e->m, 1) ||
	    wm_live_reserve(&e->live, 1)) {
		e->failed = true;
		return;
	}
	number = wm_ops_number(&e->now, &e->m);
	e->class_of[number] = (uint8_t) class;
	s = wm_live_find(&e->live, addr);
	e->failed |= wm_live_put(&e->live, s, addr, 0, number) != 0;
}

/* The number of the block at @addr, which it gives back; UINT32_MAX: there is
 * none. */
static uint32_t take_number(struct wm_ops_encoder *e, uint64_t addr)
{
	struct wm_live_slot *s = wm_live_find(&e->live, addr);
	uint32_t number = s->path;

	if (!s->addr)
		return UINT32_MAX;
	wm_live_erase(&e->live, s);
	wm_ops_number_back(&e->now, &e->m, number);
	return number;
}

/* ---- addresses ---- */

static void put_new(struct wm_ops_encoder *e, uint64_t addr)
{
	wm_octets_varint(&e->out->col[WMT_COL_ALLOC_ADDR],
			 wmt_addr_code(addr, e->now.last_new));
}

static void put_old(struct wm_ops_encoder *e, uint64_t addr)
{
	wm_octets_varint(&e->out->col[WMT_COL_FREE_ADDR],
			 wmt_addr_code(addr, e->now.last_old));
	e->now.last_old = addr;
}

/* The place of @addr among those that the class keeps: 1 before the last,
 * and so on; 0 when it is not there. */
static unsigned find_near(const struct wm_ops_model *m, unsigned class,
			  uint64_t addr)
{
	unsigned n = 1;

	while (n < m->kept[class] &&
	       wm_ops_kept(m, class, n, WMT_NEAR_DEPTH) != addr)
		n++;
	return n < m->kept[class] ? n : 0;
}

/* Whether the address is as expected; if not, which it is goes to columns. */
static unsigned put_address(struct wm_ops_encoder *e, const struct wm_event *ev,
			    unsigned class, enum wm_ops_source source)
{
	unsigned op = 0, n = 0;

	if (wm_ops_expected(&e->now, &e->m, class, source, WMT_NEAR_DEPTH) ==
	    ev->addr)
		op = WMT_OP_ADDR;
	else if (source == WM_OPS_KEPT)
		n = find_near(&e->m, class, ev->addr);
	if (source == WM_OPS_KEPT && !op)
		wm_octets_byte(&e->out->col[WMT_COL_PLACE], (uint8_t)n);
	if (source == WM_OPS_KEPT && (op || n))
		wm_ops_forget(&e->m, class, n, WMT_NEAR_DEPTH);
	else if (!op)
		put_new(e, ev->addr);
	return op;
}

static unsigned new_block(struct wm_ops_encoder *e, const struct wm_event *ev)
{
	uint64_t units = wmt_ops_units(ev->size);
	unsigned class = wm_ops_class(units), op = put_site(e, ev);
	enum wm_ops_source source = wm_ops_source(&e->now, &e->m, ev->kind,
						  class);

	op |= put_address(e, ev, class, source);
	wm_ops_came(&e->now, units, ev->addr, source);
	remember_block(e, ev->addr, class);
	if (e->known)
		number_block(e, ev->addr, class);
	return op;
}

static unsigned name_place(struct wm_ops_encoder *e, uint32_t place)
{
	struct wm_octets *b = &e->out->col[WMT_COL_HANDLE];
	uint32_t handle = place - 1;

	if (place == e->m.before[WM_OPS_HEAD])
		return WMT_OP_NEWEST;
	if (place == e->now.cursor)
		return WMT_OP_NEXT;
	if (place == e->m.before[e->now.cursor])
		return WMT_OP_PREVIOUS;
	wm_octets_byte(b, (uint8_t)handle);
	if (handle < 256)
		return WMT_OP_HANDLE1;
	wm_octets_byte(b, (uint8_t)(handle >> 8));
	return WMT_OP_HANDLE2;
}

/* A release of what has no place in the list. */
static void put_outsider(struct wm_ops_encoder *e, const struct wm_event *ev,
			 uint32_t number)
{
	if (e->known)
		wm_octets_le32(&e->out->col[WMT_COL_KNOWN], number + 1);
	if (number == UINT32_MAX)
		put_old(e, ev->addr);
	else if (ev->kind != WMT_EV_REALLOC_OUT)
		wm_ops_keep(&e->m, e->class_of[number], ev->addr,
			    WMT_NEAR_DEPTH);
}

static unsigned old_block(struct wm_ops_encoder *e, const struct wm_event *ev)
{
	uint32_t place = find_place(e, ev->addr);
	uint32_t number = UINT32_MAX;
	unsigned op = WMT_OP_OLD_ADDR;

	if (e->known)
		number = take_number(e, ev->addr);
	if (ev->kind == WMT_EV_REALLOC_OUT)
		e->now.last_out = ev->addr;
	if (!place) {
		put_outsider(e, ev, number);
		return op;
	}
	op = name_place(e, place);
	leave_bucket(e, place);
	wm_ops_remove(&e->now, &e->m, place);
	if (ev->kind != WMT_EV_REALLOC_OUT)
		wm_ops_keep(&e->m, e->m.class[place], ev -> addr,
			    WMT_NEAR_DEPTH);
	return op;
}

/* ---- events ---- */

static void put_kind(struct wm_ops_encoder *e, unsigned kind)
{
	put_op(e, WMT_OP_KIND);
	if (kind < 15) {
		put_op(e, kind);
		return;
	}
	put_op(e, 15);
	put_op(e, kind & 15);
	put_op(e, kind >> 4);
}

static void put_event(struct wm_ops_encoder *e, const struct wm_event *ev)
{
	const struct wm_operands *has = &wm_operands[ev->kind];

	if (ev->kind != WMT_EV_MALLOC && ev->kind != WMT_EV_FREE)
		put_kind(e, ev->kind);
	if (WMT_OPS_NEW(ev->kind)) {
		put_op(e, new_block(e, ev));
	} else if (WMT_OPS_OLD(ev->kind)) {
		put_op(e, old_block(e, ev));
	} else {
		if (has->stack)
			put_op(e, put_site(e, ev));
		if (has->fresh && e->known) {
			put_old(e, ev->addr);
		} else if (has->fresh) {
			put_new(e, ev->addr);
			e->now.last_new = ev->addr;
		}
		if (has->old)
			put_old(e, ev->addr);
	}
	if (has->extra)
		wm_octets_varint(&e->out->col[WMT_COL_EXTRA], ev->size);
}

static void put_times(struct wm_octets *b, const struct wm_event *ev, size_t n)
{
	uint64_t run = 1;
	size_t i;

	for (i = 1; i < n; i++) {
		if (ev[i].time == ev[i - 1].time) {
			run++;
			continue;
		}
		wm_octets_varint(b, run);
		wm_octets_varint(b, ev[i].time - ev[i - 1].time);
		run = 0;
	}
	wm_octets_varint(b, run);
}

enum wm_status wm_ops_encode(struct wm_ops_encoder *e,
			     const struct wm_event *ev, size_t n,
			     struct wm_columns_out *out,
			     struct wm_octets plain[2], struct wm_err *err)
{
	static const uint8_t used[WMT_COL_LIMIT] = {
		[WMT_COL_KIND] = WMT_ENC_OPS_NEAR,
		[WMT_COL_TIME] = WMT_ENC_RUNS,
		[WMT_COL_STACK] = WMT_ENC_SEEN,
		[WMT_COL_SIZE] = WMT_ENC_SEEN,
		[WMT_COL_ALLOC_ADDR] = WMT_ENC_DELTA,
		[WMT_COL_FREE_ADDR] = WMT_ENC_DELTA,
		[WMT_COL_EXTRA] = WMT_ENC_VARINT,
		[WMT_COL_HANDLE] = WMT_ENC_OCTETS,
		[WMT_COL_PLACE] = WMT_ENC_OCTETS,
		[WMT_COL_KNOWN] = WMT_ENC_OCTETS,
	};
	size_t i;
	bool failed;
	size_t k;

	wm_ops_model_begin(&e->now, &e->m);
	memset(e->first, 0, sizeof(e->first));
	memset(e->stacks.first, 0, sizeof(e->stacks.first));
	memset(e->sizes.first, 0, sizeof(e->sizes.first));
	e->half = 0;
	e->failed = false;
	e->stacks.count = e->sizes.count = 1;
	e->out = out;
	e->plain = plain;
	plain[0].len = plain[1].len = 0;
	for (i = 0; i < WMT_COL_LIMIT; i++) {
		if (!used[i])
			continue;
		out->col[i].len = 0;
		out->encoding[i] = used[i];
	}
	if (e->known)
		out->encoding[WMT_COL_KIND] = WMT_ENC_OPS_KNOWN;
	for (k = 0; k < n; k++)
		put_event(e, &ev[k]);
	if (n)
		put_times(&out->col[WMT_COL_TIME], ev, n);
	failed = e->failed;
	for (i = 0; i < WMT_COL_LIMIT; i++)
		failed |= out->col[i].failed;
	if (failed || plain[0].failed || plain[1].failed)
		return wm_no_memory(err, NULL);
	return WM_OK;
}
