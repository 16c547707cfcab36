/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The crash buffer: a file, mapped shared, that preserves threads' buffers, and
 * the call paths that are new since the last block, when the process is killed
 * by SIGKILL (docs/trace-format.md, section 8).  It exists only where writing
 * to a mapping cannot raise SIGBUS.
 *
 * The caller holds the writer lock unless a comment names another context.  A
 * forked child has no crash buffer: wm_state, which points to it, is wiped, and
 * so are the slots.
 *
 * A process may be killed between any two stores.  So each part becomes valid
 * by one store: a record by its kind, a buffer by its epoch, and one of the two
 * journals, or of the two sets of clocks, by its number.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/state.h"
#include "runtime/callpath/pathdb.h"
#include "runtime/trace/dirs.h"
#include "runtime/trace/tracefile.h"

/* A slot is a page that is wiped by fork, a head, and the thread's buffer. */
size_t wm_crash_buffer_slot_bytes(void) wm_hidden;
/* Returns the most bytes of the file that are mapped in addition to slots: the
 * head, the journals, and a slot that is moving in. */
size_t wm_crash_buffer_bytes(void) wm_hidden;

/* Makes the file for the trace @name at wm_tracefile_path; it is used from
 * wm_crash_buffer_publish() on.  Returns 1 if it was made, 0 if there will be
 * no crash buffer, and -EEXIST if another trace has such a file.  Keeps the
 * descriptor for the first buffer that moves in, at most until
 * wm_crash_buffer_close(). */
int wm_crash_buffer_create(const struct wm_tracefile_name *name) wm_hidden;
void wm_crash_buffer_close(void) wm_hidden;
/* Returns the path for the block START: "" if the file is beside the trace. */
const char *wm_crash_buffer_path(void) wm_hidden;
/* Makes the file the crash buffer, for buffers and for call paths.  Returns
 * false if the call paths that are not in the trace do not fit. */
bool wm_crash_buffer_publish(void) wm_hidden;
void wm_crash_buffer_remove(void) wm_hidden;
/* Called in a traced child: the crash buffer belongs to the parent. */
void wm_crash_buffer_forget(void) wm_hidden;

void wm_crash_buffer_blocks(uint64_t n) wm_hidden;
/* Counts @s if it is new, and moves its buffer into the crash buffer if there
 * is one.  The caller is the owner of @s, or @s has no owner. */
void wm_crash_buffer_add_slot(struct wm_slot *s) wm_hidden;
/* Begins the buffer of @s anew, because its records are in the trace. */
void wm_crash_buffer_refill(struct wm_slot *s) wm_hidden;
/* Makes the records of @s invalid, because they were counted as lost. */
void wm_crash_buffer_void(struct wm_slot *s) wm_hidden;

/* Returns a slot without a thread for epochs of pages, or NULL, and stores its
 * size in *@room. */
void *wm_crash_buffer_epochs(size_t *room) wm_hidden;
/* Makes the first @bytes of that memory valid. */
void wm_crash_buffer_epochs_hold(size_t bytes) wm_hidden;

/* Returns device and inode number of the file beside the trace, or NULL. */
const uint64_t *wm_crash_buffer_beside(void) wm_hidden;
void wm_crash_buffer_moved(void) wm_hidden;
