/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file behind followed memory, a memfd, and the write protection of
 * followed memory (userfaultfd).  Byte @a of memory is byte @a + shift of the
 * file.  A byte of the file that belongs to no mapping is a hole, which reads
 * as zero.
 *
 * Only for the service thread, which has the descriptors.  Results are the
 * kernel's: a value in [-4095, -1] is a negated errno.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/state.h"
#include "runtime/pages/page_ranges.h"

/* Addresses end at this limit; the file has moved memory above it. */
#define WM_BACKING_IDENTITY (UINT64_C(1) << 56)
#define WM_BACKING_END (UINT64_C(1) << 60)

static inline uint64_t wm_page_up(uint64_t n)
{
	return (n + WM_PAGE - 1) & ~(uint64_t)(WM_PAGE - 1);
}

/* Returns NULL, or the reason why writes cannot be watched. */
const char *wm_backing_open_watch(void) wm_hidden;
/* Returns NULL, or the reason why memory cannot be in a file. */
const char *wm_backing_open(void) wm_hidden;
/* Maps the file over the present mapping.  @flags: MAP_SHARED or
 * MAP_PRIVATE. */
long wm_backing_map(uint64_t start, uint64_t end, int64_t shift, int prot,
		    int flags) wm_hidden;
/* After this, writes to the range can be found (scan.h). */
int wm_backing_watch(uint64_t start, uint64_t end) wm_hidden;
void wm_backing_hole(uint64_t start, uint64_t end, int64_t shift) wm_hidden;
int wm_backing_copy(uint64_t start, uint64_t end) wm_hidden;
/* Stores the bounds of the next bytes of @r, at *@at or above, that are no hole
 * of the file.  Returns false if there are none. */
bool wm_backing_next(const struct wm_watched_range *r, uint64_t *at,
		     uint64_t *end) wm_hidden;
uint64_t wm_backing_inode(void) wm_hidden;
uint64_t wm_backing_resident(void) wm_hidden;
/* of pages, freed ones included */
uint64_t wm_backing_new(void) wm_hidden;
long wm_backing_anonymous(uint64_t want, uint64_t bytes, int flags) wm_hidden;
