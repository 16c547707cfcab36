/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a thread in unwind_walk.c: its last path, and paths with known
 * numbers (unwind_known.h).  unwind_state.c makes it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/callpath/unwind_row.h"

#define ROWS_BITS 12
#define WITHIN_BITS 6
/* So many inner frames are compared one by one, the others four at a time. */
#define SINGLY 16

/* Paths that are known by their sum, see known_number(): 8 KiB. */
#define KNOWN 1024

struct frame {
	uint64_t slot; /* address of the return address */
	uint64_t ip; /* its value */
	uint64_t weight; /* of the place, not of the frame */
	uint64_t layout; /* a hash of the slots up to here, and of pointers if
			  * there are any; not set in fresh frames */
};

struct word {
	uint64_t place, value;
};

/* The other values at a frame that walk() depends on. */
struct pointer {
	uint64_t bp; /* the frame pointer there */
	/* the word from which the frame pointer of the next frame out is read;
	 * this frame's own return address if that frame pointer is the same */
	struct word next;
	uint32_t chain; /* frames from here outwards, see is_chained() */
	/* frames that repeat, see find_repeats(); with pointers or without */
	uint32_t repeat;
};

/*
 * Recent paths, found by the place and the value of their innermost return
 * address.  If all words of a memo are unchanged, the path is the same one,
 * because a walk would read these places in this order.  The last word is
 * followed by a word that never matches: the place of the memo's own slot, with
 * another value.
 */
#define MEMOS 64
#define MEMO_WORDS 62
struct memo {
	uint64_t slot; /* place of the innermost word; 0: empty */
	uint32_t number, generation;
	struct word word[MEMO_WORDS + 1]; /* innermost first */
} __attribute__((aligned(1024)));

struct wm_walk {
	struct memo memo[MEMOS]; /* first: cheapest address */
	/* The last path that was walked, outermost frame first.  sum is always
	 * the sum of the top values, each multiplied by its weight. */
	struct frame *frames;
	size_t top;
	uint64_t sum;
	bool own_stack; /* the path is on the thread's own stack, */
	uintptr_t stack_end; /* which ends here */
	uint64_t near_end; /* the outermost slot is nearer to it than this */
	int follows; /* no CFA in the path depends on a frame pointer */
	size_t framed; /* the outermost whose CFA does */
	unsigned calm; /* paths since a CFA depended on a frame pointer */
	size_t changing; /* frames from here on differ often; never 0 */
	unsigned moving; /* how often frames were at other places than before */
	struct frame *fresh; /* new frames of a walk, innermost first */
	struct pointer *pointers, *fresh_pointers; /* of the two */
	size_t repeats; /* number of outer frames with a valid .repeat */
	int kept; /* the pointers of the last path are its own */
	size_t room; /* of each of the four */
	uint64_t *path; /* only the values, for callers */
	int aside; /* on a stack of ours: rows and room may be made */
	uint64_t known[KNOWN]; /* see known_number() */
	unsigned unknown;
	int32_t memo_turn; /* above 0: events left in this round, which ask the
			    * memos; below 0: events left in this rest, which do
			    * not */
	uint32_t memo_vain; /* paths of this round that no memo had */
	uint32_t memo_beside, memo_missed; /* see LEARN */
	/* rows whose CFA is the stack pointer plus step */
	struct simple {
		uint64_t ip, step;
	} simple[1u << ROWS_BITS];
	struct wm_row rows[1u << ROWS_BITS];
	/* rows for wm_walk_has_left(), written only on a stack of ours, where
	 * no handler interrupts */
	struct wm_row within[1u << WITHIN_BITS];
};

/* Makes room for @room frames in all four and in .path; false: no memory. */
bool wm_walk_make_room(struct wm_walk *w, size_t room) wm_hidden;

static inline uint64_t word_at(uint64_t at)
{
	return *(const uint64_t *)(uintptr_t)at;
}

static inline uint64_t differs(const struct frame *f)
{
	return word_at(f->slot) ^ f->ip;
}
