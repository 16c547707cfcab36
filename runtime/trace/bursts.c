/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/bursts.h"

#include <stdatomic.h>
#include <time.h>

#include "runtime/base/clock.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"

static _Atomic int owner; /* pid of the process with bursts, or 0 */
static uint64_t start;
/* The time within bursts.  During a burst, the time when this burst began is
 * subtracted and the lowest bit is set, so that readers load only one word. */
static _Atomic uint64_t balance;

bool wm_bursts_on(void)
{
	return atomic_load(&balance) & 1;
}

static uint64_t recorded_at(uint64_t t)
{
	uint64_t b = atomic_load(&balance);

	return b & 1 ? t + (b & ~UINT64_C(1)) : b;
}

void wm_bursts_begin(void)
{
	start = wm_clock_ns(CLOCK_MONOTONIC);
	atomic_store(&balance, (0 - start) | 1);
	atomic_store(&owner, wm_sys_getpid());
}

void wm_bursts_change(bool to_burst, uint64_t t)
{
	uint64_t recorded = recorded_at(t);

	atomic_store(&balance,
		     to_burst ? (recorded - t) | 1 : recorded & ~UINT64_C(1));
}

uint64_t wm_bursts_into(uint64_t t)
{
	return (t - start) % wm_options.access_every_ns;
}

bool wm_bursts_rest(void)
{
	return atomic_load(&owner) && !wm_bursts_on() &&
	       atomic_load(&owner) == wm_sys_getpid();
}

bool wm_bursts_end(void)
{
	return atomic_exchange(&owner, 0) != 0;
}

bool wm_bursts_told(uint64_t *recorded, uint64_t *elapsed)
{
	uint64_t t;

	if (!atomic_load(&owner))
		return false;
	t = wm_clock_ns(CLOCK_MONOTONIC);
	*elapsed = t - start;
	*recorded = recorded_at(t);
	if (*recorded > *elapsed)
		*recorded = *elapsed;
	return true;
}
