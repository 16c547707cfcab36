/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The crash buffer: a file, mapped shared, in which threads' buffers and the
 * call paths that are new since the last block outlive a SIGKILL
 * (docs/trace-format.md, section 8).
 *
 * It is there only where writing to a mapping cannot raise SIGBUS; without it
 * buffers are private memory.  Functions are for the holder of the writer lock
 * unless they say otherwise.  A forked child has no crash buffer: wm_state,
 * which points to it, is wiped, and so are the slots.
 *
 * A process may be killed between any two stores.  What holds is therefore
 * switched by one store each: a record by its kind, a buffer by its epoch,
 * the journal and the clocks by the number of the one of two that counts.
 */
#ifndef WM_RUNTIME_CRASH_BUFFER_H
#define WM_RUNTIME_CRASH_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wm/window_format.h"

#include "runtime/base/state.h"
#include "runtime/callpath/pathdb.h"
#include "runtime/hooks.h"
#include "runtime/trace/dirs.h"
#include "runtime/trace/tracefile.h"

/* Bytes of a slot: its own page, which is wiped by fork, then what lies in
 * the crash buffer, head and buffer. */
size_t wm_crash_buffer_slot_bytes(void) wm_hidden;
/* Bytes of the file that are mapped beside slots, at most. */
size_t wm_crash_buffer_bytes(void) wm_hidden;

/* Make the file for the trace @name at wm_tracefile_path; it counts from
 * wm_crash_buffer_publish() on.  1: made; -EEXIST: that of another trace lies
 * there.  Its descriptor is kept for the first buffer that moves in, at most
 * until wm_crash_buffer_close(). */
int wm_crash_buffer_create(const struct wm_tracefile_name *name) wm_hidden;
void wm_crash_buffer_close(void) wm_hidden;
/* What the block START says of it: "" when it lies beside the trace. */
const char *wm_crash_buffer_path(void) wm_hidden;
/* The file is the crash buffer from now on, for buffers and for call paths;
 * false when those that are not in the trace do not fit. */
bool wm_crash_buffer_publish(void) wm_hidden;
/* The trace ends in an orderly way: remove the file. */
void wm_crash_buffer_remove(void) wm_hidden;
/* In a traced child: the crash buffer was the parent's. */
void wm_crash_buffer_forget(void) wm_hidden;

/* The trace now holds @n whole blocks. */
void wm_crash_buffer_blocks(uint64_t n) wm_hidden;
/* @s is new, or its thread is: count it, and move its buffer into the crash
 * buffer if there is one.  The caller is its owner, or it has none. */
void wm_crash_buffer_add_slot(struct wm_slot *s) wm_hidden;
/* What @s holds is in the trace: its buffer begins anew. */
void wm_crash_buffer_refill(struct wm_slot *s) wm_hidden;
/* What @s holds is lost, and counted. */
void wm_crash_buffer_void(struct wm_slot *s) wm_hidden;

/* Room for epochs of pages, *@room bytes behind what the head counts; NULL:
 * none.  It is a slot that has no thread. */
void *wm_crash_buffer_epochs(size_t *room) wm_hidden;
/* So many bytes of it hold. */
void wm_crash_buffer_epochs_hold(size_t bytes) wm_hidden;

/* Device and number of the file beside the trace; NULL: there is none. */
const uint64_t *wm_crash_buffer_beside(void) wm_hidden;
/* The trace, and it with it, is at wm_tracefile_path now. */
void wm_crash_buffer_moved(void) wm_hidden;

#endif
