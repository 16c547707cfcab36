/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The runtime's encoder of loads and stores against the reader's decoder: random
 * streams, some regular and some hostile, what they tell of other streams, and
 * decoders that are given garbage.  The same of tokens as lists.
 */
#include "analyze/lib/trace/access_tokens.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/access/access.h"
#include "runtime/base/on_stack.h"
#include "runtime/trace/access_lists.h"
#include "tests/unit/random.h"
#include "tests/unit/tap.h"
#include "wm/varint.h"

#define MOST 400000

/* Symbols of the runtime that the encoder needs. */
__thread uintptr_t wm_access_self __attribute__((tls_model("initial-exec")));
__thread struct wm_slot *wm_self;
struct wm_access_stream wm_access_none;
const struct wm_access_only *wm_access_only;
__thread uint64_t wm_access_asked __attribute__((tls_model("initial-exec")));
_Atomic uint64_t wm_access_wish;
static struct wm_slot slot;
static struct wm_rec records[1];
static struct wm_access_stream *stream;
_Atomic int wm_slow_reasons;
static struct wm_state state;
struct wm_state *wm_state = &state;
/* One whose accesses are told as differences, and one of too many. */
static struct wm_access_stream other[2];

static struct given {
	uint64_t addr, bytes, pc, events, others[2];
	unsigned what;
} given[MOST];
static uint64_t seen[2];
static size_t count;
static struct wm_access_tokens reader;
static size_t read_so_far;
static bool same;
static uint64_t tokens, listed; /* bytes; of them, as lists */
static uint8_t *room; /* for lists */
static const uint8_t *lists; /* the last ones */
static size_t lists_size;
static struct wm_access_lists unpacked;

static void look(const struct wm_access_seen *s)
{
	if (s->stream == other[1].number)
		seen[1] = s->count;
	else if (s->stream == other[0].number)
		seen[0] = s->count;
	else
		same = false;
	if (s->events > reader.events)
		same = false;
}

static void compare(const struct wm_access *x)
{
	const struct given *g = &given[read_so_far++];
	const struct wm_spot *p = &reader.spot[x->spot];

	if (x->addr != g->addr || x->bytes != g->bytes || p->pc != g->pc ||
	    reader.events != g->events || seen[0] != g->others[0] ||
	    seen[1] != g->others[1] ||
	    (p->kind | p->how << WMA_HOW_SHIFT) != (int)g->what)
		same = false;
}

void wm_access_forget(struct wm_access_stream *s)
{
	memset((char *)s + WM_ACCESS_HEAD, 0,
	       WM_ACCESS_TOKENS_AT - WM_ACCESS_HEAD);
	s->cur = s->held = s->pc = 0;
	s->spots = 0;
}

/* @n bytes at @p, as they come back from lists. */
static void there_and_back(const uint8_t *p, size_t n)
{
	struct wm_err err;
	size_t size;

	if (!room)
		room = malloc(wm_access_lists_room(WM_ACCESS_BYTES + 64));
	lists = wm_access_lists_make(p, n, room, &lists_size);
	listed += lists ? lists_size : n;
	if (lists && (wm_access_lists_unpack(&unpacked, lists, lists_size,
					     &size, &err) ||
		      size != n || memcmp(unpacked.tokens, p, n) != 0))
		same = false;
}

/* One block: decode it at once. */
bool wm_access_flush(struct wm_access_stream *s)
{
	uint64_t point = s->point, run = s->count - WM_ACCESS_CODED(point);
	static uint8_t copy[WM_ACCESS_BYTES + 64];
	size_t n = WM_ACCESS_USED(point), got;
	struct wm_access out[97];
	enum wm_status r;
	struct wm_err err;
	uint8_t *p = copy + n;

	memcpy(copy, wm_access_tokens(s), n);
	if (run) {
		*p++ = WMA_SPECIAL | WMA_RUN_MORE << WMA_RUN_SHIFT;
		if (run >= WMA_RUN_MORE)
			p = wm_varint_put(p, run - WMA_RUN_MORE);
		else
			p[-1] = (uint8_t)(WMA_SPECIAL | run << WMA_RUN_SHIFT);
		*p++ = WMA_NOTHING;
	}
	tokens += n;
	if (p != copy)
		there_and_back(copy, (size_t)(p - copy));
	wm_access_tokens_add(&reader, copy, (size_t)(p - copy),
			     s->count - s->written);
	while (!(r = wm_access_tokens_next(&reader, out, 97, &got, &err))) {
		for (size_t i = 0; i < reader.seen_count; i++)
			look(&reader.seen[i]);
		for (size_t i = 0; i < got; i++)
			compare(&out[i]);
	}
	if (r != WM_END || read_so_far != count)
		same = false;
	s->written = s->count;
	s->point = WM_ACCESS_POINT(s->count, 0);
	return true;
}

/* Pages alone: not here. */
void wm_access_lose(void)
{
}

void wm_filter_note_aside(struct wm_page_filter *f, uint64_t addr,
			  uint64_t bytes, uint64_t where)
{
	wm_filter_note(f, addr, bytes, where);
}

void wm_filter_note(struct wm_page_filter *f, uint64_t addr, uint64_t bytes,
		    uint64_t where)
{
	(void)f;
	(void)addr;
	(void)bytes;
	(void)where;
}

struct wm_access_stream *wm_access_begin(void)
{
	return stream;
}

struct wm_access_stream *wm_access_stream_begin(struct wm_slot *s, uint32_t on)
{
	(void)on;
	return s->accesses;
}

void wm_aside(void (*f)(void *), void *arg)
{
	f(arg);
}

static void begin(void)
{
	if (stream)
		munmap(stream, WM_ACCESS_MAPPED);
	stream = mmap(NULL, WM_ACCESS_MAPPED, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(&slot, 0, sizeof(slot));
	slot.base = records;
	atomic_store(&slot.cur, records);
	slot.accesses = stream;
	stream->slot = wm_self = &slot;
	memset(other, 0, sizeof(other));
	memset(seen, 0, sizeof(seen));
	other[0].number = 7;
	other[1].number = WMA_SEEN_STREAMS;
	other[1].next = &other[0];
	stream->next = &other[1];
	atomic_store(&state.streams, stream);
	atomic_store(&stream->on, 1);
	wm_access_self = 0;
	wm_access_tokens_release(&reader);
	count = read_so_far = 0;
	tokens = listed = 0;
	same = true;
}

static void note(uint64_t addr, uint64_t bytes, uint64_t pc, unsigned what)
{
	/* a flush inside compares what has been given */
	given[count++] = (struct given){ addr,
					 bytes,
					 pc,
					 slot.first,
					 { other[0].count, other[1].count },
					 what & 0xff };
}

static void plain(uint64_t pc, uint64_t addr)
{
	uint32_t what = pc & 8 ? WM_ACCESS_WHAT(READ, PLAIN, 8) :
				 WM_ACCESS_WHAT(WRITE, PLAIN, 4);

	note(addr, what >> 8, pc, what);
	wm_access_at(addr, WM_ACCESS_KEY(pc, 0), what);
}

static void event(void)
{
	slot.first++;
	other[0].count += below(2) * below(UINT64_C(1) << 30);
	other[1].count += below(2);
	wm_access_note(&slot);
}

/* Loops, steps, jumps, neighbours and events, as they come. */
static void random_stream(uint64_t which)
{
	uint64_t pcs = 1 + below(60), addr = 0x7f0000000000, lap;

	while (count < MOST - 5000) {
		uint64_t stride = below(5) * 8, n = below(300);

		switch (below(which % 3 ? 6 : 4)) {
		case 0:
			addr = below(UINT64_C(1) << 47);
			break;
		case 1:
			for (lap = 0; lap < n; lap++, addr += stride)
				for (uint64_t i = 0; i < 5; i++)
					plain(0x400000 + 8 * i,
					      addr + 8000 * i);
			break;
		case 2:
			for (lap = 0; lap < n; lap++) {
				uint64_t at = addr + 8 * below(100000);

				plain(0x500000, at);
				plain(0x500008 + 16 * below(pcs), at);
				plain(0x600000, addr + 8 * lap);
			}
			break;
		case 3:
			event();
			break;
		case 4:
			n = 1 + below(3000);
			note(addr, n, 0x700000,
			     WM_ACCESS_WHAT(WRITE, BLOCK, 0));
			wm_access_range((void *)(uintptr_t)addr, n,
					(void *)0x700000,
					WM_ACCESS_WHAT(WRITE, BLOCK, 0));
			break;
		default:
			for (lap = 0; lap < n; lap++)
				plain(below(UINT64_C(1) << 40) & ~7ull,
				      below(UINT64_C(1) << 63));
		}
	}
	wm_access_flush(stream);
}

static void collide(void)
{
	/* the same home, and more spots than there may be */
	for (uint64_t i = 0; i < 300; i++)
		for (uint64_t k = 0; k < 4; k++)
			plain(0x400000 + (k << 20), 4096 * k + 8 * i);
	for (uint64_t i = 0; i < 2 * WM_ACCESS_SPOTS; i++)
		plain(0x10000000 + 8 * i, i);
	wm_access_flush(stream);
}

/* Whatever bytes come: an end or an error, and no more than was said. */
static bool garbage(void)
{
	struct wm_access_tokens d = { 0 };
	struct wm_access out[100];
	uint8_t bytes[4000];
	struct wm_err err;
	uint64_t total = 0;
	enum wm_status r;
	size_t n;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)below(below(2) ? 8 : 256);
	wm_access_tokens_add(&d, bytes, sizeof(bytes), 100000);
	while (!(r = wm_access_tokens_next(&d, out, 100, &n, &err)))
		total += n;
	wm_access_tokens_release(&d);
	return (r == WM_END || r == WM_BAD_INPUT) && total <= 100000;
}

/* Keys of 16 bits are counted: two accesses in four are at random. */
static void count_keys(void)
{
	for (uint64_t i = 0; i < 90000; i++) {
		uint64_t count_at = 0x7f0000000000 + 8 * below(65536);

		plain(0x400008, 0x10000000);
		plain(0x400018, 0x20000000 + 8 * i);
		plain(0x400028, count_at);
		plain(0x400030, count_at);
	}
	wm_access_flush(stream);
}

/* The last lists, damaged: tokens or an error, and no harm. */
static bool damaged(void)
{
	static uint8_t bad[WM_ACCESS_BYTES];
	unsigned seen_of = 0, i;
	struct wm_err err;
	size_t size;

	for (i = 0; i < 2000 && lists; i++) {
		size_t n = i % 2 ? lists_size : below(lists_size),
		       at = below(i % 4 < 2 ? 64 : lists_size);
		enum wm_status r;

		memcpy(bad, lists, lists_size);
		bad[at] ^= (uint8_t)(1u << below(8));
		r = wm_access_lists_unpack(&unpacked, bad, n, &size, &err);
		seen_of += r == WM_BAD_INPUT;
	}
	return i == 2000 && seen_of > 1400;
}

/* Read lists with nothing but garbage. */
static bool no_lists(void)
{
	uint8_t bytes[300];
	struct wm_err err;
	bool fine = true;
	size_t size;

	for (unsigned i = 0; i < 20000; i++) {
		for (size_t k = 0; k < sizeof(bytes); k++)
			bytes[k] = (uint8_t)below(below(2) ? 4 : 256);
		fine &= wm_access_lists_unpack(&unpacked, bytes, sizeof(bytes),
					       &size, &err) == WM_BAD_INPUT;
	}
	return fine;
}

/* Nothing can be predicted before there is a spot. */
static bool spotless(const uint8_t *bytes, size_t n)
{
	struct wm_access_tokens d = { 0 };
	struct wm_access out[100];
	enum wm_status r = WM_OK;
	struct wm_err err;
	size_t got;

	wm_access_tokens_add(&d, bytes, n, 100);
	while (!r)
		r = wm_access_tokens_next(&d, out, 100, &got, &err);
	wm_access_tokens_release(&d);
	return r == WM_BAD_INPUT;
}

int main(void)
{
	bool fine = true;

	tap_plan(19);
	for (uint64_t i = 1; i <= 10; i++) {
		seed = i * 88172645463325253u;
		begin();
		random_stream(i);
		tap_ok(same && read_so_far == count, "stream %d is the same",
		       (int)i);
	}
	begin();
	for (uint64_t i = 0; i < MOST - 10; i++)
		plain(0x400000 + i % 3 * 8, 0x1000 + i / 3 * 8 + (i % 3 << 30));
	wm_access_flush(stream);
	tap_ok(same && read_so_far == count, "a triad is the same");
	tap_ok(tokens < 200, "and takes %d bytes", (int)tokens);
	begin();
	collide();
	tap_ok(same && read_so_far == count,
	       "spots with one home, and too many");
	begin();
	seed = 88172645463325252u;
	count_keys();
	tap_ok(same && read_so_far == count, "counted keys are the same");
	/* 16 bits, and what a difference has above them */
	tap_ok(listed < 90000 * 17.2 / 8, "as lists they take %.2f bits a key",
	       8 * (double)listed / 90000);
	tap_ok(damaged(), "damaged lists are refused");
	tap_ok(no_lists(), "what are no lists is refused");
	for (int i = 0; i < 2000; i++)
		fine &= garbage();
	tap_ok(fine, "garbage is refused");
	ok(spotless((const uint8_t[]){ 0x06, 0x01, 0x10 }, 3) &&
		   spotless((const uint8_t[]){ 0x20, 0x00 }, 2),
	   "accesses before the first spot are refused");
	wm_access_lists_release(&unpacked);
	free(room);
	return tap_done();
}
