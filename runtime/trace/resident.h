/* SPDX-License-Identifier: Apache-2.0 */
/* Resident memory as the kernel counts it: the whole, the parts that belong to
 * files or are shared, and the stacks of threads.  The caller holds the writer
 * lock, except where a comment allows any thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"

#define WM_MEMORY_LEAST ((size_t)1 << 20) /* bytes that are worth a look */

/* Adds resident memory to a head.  Does nothing if the last look was at most
 * 100 ms ago, unless this is the @last head. */
void wm_resident_put(struct wm_buf *head, bool last) wm_hidden;
/* resident_code.c: stores the resident bytes of files that have code, with
 * constants.  Returns false if they are not known. */
bool wm_resident_code(uint64_t *bytes) wm_hidden;
bool wm_resident_is_due(void) wm_hidden;
/* Called before @bytes that may be shared are unmapped.  Any thread. */
void wm_resident_goes(size_t bytes) wm_hidden;
/* Called before @bytes, private or shared, cease to be resident without a
 * release in the trace.  Any thread. */
void wm_resident_fades(size_t bytes) wm_hidden;

/* Resident bytes that are not shared.  "Since" refers to the previous
 * wm_resident_look(). */
struct wm_resident_now {
	bool known; /* there is shared memory, and the fields are known */
	/* private bytes now, and those freed since without a release */
	uint64_t private;
	uint64_t most; /* the most private bytes since */
	/* bytes touched since, at most; growth of shared memory */
	uint64_t touched, shared_more;
};
void wm_resident_huge(void) wm_hidden;
/* Notes that the program has mapped a large file.  Any thread. */
void wm_resident_file(void) wm_hidden;
/* Called when the first memory that may be shared has been mapped. */
void wm_resident_begin(void *unused) wm_hidden;
/* Looks at the resident memory; the next wm_resident_put() adds the result.
 * @now points to a struct wm_resident_now. */
void wm_resident_look(void *now) wm_hidden;
/* Called after a thread's stack was made: later looks count its touched part,
 * too.  Any thread. */
void wm_resident_stack(const void *p, size_t bytes) wm_hidden;
