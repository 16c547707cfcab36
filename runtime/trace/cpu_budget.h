/* SPDX-License-Identifier: Apache-2.0 */
/* A CPU budget: a share of the elapsed time for packing.  A column that does
 * not get smaller is packed seldom.  The caller holds the writer lock. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

struct wm_budget {
	int64_t left; /* ns */
	uint64_t filled; /* time of the last filling; 0: never */
	unsigned share; /* one part in this number of the elapsed time */
};
/* The budget at the start in ns: short programs pack all their few blocks. */
#define WM_BUDGET_START 20000000

/* The results of earlier packing of one kind of data. */
struct wm_packing {
	uint64_t ns_per_kib;
	unsigned skip, backoff; /* tries to leave out: now; after a failure */
};

void wm_budget_fill(struct wm_budget *p) wm_hidden;
bool wm_budget_affords(const struct wm_budget *p, const struct wm_packing *k,
		       size_t n) wm_hidden;
bool wm_packing_skips(struct wm_packing *k) wm_hidden;
/* Notes that packing has taken the time since @since, and has turned @n bytes
 * into @packed bytes; without it they would take @or_else bytes. */
void wm_budget_spend(struct wm_budget *p, struct wm_packing *k, size_t n,
		     size_t or_else, size_t packed, uint64_t since) wm_hidden;
