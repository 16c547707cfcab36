/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's memory in a file of ours: fresh anonymous memory becomes a
 * shared mapping of a memfd at the same address, so that pages can be taken out
 * of the page table without losing their contents (scan.h).
 *
 * Byte @a of memory is byte @a of the file, so mappings grow and merge as
 * usual, except those that mremap has moved (struct wm_watched_range).  A byte
 * of the file that belongs to no mapping is always a hole: zero.
 *
 * Only for the service thread, which has the descriptors.  Results are 0, or
 * the kernel's result for the program's own call.
 */
#ifndef WM_RUNTIME_FOLLOWED_H
#define WM_RUNTIME_FOLLOWED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"
#include "runtime/pages/page_ranges.h"

/* The pages accessed and written since the last epoch in memory that was freed,
 * and those written while it was scanned; unordered arrays of struct
 * wm_page_run. */
struct wm_pages_gone {
	struct wm_buf accessed, written;
};
extern struct wm_pages_gone wm_pages_gone wm_hidden;

/* Some was moved by mremap. */
extern bool wm_followed_moved wm_hidden;
/* wm_followed_end() was called: nothing is followed any more. */
extern bool wm_followed_ended wm_hidden;

/* Follows static data and the existing heap, in place.  There is only one
 * thread, with its storage in [@storage, @storage_end).  NULL, or the reason
 * why not. */
const char *wm_followed_begin(uint64_t storage, uint64_t storage_end) wm_hidden;

/* [@start, @start + @bytes) was just mapped, private, anonymous, and is
 * untouched. */
int wm_followed_adopt(uint64_t start, uint64_t bytes, int prot,
		      uint8_t kind) wm_hidden;
/* It may be replaced or unmapped right after this. */
int wm_followed_leave(uint64_t start, uint64_t bytes) wm_hidden;
/* That memory was unmapped with its contents. */
int wm_followed_left(uint64_t start, uint64_t bytes) wm_hidden;

/* The program's calls, done for it. */
long wm_followed_unmap(uint64_t start, uint64_t bytes) wm_hidden;
long wm_followed_remap(uint64_t old, uint64_t old_bytes, uint64_t bytes,
		       int flags, uint64_t want) wm_hidden;
long wm_followed_advise(uint64_t start, uint64_t bytes, int advice) wm_hidden;
long wm_followed_protect(uint64_t start, uint64_t bytes, int prot) wm_hidden;

/* Later memory is locked when it is mapped (MCL_FUTURE): enum wm_pages_lock. */
extern uint8_t wm_followed_future_lock wm_hidden;
/* It is locked, or no longer locked, which the kernel knows already: enum
 * wm_pages_lock. */
int wm_followed_lock(uint64_t start, uint64_t bytes, uint8_t how) wm_hidden;
/* The same memory in another mapping: the kernel has to lock that. */
void wm_followed_lock_again(uint64_t start, uint64_t end,
			    uint8_t how) wm_hidden;

/* Calls f() for each range in [@start, @end); those across its bounds are cut
 * there.  f() may remove its range. */
int wm_followed_each(uint64_t start, uint64_t end,
		     int (*f)(struct wm_watched_range *, const void *),
		     const void *arg) wm_hidden;
/* Whether any of [@start, @end) is followed. */
bool wm_followed_has(uint64_t start, uint64_t end) wm_hidden;
/* @r is a mapping of the file: watches it, arms it if @r is armed, and lists
 * it; if it cannot be watched, as closed.  Fails only without memory for the
 * list; then it is not followed. */
int wm_followed_enter(struct wm_watched_range *r) wm_hidden;
/* Writes to its pages can be found from now on; earlier ones are lost. */
int wm_followed_arm(struct wm_watched_range *r) wm_hidden;
/* For wm_followed_each(): it gets the access @prot (an int); a range that is
 * too large is not followed. */
int wm_followed_open(struct wm_watched_range *r, const void *prot) wm_hidden;
/* @r has grown in the file beyond the part that was chosen for it. */
void wm_followed_grown(const struct wm_watched_range *r) wm_hidden;
/* Keeps the accesses of @r for the present epoch; @r is about to be unmapped or
 * emptied. */
int wm_followed_remember(const struct wm_watched_range *r) wm_hidden;
/* Adds its accesses to the lists and begins anew.  @accessed may lack pages of
 * @written, and @written those that are added to wm_pages_gone.written.
 * @accessed NULL: finds only writes; a later call finds the accesses. */
int wm_followed_ask(struct wm_watched_range *r, struct wm_buf *accessed,
		    struct wm_buf *written) wm_hidden;
/* For wm_followed_each(): it was unmapped with its contents. */
int wm_followed_drop(struct wm_watched_range *r, const void *unused) wm_hidden;
/* For wm_followed_each(): it becomes anonymous memory, by copying; no thread
 * may write to it meanwhile. */
int wm_followed_make_anonymous(struct wm_watched_range *r,
			       const void *unused) wm_hidden;
/* Makes all of it private memory, as it would be without us; other threads may
 * use it meanwhile.  false: the kernel did not allow all of it. */
bool wm_followed_end(void) wm_hidden;

/* For a fork: all of it, cut where protections differ, and the extents with
 * contents, both ascending arrays of struct wm_pages_part.  The rest is
 * zero. */
struct wm_pages_part {
	uint64_t start, end;
	int prot; /* of extents: 0 */
};
int wm_followed_list(struct wm_buf *parts, struct wm_buf *extents) wm_hidden;
/* [@start, @end) becomes private, in place; no thread may write to it
 * meanwhile. */
int wm_followed_release(uint64_t start, uint64_t end) wm_hidden;
/* [@start, @start + @bytes) becomes private memory: @anonymous: as
 * wm_followed_make_anonymous(); else others may write to it meanwhile, but it
 * must stay where it is for ever. */
int wm_followed_make(uint64_t start, uint64_t bytes, bool anonymous) wm_hidden;
/* The same is followed again; it can be written. */
int wm_followed_retake(uint64_t start, uint64_t end, uint8_t kind) wm_hidden;

#endif
