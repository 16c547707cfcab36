/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The run directory and the file: names, creation, appending.  The caller holds
 * the writer lock.
 *
 * No descriptor is kept from one time of writing to the next: programs close
 * all descriptors, and a number of ours may then be a file of theirs.
 * Functions return 0 or a negated errno; wm_tracefile_failed_path has the path
 * of the last failure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/text.h"
#include "runtime/trace/dirs.h"

struct wm_tracefile_name {
	const char *parent; /* WM_DIR, absolute */
	const char *program;
	const char *id;
	int rank, ranks;
	int child; /* pid of a traced child; 0: the rank itself */
};

/* Creates an empty trace, and the directory if it is missing; never opens an
 * existing trace.  Stores the trace's number, which is above *@number. */
int wm_tracefile_create(const struct wm_tracefile_name *name,
			int *number) wm_hidden;
/* Removes the unusable trace; the second function also removes the run
 * directory if it is empty. */
void wm_tracefile_discard(void) wm_hidden;
void wm_tracefile_discard_run(void) wm_hidden;
/* true: several appends follow, for which the file is opened only once. */
void wm_tracefile_keep_open(bool on) wm_hidden;
/* Appends all @n bytes, or nothing. */
int wm_tracefile_append(const uint8_t *data, size_t n) wm_hidden;
uint64_t wm_tracefile_size(void) wm_hidden;
/* Returns whether the next append may succeed although one failed with @err. */
bool wm_tracefile_may_retry(int err) wm_hidden;
void wm_tracefile_forget(void) wm_hidden;
/* Moves the trace, which now belongs to another rank or run, and the file
 * beside it, if that file's device and inode number are @beside, or NULL. */
int wm_tracefile_move(const struct wm_tracefile_name *name,
		      const uint64_t beside[2]) wm_hidden;
/* Appends PREFIX.ID to @t.  PREFIX is cut so that the result and @more bytes
 * can be the name of a file. */
void wm_tracefile_add_run(const struct wm_tracefile_name *name, size_t more,
			  struct wm_text *t) wm_hidden;
/* Appends rank-NNNNNN, a child's pid, and a @duplicate above 1. */
void wm_tracefile_add_rank(const struct wm_tracefile_name *name, int duplicate,
			   struct wm_text *t) wm_hidden;
/* Appends the path of the crash buffer beside the trace at @trace to @t. */
void wm_tracefile_beside(const char *trace, struct wm_text *t) wm_hidden;
/* Opens the directory of the trace, or of the run; the caller closes it.
 * Returns -ESTALE if another directory has taken its place. */
int wm_tracefile_dir(struct wm_at *at, bool of_run) wm_hidden;
bool wm_tracefile_made_run(void) wm_hidden;
/* Returns whether writing a file of @size bytes would raise SIGXFSZ. */
bool wm_tracefile_too_big(uint64_t size) wm_hidden;
extern char wm_tracefile_path[] wm_hidden;
extern char wm_tracefile_failed_path[] wm_hidden;
/* Keeps that path and @err, if this is the first reason of a loss. */
void wm_tracefile_blame(int err) wm_hidden;
