/* SPDX-License-Identifier: Apache-2.0 */
/* The journal of the crash buffer: the call paths that are not in the trace
 * yet.  One of two journals is valid.  The caller holds the dictionary's lock.
 * Without a crash buffer these functions do nothing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wm/window_format.h"

#include "runtime/base/attributes.h"
#include "runtime/callpath/pathdb.h"

/* Stores @value.  If the file of a killed process has this store, it has all
 * earlier stores; if it lacks this store, it lacks all later ones. */
#define WM_SWITCH(to, value)                                                   \
	do {                                                                   \
		__atomic_store_n(&(to), value, __ATOMIC_RELEASE);              \
		atomic_signal_fence(memory_order_seq_cst);                     \
	} while (0)

/* Enters the paths from @first on in the journal of @w, which becomes the crash
 * buffer.  Returns false if they do not fit. */
bool wm_journal_begin(struct wmw_head *w, const struct wm_path *first,
		      uint32_t generation) wm_hidden;
enum wm_journal_room {
	WM_JOURNAL_ROOM = 0, /* or there is no crash buffer */
	WM_JOURNAL_FULL, /* the other journal may have room */
	WM_JOURNAL_TOO_LONG, /* the path is longer than any journal */
};
/* @frames is the number of frames that the path does not share with the path
 * before it. */
enum wm_journal_room wm_journal_look(size_t frames) wm_hidden;
void wm_journal_enter(const struct wm_path *p, uint32_t generation) wm_hidden;
/* The paths before @first are in the trace.  The caller also holds the writer
 * lock. */
void wm_journal_sent(const struct wm_path *first,
		     uint32_t generation) wm_hidden;

/* Sets the clocks @at (0 or 1) of @w to the present time.  Takes no lock. */
void wm_journal_time(struct wmw_head *w, unsigned at) wm_hidden;
