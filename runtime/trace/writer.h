/* SPDX-License-Identifier: Apache-2.0 */
/* The trace and its crash buffer.  Each function takes the writer lock itself,
 * except wm_writer_accesses().  If a block cannot be written, its events are
 * counted as dropped. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/state.h"

/* bytes of the stack on which blocks are written */
#define WM_WRITER_STACK (128u << 10)

void wm_writer_open(void) wm_hidden;
/* Turns release number @event of @slot into an UNMAP of no bytes. */
void wm_writer_refused(struct wm_slot *slot, uint64_t event) wm_hidden;
/* Writes new names.  If there is no trace yet, they wait. */
void wm_writer_names(void) wm_hidden;
/* Writes and empties @slot, whose owner is the caller or is dead. */
void wm_writer_flush(struct wm_slot *slot) wm_hidden;
/* Called when @slot, which is empty, has a new owner. */
void wm_writer_begin_slot(struct wm_slot *slot) wm_hidden;
/* Flushes @slot, which then continues in another generation of paths. */
void wm_writer_new_filling(struct wm_slot *slot, uint32_t generation) wm_hidden;
/* Writes the records of @slot and leaves the slot unchanged, because its owner
 * may still run.  Unless the process @ends, the first release that may still be
 * refused, and the records after it, are left out. */
void wm_writer_write_out(struct wm_slot *slot, bool ends) wm_hidden;
/* Called when the dictionary is full: writes its unsent paths and begins a new
 * generation, unless another thread has done so since @generation. */
void wm_writer_new_generation(uint32_t generation) wm_hidden;
/* Writes the paths and modules that are new since the last block, because the
 * crash buffer has no room for them.  Returns false if this is impossible. */
bool wm_writer_send_paths(void) wm_hidden;
/* Called when a library may be unmapped: writes the paths through it while its
 * addresses are still known as its own, and drops these paths. */
void wm_writer_library_closed(void) wm_hidden;
/* Changes wm_identity, because rank and job are known, or have changed, and
 * moves the trace to its place. */
void wm_writer_identify(const struct wm_renaming *now) wm_hidden;
/* Writes @b.  Returns -1 if it cannot be written.  Called by the service thread
 * of pages, which has its own descriptors. */
struct wm_pages_block;
int wm_writer_pages(const struct wm_pages_block *b) wm_hidden;
/* Calls f(@arg) with the writer lock, for data that other threads write out,
 * too.  In this file, wm_writer_accesses() is the only function that f may
 * call.  Any thread may call this. */
void wm_writer_call(void (*f)(void *), void *arg) wm_hidden;
/* Writes @b, within wm_writer_call(), or returns -1. */
struct wm_access_block;
int wm_writer_accesses(const struct wm_access_block *b) wm_hidden;
/* Returns memory in which epochs survive a SIGKILL, or NULL, and its size. */
void *wm_writer_epochs(size_t *room) wm_hidden;
/* Called in a traced child, which has not written anything yet. */
void wm_writer_forget(void) wm_hidden;
void wm_writer_end(const char *reason) wm_hidden;
struct wm_writer_numbers {
	uint64_t events, trace_bytes, memory_high;
	uint64_t write_ns; /* only with WM_SUMMARY */
};
void wm_writer_numbers(struct wm_writer_numbers *f) wm_hidden;
void wm_writer_discard(void) wm_hidden;
