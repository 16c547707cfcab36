/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The journal of the crash buffer (crash_buffer.h): the call paths that no
 * block of the trace has yet.  There are two journals; one is valid.
 *
 * Called with the dictionary's lock.  No effect without a crash buffer.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wm/window_format.h"

#include "runtime/base/attributes.h"
#include "runtime/callpath/pathdb.h"

/* Stores a value.  In the file of a killed process this store follows all
 * stores before it, and precedes all stores after it. */
#define WM_SWITCH(to, value)                                                   \
	do {                                                                   \
		__atomic_store_n(&(to), value, __ATOMIC_RELEASE);              \
		atomic_signal_fence(memory_order_seq_cst);                     \
	} while (0)

/* Makes @w the crash buffer, and enters the paths from @first on in its
 * journal.  Returns false if the paths do not fit. */
bool wm_journal_begin(struct wmw_head *w, const struct wm_path *first,
		      uint32_t generation) wm_hidden;
enum wm_journal_room {
	WM_JOURNAL_ROOM = 0, /* or no path has to be entered */
	WM_JOURNAL_FULL, /* another journal may have room */
	WM_JOURNAL_TOO_LONG, /* the path is longer than any journal */
};
/* Returns whether the journal has room for a path with @frames that differ from
 * the frames of the path before it. */
enum wm_journal_room wm_journal_look(size_t frames) wm_hidden;
void wm_journal_enter(const struct wm_path *p, uint32_t generation) wm_hidden;
/* Removes all paths before @first, which are in the trace now.  The caller
 * holds the writer lock, too. */
void wm_journal_sent(const struct wm_path *first,
		     uint32_t generation) wm_hidden;

/* Sets the clocks @at (0 or 1) of @w to this moment.  Any lock may be held. */
void wm_journal_time(struct wmw_head *w, unsigned at) wm_hidden;
