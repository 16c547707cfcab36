/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The crash buffer: a file, mapped shared, that preserves threads' buffers, and
 * the call paths that are new since the last block, when the process is killed
 * by SIGKILL (docs/trace-format.md, section 8).
 *
 * The crash buffer exists only where writing to a mapping cannot raise SIGBUS;
 * elsewhere buffers are private memory.  The caller holds the writer lock
 * unless a function's comment names another context.  A forked child has no
 * crash buffer: wm_state, which points to it, is wiped, and so are the slots.
 *
 * A process may be killed between any two stores.  So each part becomes valid
 * by one store: a record by its kind, a buffer by its epoch, and one of the two
 * journals, or of the two sets of clocks, by its number.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wm/window_format.h"

#include "runtime/base/attributes.h"
#include "runtime/base/state.h"
#include "runtime/callpath/pathdb.h"
#include "runtime/trace/dirs.h"
#include "runtime/trace/tracefile.h"

/* Returns the bytes of a slot: its own page, which is wiped by fork, and its
 * part of the crash buffer, which is a head and the thread's buffer. */
size_t wm_crash_buffer_slot_bytes(void) wm_hidden;
/* Returns the most bytes of the file that are mapped in addition to slots. */
size_t wm_crash_buffer_bytes(void) wm_hidden;

/*
 * Makes the file for the trace @name at wm_tracefile_path; the file is used
 * from wm_crash_buffer_publish() on.  Returns 1 if it was made, 0 if there will
 * be no crash buffer, and -EEXIST if another trace has such a file.  The
 * descriptor is kept for the first buffer that moves in, at most until
 * wm_crash_buffer_close().
 */
int wm_crash_buffer_create(const struct wm_tracefile_name *name) wm_hidden;
void wm_crash_buffer_close(void) wm_hidden;
/* Returns the path for the block START: "" if the file is beside the trace. */
const char *wm_crash_buffer_path(void) wm_hidden;
/* Makes the file the crash buffer, for buffers and for call paths.  Returns
 * false if the call paths that are not in the trace do not fit. */
bool wm_crash_buffer_publish(void) wm_hidden;
/* Removes the file, because the trace ends in an orderly way. */
void wm_crash_buffer_remove(void) wm_hidden;
/* Called in a traced child: the crash buffer belongs to the parent. */
void wm_crash_buffer_forget(void) wm_hidden;

/* Notes that the trace has @n complete blocks now. */
void wm_crash_buffer_blocks(uint64_t n) wm_hidden;
/* Counts @s if it is new or has a new thread, and moves its buffer into the
 * crash buffer if there is one.  The caller is the owner of @s, or @s has no
 * owner. */
void wm_crash_buffer_add_slot(struct wm_slot *s) wm_hidden;
/* Begins the buffer of @s anew, because its records are in the trace. */
void wm_crash_buffer_refill(struct wm_slot *s) wm_hidden;
/* Makes the records of @s invalid, because they were counted as lost. */
void wm_crash_buffer_void(struct wm_slot *s) wm_hidden;

/* Returns a place for epochs of pages in the crash buffer, or NULL, and stores
 * its size in *@room.  The place is a slot without a thread, which the head
 * counts as a slot. */
void *wm_crash_buffer_epochs(size_t *room) wm_hidden;
/* Makes the first @bytes of that place valid. */
void wm_crash_buffer_epochs_hold(size_t bytes) wm_hidden;

/* Returns device and number of the file beside the trace, or NULL. */
const uint64_t *wm_crash_buffer_beside(void) wm_hidden;
/* Called after trace and crash buffer were moved to wm_tracefile_path. */
void wm_crash_buffer_moved(void) wm_hidden;
