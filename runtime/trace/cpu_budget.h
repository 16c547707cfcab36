/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A CPU budget: a share of the elapsed time that may be spent on packing
 * (decisions.md, Trace: only what a model does not predict).  If a column does
 * not get smaller by packing, packing is tried less and less often.
 *
 * The caller holds the writer lock.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

struct wm_budget {
	int64_t left; /* ns */
	uint64_t filled; /* time of the last filling; 0: never */
	unsigned share; /* of the elapsed time: one part in this number */
};
/* The budget at the start in ns: short programs pack all their few blocks. */
#define WM_BUDGET_START 20000000

/* The results of earlier packing of one kind of data. */
struct wm_packing {
	uint64_t ns_per_kib; /* measured cost */
	unsigned skip, backoff; /* tries to leave out: now; after a vain one */
};

/* Adds its share of the time since the last call to the budget. */
void wm_budget_fill(struct wm_budget *p) wm_hidden;
/* Returns whether there is time to pack @n bytes. */
bool wm_budget_affords(const struct wm_budget *p, const struct wm_packing *k,
		       size_t n) wm_hidden;
/* Returns whether packing is left out this time. */
bool wm_packing_skips(struct wm_packing *k) wm_hidden;
/* Notes that packing has taken the time since @since, and has turned @n bytes
 * into @packed bytes; without it they would take @or_else bytes. */
void wm_budget_spend(struct wm_budget *p, struct wm_packing *k, size_t n,
		     size_t or_else, size_t packed, uint64_t since) wm_hidden;
