/* SPDX-License-Identifier: Apache-2.0 */
/* Events to OPS and back, by the writer's and the reader's own code; columns that
 * no writer made. */
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/trace/decode.h"
#include "runtime/trace/encode.h"
#include "tests/unit/random.h"
#include "tests/unit/tap.h"

#define EVENTS 8192
#define LIVE 3000
#define PATHS 5000

static struct wm_rec rec[EVENTS];
static uint64_t live[LIVE];
static size_t lives;
static uint64_t bump, released;

static uint64_t fresh_address(uint64_t size)
{
	uint64_t a = released;

	if (a && below(2)) {
		released = 0;
		return a;
	}
	if (below(50) == 0)
		return 0x7f0000000000 + below(1 << 20) * 8;
	a = bump;
	bump += 16 * wmt_ops_units(size);
	return a;
}

static void allocate(struct wm_rec *r, unsigned kind, unsigned paths,
		     unsigned sizes)
{
	r->kind = kind;
	r->stack = (uint32_t)below(paths);
	r->size = below(sizes) * (1 + r->stack % 7);
	r->addr = fresh_address(r->size);
	if (lives < LIVE)
		live[lives++] = r->addr;
}

static void release(struct wm_rec *r, unsigned kind, unsigned order)
{
	size_t i = order == 0 ? lives - 1 : order == 1 ? 0 : below(lives);

	r->kind = kind;
	r->addr = below(40) ? live[i] : below(UINT64_C(1) << 46) + 1;
	released = r->addr == live[i] ? r->addr : 0;
	memmove(live + i, live + i + 1, (--lives - i) * sizeof(*live));
}

/* A block of events as programs make them, and as none does. */
static void make(unsigned paths, unsigned sizes, unsigned order, int all)
{
	static const uint8_t has[WMT_EV_LIMIT] = {
#define X(name, number, s, a, f, x)                                            \
	[number] = 1 | (s) << 1 | (a) << 2 | (f) << 3 | (x) << 4,
		WMT_EVENT_LIST(X)
#undef X
	};

	for (size_t i = 0; i < EVENTS; i++) {
		struct wm_rec *r = &rec[i];
		unsigned kind = (unsigned)below(WMT_EV_LIMIT);

		*r = (struct wm_rec){ .time = i / 3 };
		if (all && below(3) == 0 && has[kind] & 1) {
			r->kind = kind;
			r->stack = has[kind] & 2 ? (uint32_t)below(paths) : 0;
			r->size = has[kind] & (2 | 16) ? below(1000) : 0;
			r->addr = has[kind] & (4 | 8) ? 1 + below(1 << 20) : 0;
		} else if (lives && (lives == LIVE || below(2))) {
			release(r, below(9) ? WMT_EV_FREE : WMT_EV_REALLOC_OUT,
				order);
		} else {
			allocate(r,
				 below(9) ? WMT_EV_MALLOC : WMT_EV_REALLOC_IN,
				 paths, sizes);
		}
	}
}

static struct wm_columns columns;
static uint32_t identity[PATHS];
static struct wm_generation generation = { .near = { .path = identity,
						     .count = PATHS } };
static struct wm_trace trace = { .gen = &generation };
static struct wm_event_block block = { .events = EVENTS };

/* The columns, with what may be read behind them. */
static uint8_t room[WMT_COL_LIMIT][EVENTS * 16 + WM_COLUMN_SLACK];

/* A copy of a column, which may be NULL and 0, there. */
static void put_column(struct wm_event_data *d, int i, const uint8_t *p,
		       size_t len)
{
	if (len > EVENTS * 16)
		abort();
	if (p)
		memcpy(room[i], p, len);
	memset(room[i] + len, 0xff, WM_COLUMN_SLACK);
	d->col[i].p = p ? room[i] : NULL;
	d->col[i].end = p ? room[i] + len : NULL;
}

static void encode(struct wm_event_data *d)
{
	for (int i = 0; i < WMT_COL_LIMIT; i++)
		columns.col[i].len = 0;
	if (wm_encode_times(&columns, rec, EVENTS, 0) ||
	    wm_encode_ops(&columns, rec, EVENTS))
		abort();
	for (int i = 0; i < WMT_COL_LIMIT; i++) {
		put_column(d, i, columns.col[i].p, columns.col[i].len);
		d->encoding[i] = columns.encoding[i];
	}
	d->stream.head.field[WMT_F_TIME_FIRST].v[0] = columns.time_first;
	d->stream.head.field[WMT_F_TIME_LAST].v[0] = columns.time_last;
}

static int same(const struct wm_slice *s, const struct wm_rec *r)
{
	unsigned stack = 0, fresh = 0, old = 0, extra = 0;
	int good = 1;

	for (unsigned i = 0; i < s->events; i++, r++) {
		const struct wm_operands *has = &wm_operands[r->kind];

		good &= s->kind[i] == r->kind && s->time[i] == r->time;
		if (has->stack) {
			good &= s->path[stack] == r->stack;
			good &= s->size[stack++] == r->size;
		}
		if (has->fresh)
			good &= s->new_addr[fresh++] == r->addr;
		if (has->old)
			good &= s->old_addr[old++] == r->addr;
		if (has->extra)
			good &= s->extra[extra++] == r->size;
	}
	return good;
}

static int decodes(struct wm_event_data *d)
{
	struct wm_err err = { "" };
	struct wm_cursor c;
	struct wm_slice s;
	size_t done = 0;
	int good;

	encode(d);
	good = wm_cursor_init(&c, &trace, &block, d, &err) == WM_OK;
	while (good && wm_cursor_next(&c, &s, &err) == WM_OK) {
		good = same(&s, rec + done);
		done += s.events;
	}
	if (!good || done != EVENTS || err.text[0])
		printf("# after %zu events: %s\n", done, err.text);
	return good && done == EVENTS && !err.text[0];
}

/* Whatever stands in the columns: an error or events, nothing else. */
static void noise(struct wm_event_data *d, int column, uint8_t *p, size_t len)
{
	struct wm_buf at_hand = { .p = p, .len = len }, *b = &at_hand;
	struct wm_cursor c;
	struct wm_slice s;
	struct wm_err err;
	unsigned refused = 0, silent = 0;

	for (int i = 0; i < 200 && b->len; i++) {
		size_t at = below(b->len);
		uint8_t was = b->p[at];
		enum wm_status r;

		b->p[at] = (uint8_t)below(256);
		if (below(4) == 0)
			d->col[column].end = b->p + below(b->len);
		err.text[0] = 0;
		r = wm_cursor_init(&c, &trace, &block, d, &err);
		while (r == WM_OK)
			r = wm_cursor_next(&c, &s, &err);
		refused += r == WM_BAD_INPUT;
		silent += r != WM_END && !err.text[0];
		b->p[at] = was;
		d->col[column].end = b->p + b->len;
	}
	ok(refused && !silent,
	   "column %d changed at random: %u refused, %u "
	   "of them without a reason",
	   column, refused, silent);
}

int main(void)
{
	struct wm_event_data d = { .ops = NULL };
	int blocks = 0;

	tap_plan(18);
	for (uint32_t i = 0; i < PATHS; i++)
		identity[i] = i;
	bump = 0x10000;
	for (unsigned order = 0; order < 3; order++) {
		make(20, 1, order, 0);
		ok(decodes(&d), "few paths, order %u", order);
		make(PATHS, 100000, order, 0);
		ok(decodes(&d), "many paths and sizes, order %u", order);
		make(300, 64, order, 1);
		ok(decodes(&d), "all kinds, order %u", order);
	}
	while (blocks < 40) {
		make(1 + (unsigned)below(PATHS), 1 + (unsigned)below(5000),
		     (unsigned)below(3), (int)below(2));
		if (!decodes(&d))
			break;
		blocks++;
	}
	ok(blocks == 40, "40 blocks in a row: %d", blocks);
	make(300, 64, 2, 1);
	encode(&d);
	for (int i = 1; i < WMT_COL_LIMIT; i++)
		if (columns.col[i].len)
			noise(&d, i, room[i], columns.col[i].len);
	wm_ops_free(d.ops);
	return tap_done();
}
