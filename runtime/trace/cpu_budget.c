/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/cpu_budget.h"

#include <time.h>

#include "runtime/base/clock.h"

#define MOST_NS 1000000000 /* the most that is saved up */
#define WORTH_NUM 85 /* highest packed size that is worth it, in per cent */
#define MOST_SKIPPED 64

void wm_budget_fill(struct wm_budget *p)
{
	uint64_t now = wm_clock_ns(CLOCK_MONOTONIC);

	if (p->filled)
		p->left += (int64_t)((now - p->filled) / p->share);
	if (p->left > MOST_NS)
		p->left = MOST_NS;
	p->filled = now;
}

bool wm_budget_affords(const struct wm_budget *p, const struct wm_packing *k,
		       size_t n)
{
	return p->left > 0 &&
	       (uint64_t)p->left >= k->ns_per_kib * (n / 1024 + 1);
}

bool wm_packing_skips(struct wm_packing *k)
{
	if (!k->skip)
		return false;
	k->skip--;
	return true;
}

void wm_budget_spend(struct wm_budget *p, struct wm_packing *k, size_t n,
		     size_t or_else, size_t packed, uint64_t since)
{
	uint64_t ns = wm_clock_ns(CLOCK_MONOTONIC) - since;
	uint64_t cost = ns / (n / 1024 + 1);

	p->left -= (int64_t)ns;
	k->ns_per_kib = k->ns_per_kib ? (3 * k->ns_per_kib + cost) / 4 : cost;
	if (packed * 100 <= or_else * WORTH_NUM) {
		k->backoff = 0;
		return;
	}
	k->backoff = k->backoff ? k->backoff * 2 : 2;
	if (k->backoff > MOST_SKIPPED)
		k->backoff = MOST_SKIPPED;
	k->skip = k->backoff;
}
