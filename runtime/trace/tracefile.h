/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The run directory and the file: names, creation, appending.
 *
 * Called with the writer lock.  No descriptor is kept between blocks of
 * different times: programs close all descriptors, and a number of ours may
 * then be a file of theirs.  Results are 0 or a negated errno;
 * wm_tracefile_failed_path has the path of the last failure.
 */
#ifndef WM_RUNTIME_TRACEFILE_H
#define WM_RUNTIME_TRACEFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/text.h"
#include "runtime/trace/dirs.h"

struct wm_tracefile_name {
	const char *parent; /* WM_DIR, absolute */
	const char *program; /* PREFIX of the run directory */
	const char *id; /* ID of the run directory */
	int rank, ranks;
	int child; /* pid of a traced child; 0: the rank itself */
};

/* Create an empty trace, never an existing one, and the directory if it is
 * missing.  Its number is above *@number, which becomes that. */
int wm_tracefile_create(const struct wm_tracefile_name *name,
			int *number) wm_hidden;
/* Removes the unusable trace; and the run directory, if it is empty. */
void wm_tracefile_discard(void) wm_hidden;
void wm_tracefile_discard_run(void) wm_hidden;
/* true: several appends follow, which open the file once.  false: no more
 * follow. */
void wm_tracefile_keep_open(bool on) wm_hidden;
/* Append all of it, or nothing. */
int wm_tracefile_append(const uint8_t *data, size_t n) wm_hidden;
/* Bytes of the trace. */
uint64_t wm_tracefile_size(void) wm_hidden;
/* true: the next append may succeed after this error of one. */
bool wm_tracefile_may_retry(int err) wm_hidden;
/* In a traced child: this process has no file yet. */
void wm_tracefile_forget(void) wm_hidden;
/* The trace now belongs to another rank or run: move it, and with it the file
 * beside it, if that is @beside (device and number); NULL: there is none. */
int wm_tracefile_move(const struct wm_tracefile_name *name,
		      const uint64_t beside[2]) wm_hidden;
/* Appends PREFIX.ID to @t, with PREFIX cut so that this and @more bytes can be
 * the name of a file. */
void wm_tracefile_add_run(const struct wm_tracefile_name *name, size_t more,
			  struct wm_text *t) wm_hidden;
/* Appends the path of the crash buffer beside the trace at @trace to @t. */
void wm_tracefile_beside(const char *trace, struct wm_text *t) wm_hidden;
/* Open the directory of the trace, or the run directory; -ESTALE when another
 * has taken its place.  The caller closes it. */
int wm_tracefile_dir(struct wm_at *at, bool of_run) wm_hidden;
/* Whether this process made the run directory. */
bool wm_tracefile_made_run(void) wm_hidden;
/* Whether a file of @size bytes exceeds the limit on file sizes, so that
 * writing it would raise SIGXFSZ. */
bool wm_tracefile_too_big(uint64_t size) wm_hidden;
extern char wm_tracefile_path[] wm_hidden; /* of the trace; "" before */
extern char wm_tracefile_failed_path[] wm_hidden; /* path of the last failure */
/* Keeps that path with @err, if it is the first reason of a loss. */
void wm_tracefile_blame(int err) wm_hidden;

#endif
