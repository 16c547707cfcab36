/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's memory in a file of ours: fresh anonymous memory becomes a
 * shared mapping of a memfd at the same address, so that pages can be taken out
 * of the page table without losing what they hold (scan.h).
 *
 * Byte @a of memory is byte @a of the file, so mappings grow and merge as ever,
 * but for those that mremap has moved (struct wm_page_range).  A byte of the
 * file that belongs to no mapping is always a hole: zero.
 *
 * For the service thread alone, which has the descriptors.  Results are 0, or
 * what the kernel would return for the program's own call.
 */
#ifndef WM_RUNTIME_FOLLOWED_H
#define WM_RUNTIME_FOLLOWED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/pool.h"
#include "runtime/hooks.h"
#include "runtime/pages/ranges.h"

/* What was accessed and written since the last epoch in memory that is gone, and
 * what was written while it was asked; arrays of struct wm_page_run in no
 * order. */
struct wm_pages_gone {
	struct wm_buf accessed, written;
};
extern struct wm_pages_gone wm_pages_gone wm_hidden;

/* Some was moved by mremap. */
extern bool wm_followed_moved wm_hidden;
/* wm_followed_end() was called: nothing is followed any more. */
extern bool wm_followed_ended wm_hidden;

/* Static data and the heap that is there already, in place; there is no other
 * thread, and its storage lies in [@storage, @storage_end).  NULL, or why
 * not. */
const char *wm_followed_begin(uint64_t storage, uint64_t storage_end) wm_hidden;

/* [@start, @start + @bytes) was just mapped, private, anonymous, and nobody
 * has touched it. */
int wm_followed_adopt(uint64_t start, uint64_t bytes, int prot,
		      uint8_t kind) wm_hidden;
/* It may be replaced, or given back, at once. */
int wm_followed_leave(uint64_t start, uint64_t bytes) wm_hidden;
/* It was: what it held is gone. */
int wm_followed_left(uint64_t start, uint64_t bytes) wm_hidden;

/* The program's calls, done for it. */
long wm_followed_unmap(uint64_t start, uint64_t bytes) wm_hidden;
long wm_followed_remap(uint64_t old, uint64_t old_bytes, uint64_t bytes,
		       int flags, uint64_t want) wm_hidden;
long wm_followed_advise(uint64_t start, uint64_t bytes, int advice) wm_hidden;
long wm_followed_protect(uint64_t start, uint64_t bytes, int prot) wm_hidden;

/* What comes is locked when it is mapped (MCL_FUTURE): enum wm_pages_lock. */
extern uint8_t wm_followed_future_lock wm_hidden;
/* It is locked, or not any more, which the kernel has heard: enum
 * wm_pages_lock. */
int wm_followed_lock(uint64_t start, uint64_t bytes, uint8_t how) wm_hidden;
/* The same memory in another mapping: the kernel has to lock that. */
void wm_followed_lock_again(uint64_t start, uint64_t end,
			    uint8_t how) wm_hidden;

/* f() for each range that lies in [@start, @end); those across its bounds are
 * cut there.  f() may remove what it gets. */
int wm_followed_each(uint64_t start, uint64_t end,
		     int (*f)(struct wm_page_range *, const void *),
		     const void *arg) wm_hidden;
/* Is any followed there? */
bool wm_followed_has(uint64_t start, uint64_t end) wm_hidden;
/* It is a mapping of the file: watch it, arm it if @r is, and put it on the
 * list; only without memory for the list it fails, and is not followed. */
int wm_followed_enter(struct wm_page_range *r) wm_hidden;
/* Its pages tell of writes from now on; what they would tell is lost. */
int wm_followed_arm(struct wm_page_range *r) wm_hidden;
/* For wm_followed_each(): it gets access, @prot (an int); what is too large is
 * not followed. */
int wm_followed_open(struct wm_page_range *r, const void *prot) wm_hidden;
/* It goes on in the file behind what was chosen for it. */
void wm_followed_grown(const struct wm_page_range *r) wm_hidden;
/* What has happened there belongs to the epoch that is under way; it is about
 * to be gone, or emptied. */
int wm_followed_remember(const struct wm_page_range *r) wm_hidden;
/* Add what has happened there to the lists, and begin anew: @accessed may lack
 * what is in @written, which is completed by what is gone.  NULL: it is asked
 * for writes alone, and what was accessed is told by a later question. */
int wm_followed_ask(struct wm_page_range *r, struct wm_buf *accessed,
		    struct wm_buf *written) wm_hidden;
/* For wm_followed_each(): it is gone, and what it held. */
int wm_followed_drop(struct wm_page_range *r, const void *unused) wm_hidden;
/* For wm_followed_each(): it becomes anonymous memory, by copying; nobody writes
 * to it meanwhile. */
int wm_followed_make_anonymous(struct wm_page_range *r,
			       const void *unused) wm_hidden;
/* All of it becomes private memory, as it would be without us; other threads
 * may be at work on it.  false: the kernel did not allow all of it. */
bool wm_followed_end(void) wm_hidden;

/*
 * For a fork: all of it, cut where protections differ, and what of it holds
 * something, both ascending arrays of struct wm_pages_part.  The rest is zero.
 */
struct wm_pages_part {
	uint64_t start, end;
	int prot; /* of extents: 0 */
};
int wm_followed_list(struct wm_buf *parts, struct wm_buf *extents) wm_hidden;
/* [@start, @end) becomes private, in place; nobody writes to it meanwhile. */
int wm_followed_release(uint64_t start, uint64_t end) wm_hidden;
/* [@start, @start + @bytes) becomes private memory: @anonymous: as
 * wm_followed_make_anonymous(); else others may write to it meanwhile, but it
 * must stay where it is for ever. */
int wm_followed_make(uint64_t start, uint64_t bytes, bool anonymous) wm_hidden;
/* The same is followed again; it can be written. */
int wm_followed_retake(uint64_t start, uint64_t end, uint8_t kind) wm_hidden;

#endif
