/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file behind memory whose pages are followed, a memfd, and what the kernel
 * is asked for about it: asynchronous write protection (userfaultfd).
 *
 * Byte @a of memory is byte @a + shift of the file; a byte of the file that
 * belongs to no mapping is a hole: zero.  For the service thread alone, which
 * has the descriptors.  Results are the kernel's: a value in [-4095, -1] is a
 * negated errno.
 */
#ifndef WM_RUNTIME_BACKING_H
#define WM_RUNTIME_BACKING_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/state.h"
#include "runtime/hooks.h"
#include "runtime/pages/ranges.h"

/* Addresses end here; what is moved has its bytes of the file behind. */
#define WM_BACKING_IDENTITY (UINT64_C(1) << 56)
#define WM_BACKING_END (UINT64_C(1) << 60)

static inline uint64_t wm_page_up(uint64_t n)
{
	return (n + WM_PAGE - 1) & ~(uint64_t)(WM_PAGE - 1);
}

/* NULL, or why writes cannot be watched. */
const char *wm_backing_open_watch(void) wm_hidden;
/* NULL, or why memory cannot lie in a file. */
const char *wm_backing_open(void) wm_hidden;
/* Over what is there; @flags: MAP_SHARED or MAP_PRIVATE. */
long wm_backing_map(uint64_t start, uint64_t end, int64_t shift, int prot,
		    int flags) wm_hidden;
/* Writes to it are told from now on (scan.h). */
int wm_backing_watch(uint64_t start, uint64_t end) wm_hidden;
/* The file has nothing there any more: zero. */
void wm_backing_hole(uint64_t start, uint64_t end, int64_t shift) wm_hidden;
/* What memory has there into the same bytes of the file. */
int wm_backing_copy(uint64_t start, uint64_t end) wm_hidden;
/* The next bytes of @r from *@at on that the file holds; false: none. */
bool wm_backing_next(const struct wm_page_range *r, uint64_t *at,
		     uint64_t *end) wm_hidden;
/* As /proc/self/maps has it. */
uint64_t wm_backing_inode(void) wm_hidden;
/* Pages that the file holds. */
uint64_t wm_backing_resident(void) wm_hidden;
/* Pages that were new in it so far: a page that was given back was, too. */
uint64_t wm_backing_new(void) wm_hidden;
/* Not of the file: mmap of private anonymous memory. */
long wm_backing_anonymous(uint64_t want, uint64_t bytes, int flags) wm_hidden;

#endif
