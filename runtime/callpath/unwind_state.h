/* SPDX-License-Identifier: Apache-2.0 */
/* A thread's state in unwind_walk.c: its last path, and paths with known
 * numbers (unwind_known.h).  A place is the address of a word on the stack; a
 * slot is the place of a return address. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/callpath/unwind_row.h"

#define ROWS_BITS 12
#define WITHIN_BITS 6
/* The innermost frames are compared one by one, the others four at a time. */
#define SINGLY 16

#define KNOWN 1024

struct frame {
	uint64_t slot; /* address of the return address */
	uint64_t ip; /* its value */
	uint64_t weight; /* of the place, not of the frame */
	uint64_t layout; /* hash of the slots up to here, and of pointers if
			  * there are any; not set in fresh frames */
};

struct word {
	uint64_t place, value;
};

struct pointer {
	uint64_t bp; /* the frame pointer there */
	/* the word from which the next frame's pointer is read; this frame's
	 * return address if that pointer is the same */
	struct word next;
	uint32_t chain; /* chained frames from here outwards */
	/* see find_repeats() */
	uint32_t repeat;
};

/* A recent path, found by the place and the value of its innermost return
 * address.  If all words are unchanged, so is the path, because a walk would
 * read these places in this order.  The end mark never matches: the place of
 * .slot with another value. */
#define MEMOS 64
#define MEMO_WORDS 62
struct memo {
	uint64_t slot; /* place of the innermost word; 0: empty */
	uint32_t number, generation;
	struct word word[MEMO_WORDS + 1];
} __attribute__((aligned(1024)));

struct wm_walk {
	struct memo memo[MEMOS]; /* first: cheapest address */
	/* The last path, outermost frame first.  sum is the weighted sum of its
	 * return addresses. */
	struct frame *frames;
	size_t top;
	uint64_t sum;
	bool own_stack; /* the path is on the thread's own stack */
	uintptr_t stack_end; /* end of the thread's own stack */
	uint64_t near_end; /* the outermost slot is nearer to stack_end than
			    * this */
	int follows; /* no CFA in the path depends on a frame pointer */
	size_t framed; /* the outermost frame whose CFA does */
	unsigned calm; /* paths since a CFA depended on a frame pointer */
	size_t changing; /* frames from this number on often change; never 0 */
	unsigned moving; /* how often frames were at other places than before */
	struct frame *fresh; /* new frames, innermost first */
	struct pointer *pointers, *fresh_pointers; /* of frames, fresh */
	size_t repeats; /* number of outer frames with a valid .repeat */
	int kept; /* pointers are those of the last path */
	size_t room; /* of frames, fresh and both pointers */
	uint64_t *path; /* return addresses, for callers */
	int aside; /* on the runtime's own stack: may make rows and room */
	uint64_t known[KNOWN];
	unsigned unknown;
	int32_t memo_turn; /* above 0: events left in this round; below 0: in
			    * this rest */
	uint32_t memo_vain; /* paths of this round that no memo had */
	uint32_t memo_beside, memo_missed; /* see LEARN */
	/* rows whose CFA is the stack pointer plus step */
	struct simple {
		uint64_t ip, step;
	} simple[1u << ROWS_BITS];
	struct wm_row rows[1u << ROWS_BITS];
	/* for wm_walk_has_left(); written only where no handler interrupts */
	struct wm_row within[1u << WITHIN_BITS];
};

bool wm_walk_make_room(struct wm_walk *w, size_t room) wm_hidden;

static inline uint64_t word_at(uint64_t at)
{
	return *(const uint64_t *)(uintptr_t)at;
}

static inline uint64_t differs(const struct frame *f)
{
	return word_at(f->slot) ^ f->ip;
}
