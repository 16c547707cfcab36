/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page filter (WM_ACCESS=pages:MS) notes the first load and the first store
 * that hooks see for each thread, page and epoch.
 *
 * A filter belongs to a slot, whose thread, the owner, looks up each access in
 * `seen`, and adds a page that is not there to a table of notes.  At the end of
 * an epoch the clock, which is the service thread, takes the table, leaves an
 * empty one and empties `seen`.  Filters are wiped in a forked child: `on` is 0
 * there, and nothing is noted.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/state.h"

/* The lowest bits of a page's number are its place, so no two pages of the same
 * 256 MiB share a place. */
#define WM_FILTER_PLACES 65536u

/* The first access of a thread to a page, and the kinds of all its accesses
 * there. */
struct wm_page_note {
	uint64_t addr; /* of its first byte on the page; 0: there is no note */
	uint64_t where; /* WM_NOTE_WHERE */
	uint64_t time; /* ticks */
	uint32_t thread;
	uint16_t cpu;
	uint16_t bytes;
};

/* The pc and the kind (WMA_*) of the first access, and WMT_WHO_* of all. */
#define WM_NOTE_WHERE(pc, what, did)                                           \
	((uint64_t)(pc) | (uint64_t)((what)&0xff) << 48 | (uint64_t)(did) << 56)
#define WM_NOTE_PC(where) ((where) & (((uint64_t)1 << 48) - 1))
#define WM_NOTE_WHAT(where) ((unsigned)((where) >> 48) & 0xff)
#define WM_NOTE_DID(where) ((unsigned)((where) >> 56))

struct wm_note_table {
	struct wm_page_note *note; /* a hash table: zeros are free */
	size_t room; /* a power of two; 0: none */
	size_t count;
};

/* The number of accesses of signal handlers that can be kept until the owner's
 * present note is complete. */
#define WM_FILTER_ASIDE 64

struct wm_note_aside {
	uint64_t addr, bytes, where; /* address 0: not complete */
};

struct wm_page_filter {
	/* Addresses of the pages that were read, and that were written, in this
	 * epoch: an access is in a page if its distance from the address is
	 * small enough. */
	uint64_t seen[2][WM_FILTER_PLACES];
	_Atomic uint32_t holder; /* WM_FILTER_* */
	_Atomic uint32_t on;
	uint32_t thread;
	bool stuck; /* the clock could not hold it for long */
	struct wm_note_table notes; /* the holder's */
	struct wm_note_table spare; /* the clock's: empty */
	struct wm_note_aside aside[WM_FILTER_ASIDE];
	_Atomic uint32_t asides; /* may exceed the room: the rest is lost */
	struct wm_page_filter *next;
};

enum { WM_FILTER_FREE = 0, WM_FILTER_OWNER, WM_FILTER_CLOCK };

/* A bit that wm_access_self of a thread with a filter has, beside the filter's
 * address; neither a stream's address nor a place on a stack has it. */
#define WM_FILTER_TAG ((uintptr_t)2)

extern _Atomic(struct wm_page_filter *) wm_filters wm_hidden;

/* Returns NULL without memory, or after wm_filters_end().  Called by the slot's
 * thread, with signals blocked, on the runtime's own stack. */
struct wm_page_filter *wm_filter_begin(struct wm_slot *slot) wm_hidden;
/* After this no filter begins. */
void wm_filters_end(bool process_ends) wm_hidden;
/* If filters ended with the process, later accesses do not count as lost. */
bool wm_filters_are_over(void) wm_hidden;

/* Notes an access of @bytes on one page, of the kind in @where.  Without memory
 * the access is counted as lost.  Called while the hook is at work. */
void wm_filter_note(struct wm_page_filter *f, uint64_t addr, uint64_t bytes,
		    uint64_t where);

static inline bool wm_filter_is_on(struct wm_page_filter *f)
{
	return f && atomic_load_explicit(&f->on, memory_order_relaxed);
}

/* Does what wm_filter_note() does, in a handler that has interrupted a hook. */
void wm_filter_note_aside(struct wm_page_filter *f, uint64_t addr,
			  uint64_t bytes, uint64_t where);

/* Called by the owner after a handler has left a note unfinished by longjmp. */
static inline void wm_filter_leave(struct wm_page_filter *f)
{
	uint32_t owner = WM_FILTER_OWNER;

	atomic_compare_exchange_strong(&f->holder, &owner, WM_FILTER_FREE);
}

/* For the clock: moves the notes of @f to @taken, leaves an empty table, and
 * returns false if that is not possible now. */
bool wm_filter_take(struct wm_page_filter *f,
		    struct wm_note_table *taken) wm_hidden;
void wm_filter_give_back(struct wm_page_filter *f,
			 struct wm_note_table *taken) wm_hidden;
