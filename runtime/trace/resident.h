/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resident memory as the kernel counts it: all of it, what is a file's or
 * shared, and stacks of threads.  It is looked at when blocks are written, and
 * before memory goes that may be shared with other processes.
 *
 * All but the calls of wrappers under the writer lock.
 */
#ifndef WM_RUNTIME_RESIDENT_H
#define WM_RUNTIME_RESIDENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"

#define WM_MEMORY_LEAST ((size_t)1 << 20) /* bytes that are worth a look */

/* Add what is resident to a head, unless the last look was 100 ms ago or less
 * and it is not the @last one. */
void wm_resident_put(struct wm_buf *head, bool last) wm_hidden;
/* A look is not too soon after the last one.  Any thread. */
bool wm_resident_is_due(void) wm_hidden;
/* Any thread: so many bytes, which may be shared, are about to be unmapped. */
void wm_resident_goes(size_t bytes) wm_hidden;
/* Any thread: so many bytes, which may be private or shared, are about to be
 * resident no longer, and no release in the trace says so. */
void wm_resident_fades(size_t bytes) wm_hidden;

/* Bytes that are resident, without what is shared. */
struct wm_resident_now {
	bool known; /* there is shared memory, and they are */
	/* now, and what went since the look of this kind before it without a
	 * release in the trace */
	uint64_t private;
	uint64_t most; /* since the look of this kind before it, at most */
	/* became resident since then, at most; and so many more are shared */
	uint64_t touched, shared_more;
};
/* The program asks for huge pages.  Any thread. */
void wm_resident_huge(void) wm_hidden;
/* The program has mapped a file of WM_MEMORY_LEAST bytes or more.  Any
 * thread. */
void wm_resident_file(void) wm_hidden;
/* Memory has come that may be shared, for the first time. */
void wm_resident_begin(void *unused) wm_hidden;
/* Look, for what the next wm_resident_put() adds.  @now: a struct
 * wm_resident_now. */
void wm_resident_look(void *now) wm_hidden;
/* A thread's stack was made: later looks count its touched part, too.  Any
 * thread. */
void wm_resident_stack(const void *p, size_t bytes) wm_hidden;

#endif
