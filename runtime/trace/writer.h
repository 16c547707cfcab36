/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trace and its crash buffer: when they are made, when blocks are written,
 * and what becomes of events that cannot be.
 *
 * Each function takes the writer lock itself, but for one that says so.  A block that cannot be
 * written stops the trace; the events in it are counted as dropped.
 */
#ifndef WM_RUNTIME_WRITER_H
#define WM_RUNTIME_WRITER_H

#include <stdint.h>

#include "runtime/base/state.h"
#include "runtime/hooks.h"

/* The stack that writing is done on. */
#define WM_WRITER_STACK (128u << 10)

/* Create run directory and trace if that has not been done; a block START. */
void wm_writer_open(void) wm_hidden;
/* Write the names that have come in; for the time being nothing without a
 * trace. */
void wm_writer_names(void) wm_hidden;
/* Write what @slot holds and empty it.  The caller is its owner, or knows
 * that the owner is dead. */
void wm_writer_flush(struct wm_slot *slot) wm_hidden;
/* @slot, which is empty, has a new owner. */
void wm_writer_begin_slot(struct wm_slot *slot) wm_hidden;
/* The same as a flush, and @slot goes on in another generation of paths. */
void wm_writer_new_filling(struct wm_slot *slot, uint32_t generation) wm_hidden;
/* Write what @slot holds at the end of the process; the owner may still run,
 * so the slot is left as it is. */
void wm_writer_write_out(struct wm_slot *slot) wm_hidden;
/* The dictionary is full: send its rest, begin a new generation unless
 * another thread has done so since @generation. */
void wm_writer_new_generation(uint32_t generation) wm_hidden;
/* Write the paths and modules that are new since the last block, because the
 * crash buffer has no room for them; 0: it cannot be done. */
bool wm_writer_send_paths(void) wm_hidden;
/* A library may be gone: what leads through it is sent while its addresses
 * are known as its own, and found no more. */
void wm_writer_library_closed(void) wm_hidden;
/* Rank and job are known, or better known than before: wm_identity changes,
 * and the trace moves to where it belongs. */
void wm_writer_identify(const struct wm_renaming *now) wm_hidden;
/* Write @b, if the trace is there; -1: it is not, or cannot be written.  For
 * the service thread of pages alone, which has descriptors of its own. */
struct wm_pages_block;
int wm_writer_pages(const struct wm_pages_block *b) wm_hidden;
/* f(@arg) under the writer lock, for who has to look at what others write out,
 * too; of this file it calls wm_writer_accesses() alone.  Any thread. */
void wm_writer_call(void (*f)(void *), void *arg) wm_hidden;
/* Within wm_writer_call(): write @b, if the trace can be written; -1: it
 * cannot . */
struct wm_access_block;
int wm_writer_accesses(const struct wm_access_block *b) wm_hidden;
/* Where epochs outlive a SIGKILL, *@room bytes, as wm_crash_buffer_epochs();
 * NULL: nowhere, or not yet. */
void *wm_writer_epochs(size_t *room) wm_hidden;
/* In a traced child: nothing has been written yet. */
void wm_writer_forget(void) wm_hidden;
/* The last block. */
void wm_writer_end(const char *reason) wm_hidden;
/* Numbers of the trace so far, for the summary. */
struct wm_writer_numbers {
	uint64_t events, trace_bytes, memory_high;
	uint64_t write_ns; /* where WM_SUMMARY asks for it */
};
void wm_writer_numbers(struct wm_writer_numbers *f) wm_hidden;
/* This process is not to be traced: no file of it remains. */
void wm_writer_discard(void) wm_hidden;
/* Path of the trace, "" before it exists. */
const char *wm_writer_path(void) wm_hidden;

#endif
