/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A purse of time: of the time that passes a share may be spent on packing
 * (decisions.md, Trace: only what a model does not predict).  What does not get
 * smaller is tried less and less often.
 *
 * Under the writer lock.
 */
#ifndef WM_RUNTIME_PURSE_H
#define WM_RUNTIME_PURSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/hooks.h"

struct wm_purse {
	int64_t left; /* ns */
	uint64_t filled; /* when; 0: never */
	unsigned share; /* one part in so many */
};
/* Short programs pack all of their few blocks. */
#define WM_PURSE_START 20000000

/* What was learned of something that is packed again and again. */
struct wm_packing {
	uint64_t ns_per_kib; /* measured cost */
	unsigned skip, backoff; /* times to leave it out before trying again */
};

/* Time has passed. */
void wm_purse_fill(struct wm_purse *p) wm_hidden;
/* Is there time for @n bytes? */
bool wm_purse_affords(const struct wm_purse *p, const struct wm_packing *k,
		      size_t n) wm_hidden;
/* Is it to be left out this time? */
bool wm_packing_skips(struct wm_packing *k) wm_hidden;
/* It took from @since on, and made @packed bytes of @n, which would be @or_else
 * bytes without it. */
void wm_purse_spend(struct wm_purse *p, struct wm_packing *k, size_t n,
		    size_t or_else, size_t packed, uint64_t since) wm_hidden;

#endif
