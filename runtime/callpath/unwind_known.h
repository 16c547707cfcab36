/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the number of a path without a walk, if the path is a recent one or has
 * the places of the last path.  A part of unwind_walk.c. */
#pragma once

#include <stdatomic.h>

#include "runtime/base/attributes.h"
#include "runtime/callpath/pathdb.h"
#include "runtime/callpath/unwind_repeats.h"
#include "runtime/callpath/unwind_state.h"
#include "runtime/callpath/unwind_walk.h"

/* From UNKNOWNS on, w->unknown prevents that a path is looked up.  A path that
 * was not found adds UNKNOWN; a path that was not looked up subtracts 1. */
#define UNKNOWN 16
#define UNKNOWNS 64
/* Memos are searched for ROUND paths in a row.  If fewer than half of these are
 * found, the next REST rounds are left out. */
#define ROUND 512
#define REST 15
/* A path has two places in the memos.  One in LEARN paths that are in neither
 * is walked and stored there, even if its sum is known.  One in PROMOTE paths
 * that are in the second is copied to the first. */
#define LEARN 16
#define PROMOTE 64

static inline struct memo *memo_of(struct wm_walk *w, uint64_t slot,
				   uint64_t ip)
{
	return &w->memo[((uint32_t)(ip + (slot << 3)) * 0x9E3779B1u) >>
			(32 - 6)];
}
_Static_assert(MEMOS == 1 << 6, "memo_of() takes six bits");

static inline bool is_same(const struct memo *m, uint64_t slot)
{
	const struct word *word = m->word;

	if (m->slot != slot)
		return false;
	while (word_at(word->place) == word->value)
		word++;
	return word->place == (uintptr_t)&m->slot;
}

/* Adds the end mark after @n words.  After this @m is valid. */
static inline void close_memo(struct memo *m, uint32_t n)
{
	uint64_t slot = m->word[0].place;

	m->word[n] = (struct word){ (uintptr_t)&m->slot, ~slot };
	atomic_signal_fence(memory_order_seq_cst);
	m->slot = slot;
}

/* Stores the words on which the last path depends, innermost first, and returns
 * their number. */
static uint32_t copy_words(const struct wm_walk *w, struct word *word)
{
	const struct frame *f = w->frames + w->top;
	const struct pointer *p = w->pointers + w->top;
	uint32_t n = 0;

	while (f-- > w->frames) {
		p--;
		word[n++] = (struct word){ f->slot, f->ip };
		if (n == 1) /* the frame pointer that the wrapper saved */
			word[n++] = (struct word){ wm_pointer_slot(f->slot),
						   p->bp };
		if (p->next.place != f->slot || p->next.value != f->ip)
			word[n++] = p->next;
	}
	return n;
}

/* Does the same if no frame depends on a frame pointer. */
static inline uint32_t copy_addresses(const struct wm_walk *w,
				      struct word *word)
{
	const struct frame *f = w->frames + w->top;

	for (size_t i = 0; i < w->top; i++) {
		f--;
		word[i].place = f->slot;
		word[i].value = f->ip;
	}
	return (uint32_t)w->top;
}

static __attribute__((noinline)) void fill_memo(const struct wm_walk *w,
						struct memo *m, uint32_t number,
						uint32_t generation)
{
	bool pointers = !w->follows && w->framed < w->top;
	uint32_t n;

	/* Marked as empty, because a longjmp out of a handler may leave it half
	 * filled. */
	m->slot = 0;
	atomic_signal_fence(memory_order_seq_cst);
	if (w->top > (pointers ? (MEMO_WORDS - 1) / 2 : MEMO_WORDS))
		return;
	n = wm_unlikely(pointers) ? copy_words(w, m->word) :
				    copy_addresses(w, m->word);
	m->number = number;
	m->generation = generation;
	close_memo(m, n);
}

static __attribute__((noinline)) void copy_memo(struct memo *to,
						const struct memo *from)
{
	uint32_t n = 0;

	to->slot = 0; /* as in fill_memo() */
	atomic_signal_fence(memory_order_seq_cst);
	for (; from->word[n].place != (uintptr_t)&from->slot; n++)
		to->word[n] = from->word[n];
	to->number = from->number;
	to->generation = from->generation;
	close_memo(to, n);
}

static inline uint64_t change_of(const struct frame *f)
{
	return (word_at(f->slot) - f->ip) * f->weight;
}

static inline uint64_t change_of_four(const struct frame *f)
{
	return change_of(f) + change_of(f + 1) + change_of(f + 2) +
	       change_of(f + 3);
}

static __attribute__((noinline)) uint64_t change_far(struct wm_walk *w,
						     size_t n)
{
	const struct frame *f = w->frames;
	uint64_t sum = 0;

	while ((n = left_by_standing(w, n)) >= 4) {
		n -= 4;
		sum += change_of_four(f + n);
	}
	while (n)
		sum += change_of(f + --n);
	return sum;
}

static inline uint64_t change_near(const struct frame *f, size_t n)
{
	uint64_t sum = 0;

	for (; n >= 4; n -= 4, f += 4)
		sum += change_of_four(f);
	if (n & 2) {
		sum += change_of(f) + change_of(f + 1);
		f += 2;
	}
	return n & 1 ? sum + change_of(f) : sum;
}

/* Returns 0 if the frame pointer of the next frame out is unchanged. */
static inline uint64_t unlike(const struct pointer *p)
{
	return word_at(p->next.place) ^ p->next.value;
}

static inline uint64_t unlike_of_four(const struct pointer *p)
{
	return unlike(p) | unlike(p + 1) | unlike(p + 2) | unlike(p + 3);
}

/* Does what change_near() does, for frames with frame pointers.  Sets bits in
 * *@others if a frame pointer has changed. */
static inline uint64_t change_with(const struct frame *f,
				   const struct pointer *p, size_t n,
				   uint64_t *others)
{
	uint64_t sum = 0, other = 0;

	for (; n >= 4; n -= 4, f += 4, p += 4) {
		other |= unlike_of_four(p);
		sum += change_of_four(f);
	}
	for (; n; n--, f++, p++) {
		other |= unlike(p);
		sum += change_of(f);
	}
	*others |= other;
	return sum;
}

/* Returns the entry of w->known for path @number at the last path's places. */
static inline uint64_t known_as(const struct wm_walk *w, uint32_t number,
				uint32_t generation)
{
	return w->frames[w->top - 1].layout +
	       ((uint64_t)generation << 32 | number) *
		       UINT64_C(0x9E3779B97F4A7C15);
}

/*
 * For a path at the places of the last path: @change is the change of the
 * weighted sum of the values there.  Stores the number of the path with these
 * values, or returns false if it is not known to have these places.
 *
 * A walk is determined by the values that it reads: if it starts at the same
 * place and reads the values of an earlier path, it reaches the places of that
 * path.  So the sum suffices.  The probability that another path, or words that
 * are no path, have the sum of a known path is that of equal hashes.  If frames
 * depend on frame pointers, the places and values of these are part of the
 * layout, and have to be those of the last path.
 *
 * All places of the last path are read, whatever they contain.  So they have to
 * be on the thread's own stack, which is not unmapped while the thread runs on
 * it.
 */
static inline bool known_number(struct wm_walk *w, uint64_t change,
				uint32_t generation, uint32_t *number)
{
	uint32_t n, its_generation = 0;

	n = wm_pathdb_find(wm_path_mix(w->sum + change, w->top),
			   &its_generation);
	if (wm_likely(w->known[n % KNOWN] == known_as(w, n, its_generation) &&
		      its_generation == generation)) {
		w->unknown = 0;
		*number = n;
		return true;
	}
	w->unknown += UNKNOWN;
	return false;
}
