/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the unchanged frames of the last path, which in deep stacks is most of
 * the cost of an event.  Deep stacks come from recursion, where the same return
 * addresses repeat at equal distances: PERIOD frames determine all others, and
 * only the stack is read.  A part of unwind_walk.c.
 *
 * The comparison goes from inner to outer frames and ends at the first change,
 * as a walk would: words further out may be beyond the end of a coroutine's
 * stack.
 */
#pragma once

#include "runtime/callpath/unwind_state.h"

/* Recursions of 1, 2, 3 or 6 functions repeat after so many frames. */
#define PERIOD 6
#define SHORT (2 * PERIOD)

/* Notes that frames from number @n on have changed, or will change. */
static inline void repeat_up_to(struct wm_walk *w, size_t n)
{
	if (w->repeats > n)
		w->repeats = n;
}

/* Sets .repeat: the number of frames, from this one outwards, that have the
 * return address and the size of the frame PERIOD frames further out. */
static inline void find_repeats(struct wm_walk *w, size_t n)
{
	for (size_t i = w->repeats; i < n; i++) {
		const struct frame *f = w->frames + i, *out = f - PERIOD;

		w->pointers[i].repeat =
			i > PERIOD && f->ip == out->ip &&
					f[-1].slot - f->slot ==
						out[-1].slot - out->slot ?
				w->pointers[i - 1].repeat + 1 :
				0;
	}
	if (w->repeats < n)
		w->repeats = n;
}

/* Counts unchanged frames of the @n from @f outwards, which repeat, in whole
 * periods. */
static inline size_t count_standing(const struct frame *f, size_t n)
{
	uint64_t at = f->slot, step = f[-PERIOD].slot - at;
	uint64_t to1 = f[-1].slot - at, ip1 = f[-1].ip;
	uint64_t to2 = f[-2].slot - at, ip2 = f[-2].ip;
	uint64_t to3 = f[-3].slot - at, ip3 = f[-3].ip;
	uint64_t to4 = f[-4].slot - at, ip4 = f[-4].ip;
	uint64_t to5 = f[-5].slot - at, ip5 = f[-5].ip, ip = f->ip;
	size_t left = n;

	for (; left >= PERIOD; left -= PERIOD, at += step)
		if (word_at(at) != ip || word_at(at + to1) != ip1 ||
		    word_at(at + to2) != ip2 || word_at(at + to3) != ip3 ||
		    word_at(at + to4) != ip4 || word_at(at + to5) != ip5)
			break;
	return n - left;
}

/* Returns how many frames of [0, @n) remain without the unchanged inner ones.
 * Compares no frame below number @until. */
static inline size_t left_one_by_one(const struct frame *f, size_t n,
				     size_t until)
{
	for (; n - until >= 4; n -= 4)
		if (differs(f + n - 1) || differs(f + n - 2) ||
		    differs(f + n - 3) || differs(f + n - 4))
			break;
	while (n > until && !differs(f + n - 1))
		n--;
	return n;
}

/* Does the same for all frames, by repeats where there are any. */
static __attribute__((noinline)) size_t left_by_standing(struct wm_walk *w,
							 size_t n)
{
	size_t until;

	find_repeats(w, n);
	do {
		if (n && w->pointers[n - 1].repeat > SHORT)
			n -= count_standing(w->frames + n - 1,
					    w->pointers[n - 1].repeat + PERIOD);
		until = n > SHORT ? n - SHORT : 0;
		n = left_one_by_one(w->frames, n, until);
	} while (n && n == until);
	return n;
}

static inline size_t innermost_changed(struct wm_walk *w, size_t n)
{
	const struct frame *base = w->frames, *f = base + n;
	const struct frame *singly = n > SINGLY ? f - SINGLY : base;
	size_t left;

	while (f > singly)
		if (differs(--f))
			return (size_t)(f - base);
	if (f == base)
		return n;
	left = left_by_standing(w, (size_t)(f - base));
	return left ? left - 1 : n;
}

/* Whether this frame and its neighbours have frame pointers: the frame pointer
 * of the next frame out is stored before its return address, and points to the
 * word before the return address of the frame after it. */
static inline bool is_chained(const struct frame *f, const struct pointer *p)
{
	return p->next.place == wm_pointer_slot(f[-1].slot) &&
	       p->next.value == wm_pointer_slot(f[-2].slot);
}

static inline uint64_t chained_differs(const struct frame *f)
{
	return differs(f) | (word_at(wm_pointer_slot(f[-1].slot)) ^
			     (wm_pointer_slot(f[-2].slot)));
}

static inline bool chained_stands(uint64_t slot, uint64_t ip, uint64_t next,
				  uint64_t after)
{
	return word_at(slot) == ip &&
	       word_at(wm_pointer_slot(next)) == wm_pointer_slot(after);
}

/* Does what count_standing() does, for chained frames. */
static inline size_t count_chained(const struct frame *f, size_t n)
{
	uint64_t at = f->slot, step = f[-PERIOD].slot - at;
	uint64_t to1 = f[-1].slot - at, ip1 = f[-1].ip;
	uint64_t to2 = f[-2].slot - at, ip2 = f[-2].ip;
	uint64_t to3 = f[-3].slot - at, ip3 = f[-3].ip;
	uint64_t to4 = f[-4].slot - at, ip4 = f[-4].ip;
	uint64_t to5 = f[-5].slot - at, ip5 = f[-5].ip, ip = f->ip;
	size_t left = n;

	for (; left >= PERIOD; left -= PERIOD, at += step)
		if (!chained_stands(at, ip, at + to1, at + to2) ||
		    !chained_stands(at + to1, ip1, at + to2, at + to3) ||
		    !chained_stands(at + to2, ip2, at + to3, at + to4) ||
		    !chained_stands(at + to3, ip3, at + to4, at + to5) ||
		    !chained_stands(at + to4, ip4, at + to5, at + step) ||
		    !chained_stands(at + to5, ip5, at + step, at + step + to1))
			break;
	return n - left;
}

/* Returns the number of unchanged inner frames of [0, @n) if they repeat, else
 * 0.  The @chain inner frames are chained. */
static __attribute__((noinline)) size_t chained_standing(struct wm_walk *w,
							 size_t n, size_t chain)
{
	size_t repeat;

	find_repeats(w, n);
	repeat = w->pointers[n - 1].repeat;
	if (repeat <= SHORT)
		return 0;
	/* without the two outermost frames, which point to frames further
	 * out */
	repeat += PERIOD - 2;
	return count_chained(w->frames + n - 1,
			     repeat < chain ? repeat : chain);
}

/* Does what innermost_changed() does, for a path with frame pointers.  Compares
 * several frames at a time only on the thread's own stack: another stack may be
 * shorter now. */
static inline size_t innermost_unlike(struct wm_walk *w, size_t n)
{
	const struct frame *base = w->frames, *f = base + n;
	const struct pointer *p;

	while (f > base) {
		const struct frame *until = f;

		if (w->own_stack)
			until -= w->pointers[f - base - 1].chain;
		if (f - until > SINGLY)
			f -= chained_standing(w, (size_t)(f - base),
					      (size_t)(f - until));
		while (f - until >= 4 &&
		       !(chained_differs(f - 1) | chained_differs(f - 2) |
			 chained_differs(f - 3) | chained_differs(f - 4)))
			f -= 4;
		while (f > until)
			if (chained_differs(--f))
				return (size_t)(f - base);
		if (f-- == base)
			break;
		p = w->pointers + (f - base);
		/* An equal return address has the same row. */
		if (differs(f) || word_at(p->next.place) != p->next.value)
			return (size_t)(f - base);
	}
	return n;
}
