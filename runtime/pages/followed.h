/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's memory in a file of the runtime's own: fresh anonymous memory
 * becomes a shared mapping of a memfd at the same address, so that pages can be
 * taken out of the page table without losing their contents (scan.h).  Byte @a
 * of memory is byte @a of the file, except in mappings that mremap has moved.
 * A byte of the file that belongs to no mapping is a hole, which reads as zero.
 *
 * Only for the service thread, which has the descriptors.  Results are 0, or
 * the kernel's result for the program's own call.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"
#include "runtime/pages/page_ranges.h"

/* For the present epoch: accessed and written pages of memory that was freed,
 * and pages written while memory was scanned.  Unordered arrays of struct
 * wm_page_run. */
struct wm_pages_gone {
	struct wm_buf accessed, written;
};
extern struct wm_pages_gone wm_pages_gone wm_hidden;

extern bool wm_followed_moved wm_hidden;
/* After wm_followed_end(): no memory is followed any more. */
extern bool wm_followed_ended wm_hidden;

/* Follows static data and the existing heap, in place.  Returns NULL, or the
 * reason why not.  There must be one thread; @storage is its storage. */
const char *wm_followed_begin(uint64_t storage, uint64_t storage_end) wm_hidden;

/* Follows [@start, @start + @bytes), which was just mapped, is private and
 * anonymous, and is untouched. */
int wm_followed_adopt(uint64_t start, uint64_t bytes, int prot,
		      uint8_t kind) wm_hidden;
/* Prepares for the range to be replaced or unmapped right after this call. */
int wm_followed_leave(uint64_t start, uint64_t bytes) wm_hidden;
/* Notes that the range was unmapped together with its contents. */
int wm_followed_left(uint64_t start, uint64_t bytes) wm_hidden;

/* These make the program's calls. */
long wm_followed_unmap(uint64_t start, uint64_t bytes) wm_hidden;
long wm_followed_remap(uint64_t old, uint64_t old_bytes, uint64_t bytes,
		       int flags, uint64_t want) wm_hidden;
long wm_followed_advise(uint64_t start, uint64_t bytes, int advice) wm_hidden;
long wm_followed_protect(uint64_t start, uint64_t bytes, int prot) wm_hidden;

/* The enum wm_pages_lock of memory that will be mapped (MCL_FUTURE). */
extern uint8_t wm_followed_future_lock wm_hidden;
/* Notes that the kernel has just locked or unlocked the range.  @how is an enum
 * wm_pages_lock. */
int wm_followed_lock(uint64_t start, uint64_t bytes, uint8_t how) wm_hidden;
/* Locks a range that was mapped anew: the kernel locks mappings, not memory. */
void wm_followed_lock_again(uint64_t start, uint64_t end,
			    uint8_t how) wm_hidden;

/* Calls f() for each range in [@start, @end), after splitting ranges at these
 * bounds.  f() may remove its range. */
int wm_followed_each(uint64_t start, uint64_t end,
		     int (*f)(struct wm_watched_range *, const void *),
		     const void *arg) wm_hidden;
bool wm_followed_has(uint64_t start, uint64_t end) wm_hidden;
/* Watches @r, a mapping of the file, and lists it: as closed if it cannot be
 * watched.  Fails only without memory; then @r is not followed. */
int wm_followed_enter(struct wm_watched_range *r) wm_hidden;
/* After this, writes to the pages of @r can be found.  Earlier writes are
 * lost. */
int wm_followed_arm(struct wm_watched_range *r) wm_hidden;
/* For wm_followed_each(): gives the range the access *@prot (an int).  A range
 * that is too large is not followed. */
int wm_followed_open(struct wm_watched_range *r, const void *prot) wm_hidden;
/* Called when @r has grown beyond the part of the file that was chosen for
 * it. */
void wm_followed_grown(const struct wm_watched_range *r) wm_hidden;
/* Keeps the accesses of @r for the present epoch.  Called before @r is unmapped
 * or emptied. */
int wm_followed_remember(const struct wm_watched_range *r) wm_hidden;
/* Adds the accesses to @r since the last call.  @accessed may lack pages of
 * @written, and @written those in wm_pages_gone.written.  If @accessed is NULL,
 * only writes are found, and a later call finds the accesses. */
int wm_followed_ask(struct wm_watched_range *r, struct wm_buf *accessed,
		    struct wm_buf *written) wm_hidden;
/* For wm_followed_each(): removes a range that was unmapped with its
 * contents. */
int wm_followed_drop(struct wm_watched_range *r, const void *unused) wm_hidden;
/* For wm_followed_each(): replaces the range by anonymous memory with its
 * contents.  No thread may write to it meanwhile. */
int wm_followed_make_anonymous(struct wm_watched_range *r,
			       const void *unused) wm_hidden;
/* Makes all followed memory private; other threads may use it meanwhile.
 * Returns false if the kernel refused a part. */
bool wm_followed_end(void) wm_hidden;

/* For a fork: all followed ranges, cut where protections differ, and the parts
 * of them with contents.  All other bytes are zero.  Both ascending. */
struct wm_pages_part {
	uint64_t start, end;
	int prot; /* of extents: 0 */
};
int wm_followed_list(struct wm_buf *parts, struct wm_buf *extents) wm_hidden;
/* Makes the range private: with @anonymous by wm_followed_make_anonymous(),
 * and without while other threads may write to it, but then it must not be
 * moved. */
int wm_followed_make(uint64_t start, uint64_t bytes, bool anonymous) wm_hidden;
/* Follows a writable range of wm_followed_make() again. */
int wm_followed_retake(uint64_t start, uint64_t end, uint8_t kind) wm_hidden;
