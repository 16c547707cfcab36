/* SPDX-License-Identifier: Apache-2.0 */
/* Removes inner frames from a thread's last path, and adds new frames.  A part
 * of unwind_walk.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/callpath/unwind_repeats.h"
#include "runtime/callpath/unwind_state.h"
#include "runtime/callpath/unwind_steps.h"

/* After CALM paths in which no CFA depends on a frame pointer, follow() is
 * used. */
#define CALM 64
/* All outermost frames on the thread's own stack are within NEAR bytes.  The
 * outermost frame of a coroutine whose stack is inside a frame of main is
 * further in. */
#define NEAR 128
/* A layout is the sum of the places of frames, each multiplied by a power of
 * this number. */
#define LAYOUT UINT64_C(0xBF58476D1CE4E5B9)

static __attribute__((noinline)) void drop_frames(struct wm_walk *w,
						  size_t keep)
{
	uint64_t sum = keep ? w->sum : 0;

	for (size_t i = keep; keep && i < w->top; i++)
		sum -= w->frames[i].ip * w->frames[i].weight;
	w->sum = sum;
	if (keep < w->top)
		w->top = keep;
}

/* @slot is that of an outermost frame. */
static bool is_on_own_stack(struct wm_walk *w, uint64_t slot)
{
	uint64_t far = w->stack_end - slot;

	if (far >= w->near_end)
		return false;
	if (far + NEAR < w->near_end)
		w->near_end = far + NEAR;
	return true;
}

static bool add_frames(struct wm_walk *w, size_t n)
{
	const struct frame *fresh;
	struct frame *f;
	uint64_t sum = w->sum, layout;

	if (wm_unlikely(w->top + n > w->room) &&
	    !more_room(w, 2 * (w->top + n)))
		return false;
	if (w->top == 0 && n)
		w->own_stack = is_on_own_stack(w, w->fresh[n - 1].slot);
	repeat_up_to(w, w->top);
	f = &w->frames[w->top];
	layout = w->top ? f[-1].layout : 0;
	w->top += n;
	for (fresh = &w->fresh[n]; fresh-- != w->fresh; f++) {
		f->slot = fresh->slot;
		f->ip = fresh->ip;
		sum += f->ip * f->weight;
		layout = layout * LAYOUT + f->slot;
		f->layout = layout;
	}
	w->sum = sum;
	return true;
}

/* The layout now contains only slots: follow() reads no frame pointers, on
 * which other paths at the same places may depend. */
static __attribute__((noinline)) void follow_from_now(struct wm_walk *w)
{
	uint64_t layout = 0;

	for (size_t i = 0; i < w->top; i++) {
		layout = layout * LAYOUT + w->frames[i].slot;
		w->frames[i].layout = layout;
	}
	w->follows = 1;
}

static inline void count_calm(struct wm_walk *w)
{
	if (w->framed < w->top)
		w->calm = w->follows = 0;
	else if (w->follows || ++w->calm >= CALM)
		follow_from_now(w);
}

/* Makes the last path from its @old outer frames and the @n fresh frames.
 * @framed is the number of fresh frames up to the outermost whose CFA depends
 * on a frame pointer, or 0. */
static bool add_pointers(struct wm_walk *w, size_t old, size_t n, size_t framed)
{
	uint64_t layout;

	drop_frames(w, old);
	if (!add_frames(w, n))
		return false;
	layout = old ? w->frames[old - 1].layout : 0;
	for (size_t i = old; i < w->top; i++) {
		struct pointer *p = w->pointers + i;

		*p = w->fresh_pointers[w->top - 1 - i];
		p->chain = i >= 2 && is_chained(w->frames + i, p) ?
				   p[-1].chain + 1 :
				   0;
		layout = layout * LAYOUT + w->frames[i].slot;
		layout = layout * LAYOUT + p->next.place;
		layout = layout * LAYOUT + p->bp;
		w->frames[i].layout = layout;
	}
	if (old <= w->framed)
		w->framed = framed ? old + n - framed : SIZE_MAX;
	w->kept = 1;
	count_calm(w);
	return true;
}
