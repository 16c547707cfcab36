/* SPDX-License-Identifier: Apache-2.0 */
/* The crash buffer of a process that was killed: the events that are not in its
 * trace yet (docs/trace-format.md, section 8).  These events become blocks of
 * the wm_trace, but in memory.  A crash buffer is used as a whole or, if its
 * contents are impossible, not at all: trace->crash_buffer_damage then has the
 * reason. */
#pragma once

#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/trace/reader.h"

/* The events of a block in memory, which belong to the trace. */
struct wm_memory_block {
	struct wm_memory_block *next;
	struct wm_event event[];
};

/* Looks for the crash buffer of @t, a trace without END at @path, and adds its
 * events to t->blocks, which are in order of threads.  The first @blocks blocks
 * that were written are in the file.  Returns WM_OK also when there is no crash
 * buffer or when it is not used. */
enum wm_status wm_crash_buffer_read(struct wm_trace *t, const char *path,
				    uint64_t blocks, struct wm_err *err);
/* crash_epochs.c: reads epochs of pages from @bytes of @src at @offset. */
enum wm_status wm_crash_epochs_read(struct wm_trace *t, struct wm_source *src,
				    uint64_t offset, size_t bytes,
				    struct wm_err *err);
void wm_memory_blocks_free(struct wm_memory_block *b);
