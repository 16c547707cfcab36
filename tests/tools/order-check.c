/* SPDX-License-Identifier: Apache-2.0 */
/*
 * order-check TRACE: replays a trace of tests/progs/order.c, address by
 * address, and prints what it found as JSON.
 *
 * The merge is written from docs/trace-format.md, section 4, and shares
 * nothing with that of wm-analyze but the decoder: threads by time, the lower
 * number first; an allocation on top of a live block and a release of nothing
 * wait for another thread to touch that address, or for the skew window to
 * pass, which then is a violation, unless a release seems to have come before
 * its own block and another one's end.  Each release is paired with the
 * allocation that it meets; see order.c for the sum over these pairs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/trace/decode.h"

#define SKEW_NS 10000
#define MARK 99999

struct block { /* one address, for good */
	uint64_t addr, id, size;
	int live;
	/* its last release: when, of which block, by which event (if own) */
	uint64_t ended, ended_id, ender;
	int ender_own;
	int owed; /* that release came early: it is the next block's */
};

struct lane {
	const struct wm_trace_thread *thread;
	struct wm_event_data data;
	struct wm_cursor cursor;
	struct wm_slice slice;
	uint32_t next; /* block to load */
	unsigned event, stack, fresh, old;
	int open, waits, own;
	uint64_t id, key, addr, born;
	uint64_t out; /* block in the hands of realloc */
};

static struct wm_trace trace;
static struct block *table; /* at most half full */
static size_t room, used;
static struct lane **lanes;
static size_t lane_count;
static uint64_t count[WMT_EV_LIMIT], sum, unknown, conflicts, unpaired, waits;
static uint64_t skew, latest;
static struct wm_err err;

static void die(const char *why)
{
	fprintf(stderr, "order-check: %s\n", why);
	exit(3);
}

static uint64_t mix(uint64_t release, uint64_t alloc)
{
	uint64_t h = (release ^ alloc << 32 ^ alloc >> 32) *
		     UINT64_C(0x9E3779B97F4A7C15);

	h = (h ^ h >> 29 ^ alloc) * UINT64_C(0xBF58476D1CE4E5B9);
	return h ^ h >> 32;
}

static struct block *place(struct block *in, size_t mask, uint64_t addr)
{
	size_t i = addr * UINT64_C(0x9E3779B97F4A7C15) >> 32 & mask;

	while (in[i].addr && in[i].addr != addr)
		i = (i + 1) & mask;
	return &in[i];
}

static void grow(void)
{
	size_t more = room ? 2 * room : 1u << 12;
	struct block *p = calloc(more, sizeof(*p));

	if (!p)
		die("no memory");
	for (size_t i = 0; i < room; i++)
		if (table[i].addr)
			*place(p, more - 1, table[i].addr) = table[i];
	free(table);
	table = p;
	room = more;
}

static struct block *find(uint64_t addr)
{
	struct block *b;

	if (2 * used >= room)
		grow();
	b = place(table, room - 1, addr);
	used += !b->addr;
	b->addr = addr;
	return b;
}

/* The thread's next event, or 0. */
static int advance(struct lane *l)
{
	enum wm_status s;

	while (l->event == l->slice.events) {
		l->event = l->stack = l->fresh = l->old = 0;
		if (l->open) {
			s = wm_cursor_next(&l->cursor, &l->slice, &err);
			if (s == WM_OK)
				continue;
			if (s != WM_END)
				die(err.text);
			l->open = 0;
		}
		l->slice.events = 0;
		if (l->next == l->thread->first + l->thread->count)
			return 0;
		if (wm_trace_load(&trace, &trace.blocks[l->next], &l->data,
				  &err) ||
		    wm_cursor_init(&l->cursor, &trace, &trace.blocks[l->next],
				   &l->data, &err))
			die(err.text);
		l->next++;
		l->open = 1;
	}
	if (l->slice.time[l->event] < l->key && !l->waits)
		die("time runs backwards in a thread");
	l->key = l->slice.time[l->event];
	return 1;
}

/* Is it one that order.c counts?  See there. */
static int is_own(struct lane *l, unsigned kind)
{
	uint64_t size = wm_operands[kind].stack ? l->slice.size[l->stack] : 0;

	if (kind == WMT_EV_CALLOC && size == MARK) {
		l->own = 1;
		return 0;
	}
	return l->own && !(kind == WMT_EV_CALLOC && !(size & 1));
}

static void gain(struct lane *l, struct block *b, int own)
{
	if (b->live)
		conflicts++;
	b->live = 1;
	b->id = own ? l->id++ : 0;
	b->size = l->slice.size[l->stack];
	if (b->owed) {
		if (b->ender_own)
			sum += mix(b->ender, b->id);
		b->owed = b->live = 0;
		b->ended = 0;
	}
}

/* No block, but one that another release has just ended: it was this one's. */
static int take_over(struct lane *l, struct block *b, unsigned kind)
{
	uint64_t now = l->slice.time[l->event];

	if (b->live || b->owed || kind != WMT_EV_FREE || !b->ended ||
	    (now > b->ended ? now - b->ended : b->ended - now) > skew)
		return 0;
	if (b->ender_own)
		sum -= mix(b->ender, b->ended_id);
	if (l->own)
		sum += mix(l->id++, b->ended_id);
	b->owed = 1;
	return 1;
}

static void release(struct lane *l, struct block *b, unsigned kind)
{
	if (take_over(l, b, kind))
		return;
	if (!b->live)
		unknown++;
	b->live = 0;
	b->ended = kind == WMT_EV_FREE ? l->slice.time[l->event] : 0;
	b->ended_id = b->id;
	b->ender = l->id;
	b->ender_own = l->own;
	if (l->own)
		sum += mix(l->id++, b->id);
}

/* 0: it has to wait; else the address that it touched, or 1. */
static uint64_t replay(struct lane *l, int alone)
{
	unsigned kind = l->slice.kind[l->event];
	const struct wm_operands *o = &wm_operands[kind];
	uint64_t addr = o->fresh ? l->slice.new_addr[l->fresh] :
			o->old	 ? l->slice.old_addr[l->old] :
				   0;
	struct block *b = kind <= WMT_EV_DELETE && addr ? find(addr) : NULL;
	int own;

	l->addr = addr;
	if (b && !alone && (o->fresh ? b->live : !b->live))
		return 0;
	if (l->out && kind != WMT_EV_REALLOC_IN && kind != WMT_EV_REALLOC_GONE)
		unpaired++;
	if (!l->out &&
	    (kind == WMT_EV_REALLOC_IN || kind == WMT_EV_REALLOC_GONE))
		unpaired++;
	l->out = kind == WMT_EV_REALLOC_OUT ? addr : 0;
	own = is_own(l, kind);
	count[kind] += (uint64_t)own;
	if (b && o->fresh)
		gain(l, b, own);
	else if (b)
		release(l, b, kind);
	else if (kind == WMT_EV_REALLOC_GONE && own)
		l->id++;
	l->event++;
	l->stack += o->stack;
	l->fresh += o->fresh;
	l->old += o->old;
	return addr ? addr : 1;
}

static void wake(uint64_t addr)
{
	for (size_t i = 0; i < lane_count; i++) {
		struct lane *l = lanes[i];

		if (l->waits && l->addr == addr) {
			uint64_t t = l->slice.time[l->event];

			if (latest > t && latest - t > waits)
				waits = latest - t;
			l->key = t;
			l->waits = 0;
		}
	}
}

static void step(struct lane *l, size_t at)
{
	int forced = l->waits;
	uint64_t touched;

	touched = replay(l, forced || lane_count == 1);
	if (!touched) {
		l->waits = 1;
		l->key += skew;
		return;
	}
	l->waits = 0;
	if (l->slice.time[l->event - 1] > latest)
		latest = l->slice.time[l->event - 1];
	l->key = 0;
	if (!advance(l)) {
		wm_event_data_release(&l->data);
		free(l);
		lanes[at] = lanes[--lane_count];
	}
	wake(touched);
}

static int by_time(const void *a, const void *b)
{
	const struct lane *x = *(struct lane *const *)a;
	const struct lane *y = *(struct lane *const *)b;

	return x->born < y->born ? -1 : x->born > y->born;
}

static void run(void)
{
	size_t n = trace.thread_count, begun = 0;
	struct lane **all = calloc(n + 1, sizeof(struct lane *));

	lanes = calloc(n + 1, sizeof(struct lane *));
	for (size_t i = 0; i < n; i++) {
		struct lane *l = all[i] = calloc(1, sizeof(*l));

		l->thread = &trace.threads[i];
		l->next = l->thread->first;
		l->born = trace.blocks[l->next].first;
		l->own = i > 0;
		wm_event_data_init(&l->data, &trace);
	}
	qsort(all, n, sizeof(struct lane *), by_time);
	for (;;) {
		size_t first = 0;

		for (size_t i = 1; i < lane_count; i++) {
			struct lane *a = lanes[i], *b = lanes[first];

			if (a->key < b->key ||
			    (a->key == b->key && a->thread < b->thread))
				first = i;
		}
		if (begun < n &&
		    (!lane_count || all[begun]->born <= lanes[first]->key)) {
			struct lane *l = all[begun++];

			l->id = (uint64_t)trace.blocks[l->next].tid << 40;
			if (advance(l))
				lanes[lane_count++] = l;
			continue;
		}
		if (!lane_count)
			break;
		step(lanes[first], first);
	}
	free(lanes);
	free(all);
}

int main(int argc, char **argv)
{
	uint64_t own[2] = { 0, 0 }, all[2] = { 0, 0 };

	if (argc != 2)
		die("usage: order-check TRACE");
	if (wm_trace_open(&trace, argv[1], argv[1], WM_ALL_BLOCKS, NULL, &err))
		die(err.text);
	skew = wm_trace_ticks(&trace, SKEW_NS) + (1ull << trace.max_shift);
	run();
	for (size_t i = 0; i < room; i++) {
		if (!table[i].live)
			continue;
		all[0]++;
		all[1] += table[i].size;
		if (table[i].id) {
			own[0]++;
			own[1] += table[i].size;
		}
	}
#define N(x) (unsigned long long)(x)
#define K(kind) #kind, N(count[WMT_EV_##kind])
	printf("{\"%s\":%llu,\"%s\":%llu,\"%s\":%llu,\"%s\":%llu,"
	       "\"%s\":%llu,\"%s\":%llu,\"%s\":%llu,",
	       K(MALLOC), K(CALLOC), K(ALIGNED), K(REALLOC_IN), K(REALLOC_NEW),
	       K(REALLOC_GONE), K(FREE));
	printf("\"blocks\":%llu,\"bytes\":%llu,\"sum\":\"%016llx\"}\n",
	       N(own[0]), N(own[1]), N(sum));
	printf("{\"unknown\":%llu,\"conflicts\":%llu,\"unpaired\":%llu,"
	       "\"dropped\":%llu,\"ended\":%d,\"threads\":%llu,"
	       "\"all_blocks\":%llu,\"all_bytes\":%llu,"
	       "\"late_ns\":%.0f}\n",
	       N(unknown), N(conflicts), N(unpaired), N(trace.dropped),
	       trace.ended, N(trace.thread_count), N(all[0]), N(all[1]),
	       1e9 * (wm_trace_seconds(&trace, trace.start.ticks + waits)));
	return unknown || conflicts || unpaired;
}
