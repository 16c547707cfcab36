/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two ways to walk, with the same answer.
 *
 * walk() goes from frame to frame by rows.
 *
 * follow() goes along the stack of the thread's last event as long as the
 * return addresses still stand at the same places.  A frame whose address has
 * the same value has the same row; if its CFA rests on the stack pointer, the
 * next return address stands where it stood, so only its value has to be
 * looked at.  A frame with another value gets its row, which has to lead to
 * the same place.  It reads exactly the words that walk() would read.  Where
 * a CFA rests on a frame pointer, or the places differ, it gives up.
 */
#include "runtime/unwind_walk.h"

#include "runtime/pool.h"
#include "runtime/unwind_row.h"

#define ROWS_BITS 12
#define FRAMES_START 508

struct wm_walk {
	/* The last path, outermost frame first: where each return address
	 * stands, and its value.  sum is always that of these top values. */
	uint64_t *slots, *ips, *weights;
	size_t top;
	uint64_t sum;
	int follows; /* no CFA in it rests on a frame pointer */
	/* frames that a walk meets anew, innermost first */
	uint64_t *fresh_slots, *fresh_ips;
	size_t room; /* of each of the five */
	struct wm_row rows[1u << ROWS_BITS];
};

#define ARRAYS 5

static int make_room(struct wm_walk *w, size_t room)
{
	uint64_t *p = wm_pool_map(ARRAYS * room * sizeof(*p));
	uint64_t *was[ARRAYS] = { w->slots, w->ips, w->weights,
				  w->fresh_slots, w->fresh_ips };

	if (!p)
		return 0;
	for (size_t i = 0; i < w->room; i++)
		for (size_t a = 0; a < ARRAYS; a++)
			p[a * room + i] = was[a][i];
	if (w->slots)
		wm_pool_unmap(w->slots, ARRAYS * w->room * sizeof(*p));
	w->slots = p;
	w->ips = p + room;
	w->weights = p + 2 * room;
	w->fresh_slots = p + 3 * room;
	w->fresh_ips = p + 4 * room;
	for (size_t i = w->room; i < room; i++)
		w->weights[i] = wm_path_weight(i);
	w->room = room;
	return 1;
}

struct wm_walk *wm_walk_new(void)
{
	struct wm_walk *w = wm_pool_map(sizeof(*w));

	if (w && !make_room(w, FRAMES_START)) {
		wm_pool_unmap(w, sizeof(*w));
		w = NULL;
	}
	return w;
}

void wm_walk_forget(struct wm_walk *w)
{
	for (size_t i = 0; i < 1u << ROWS_BITS; i++)
		w->rows[i].ip = 0;
	w->follows = 0;
}

static inline uint64_t word(uint64_t at)
{
	return *(const uint64_t *)(uintptr_t)at;
}

static inline const struct wm_row *find_row(struct wm_walk *w, uint64_t ip)
{
	struct wm_row *r = &w->rows[(uint32_t)((uint32_t)ip * 0x9E3779B1u) >>
				    (32 - ROWS_BITS)];

	if (wm_unlikely(r->ip != ip))
		wm_row_find(ip, r);
	return r;
}

/* Forget the innermost frames of the last path beyond the first @keep. */
static inline void drop(struct wm_walk *w, size_t keep)
{
	while (w->top > keep) {
		w->top--;
		w->sum -= w->ips[w->top] * w->weights[w->top];
	}
}

/* Put the @n fresh frames on top; 0: no memory. */
static int add(struct wm_walk *w, size_t n)
{
	if (wm_unlikely(w->top + n > w->room) &&
	    !make_room(w, 2 * (w->top + n)))
		return 0;
	while (n) {
		n--;
		w->slots[w->top] = w->fresh_slots[n];
		w->ips[w->top] = w->fresh_ips[n];
		w->sum += w->fresh_ips[n] * w->weights[w->top];
		w->top++;
	}
	return 1;
}

/* By rows, all the way; 0 when a frame can not be walked. */
static __attribute__((noinline)) int walk(struct wm_walk *w,
					  const uintptr_t *frame)
{
	uint64_t sp = (uintptr_t)(frame + 2), bp = frame[0], cfa;
	size_t n = 0;

	drop(w, 0);
	w->follows = 1;
	for (;; sp = cfa) {
		uint64_t ip = word(sp - 8);
		const struct wm_row *r = find_row(w, ip);

		if (wm_unlikely(n == w->room) && !make_room(w, 2 * n))
			return 0;
		w->fresh_slots[n] = sp - 8;
		w->fresh_ips[n] = ip;
		n++;
		if (r->kind == WM_ROW_LAST)
			return add(w, n);
		if (r->kind == WM_ROW_UNKNOWN)
			return 0;
		cfa = (r->kind == WM_ROW_SP ? sp : bp) +
		      (uint64_t)(int64_t)r->cfa;
		if (r->kind == WM_ROW_ALIGNED)
			cfa = word(cfa);
		/* a stack grows downwards: anything else is not one */
		if (wm_unlikely(cfa <= sp || (cfa & 7)))
			return 0;
		if (r->kind != WM_ROW_SP)
			w->follows = 0;
		if (r->kind == WM_ROW_ALIGNED)
			bp = word(bp);
		else if (r->bp)
			bp = word(cfa + (uint64_t)(int64_t)r->bp);
	}
}

/* Along the last path, whose innermost frames are gone and whose others, up
 * to number @at, may stand; 0 when it does not lead all the way. */
static inline int outwards(struct wm_walk *w, size_t at)
{
	uint64_t sum = w->sum;

	for (;; at--) {
		uint64_t slot = w->slots[at], ip = word(slot);
		const struct wm_row *r;

		if (wm_likely(ip == w->ips[at])) {
			if (at == 0)
				break;
			continue;
		}
		r = find_row(w, ip);
		if (at == 0 || r->kind != WM_ROW_SP ||
		    slot + (uint64_t)(int64_t)r->cfa != w->slots[at - 1])
			return 0;
		sum += (ip - w->ips[at]) * w->weights[at];
		w->sum = sum;
		w->ips[at] = ip;
	}
	return 1;
}

static inline int follow(struct wm_walk *w, const uintptr_t *frame)
{
	uint64_t slot = (uintptr_t)(frame + 1);
	size_t n = 0, old = w->top;

	if (wm_unlikely(!w->follows || old == 0))
		return 0;
	/* frames that are further in than the last path */
	while (slot < w->slots[old - 1]) {
		uint64_t ip = word(slot);
		const struct wm_row *r = find_row(w, ip);

		if (r->kind != WM_ROW_SP || r->cfa <= 0 || (r->cfa & 7) ||
		    n == w->room)
			return 0;
		w->fresh_slots[n] = slot;
		w->fresh_ips[n] = ip;
		n++;
		slot += (uint64_t)(int64_t)r->cfa;
		while (old && w->slots[old - 1] < slot)
			old--;
		if (old == 0)
			return 0;
	}
	while (old && w->slots[old - 1] < slot)
		old--;
	if (old == 0 || w->slots[old - 1] != slot)
		return 0;
	drop(w, old);
	return outwards(w, old - 1) && (n == 0 || add(w, n));
}

size_t wm_walk_take(struct wm_walk *w, const uintptr_t *frame,
		    const uint64_t **path, uint64_t *hash)
{
	if (!follow(w, frame) && !walk(w, frame)) {
		drop(w, 0);
		return 0;
	}
	*path = w->ips;
	*hash = wm_path_mix(w->sum, w->top);
	return w->top;
}
