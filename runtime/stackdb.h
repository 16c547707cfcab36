/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dictionary of call paths: each distinct one gets a number.
 *
 * Looking up a known path takes no lock.  The dictionary is bounded; when it
 * is full the writer sends what is pending, resets it, and a new generation
 * of numbers begins.  Number 0 of every generation is the empty path: it
 * stands for a path that could not be kept.
 */
#ifndef WM_RUNTIME_STACKDB_H
#define WM_RUNTIME_STACKDB_H

#include <stddef.h>
#include <stdint.h>

#include "runtime/hooks.h"

struct wm_path {
	struct wm_path *next; /* in order of numbers */
	uint32_t number, depth;
	uint64_t frames[]; /* return addresses, outermost first */
};

#define WM_STACKDB_FULL UINT32_MAX
#define WM_STACKDB_NONE (UINT32_MAX - 1) /* no memory for a dictionary */

/*
 * The number of the path in *@generation; WM_STACKDB_FULL when a new
 * generation has to begin first; WM_STACKDB_NONE.  @hash: wm_path_hash_step() over the frames.
 * Any thread.
 */
uint32_t wm_stackdb_number(const uint64_t *frames, size_t depth, uint64_t hash,
			   uint32_t *generation) wm_hidden;

/* For the holder of the writer lock: the first path that has not been sent
 * yet (NULL: none) and the @last one of this moment; and to say that all up to
 * one have been sent. */
const struct wm_path *wm_stackdb_unsent(const struct wm_path **last) wm_hidden;
void wm_stackdb_sent(const struct wm_path *last) wm_hidden;
uint32_t wm_stackdb_generation(void) wm_hidden;
/* Forget everything and begin a new generation, unless paths have come in
 * after @last (then 0); under the writer lock. */
int wm_stackdb_reset(const struct wm_path *last) wm_hidden;

#endif
