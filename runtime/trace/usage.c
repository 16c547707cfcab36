/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/usage.h"

#include "wm/trace_format.h"

#include "runtime/base/clock.h"
#include "runtime/base/lock.h"
#include "runtime/base/look_up.h"
#include "runtime/trace/head.h"

#ifndef WM_DYNAMIC
/* Weak, because this function is part of the allocator or missing: a strong
 * reference could pull a second allocator into the program. */
extern size_t malloc_usable_size(void *) __attribute__((weak));
#define wm_usable_size malloc_usable_size
#endif

/* Below zero if blocks are freed that were not counted, such as MPI's own. */
static _Atomic int64_t live;
static _Atomic int64_t high; /* of the curve's present bin, or of all time */
static _Atomic int64_t peak; /* of the bins before it */
static _Atomic uint64_t total;

/* Only with WM_SUMMARY. */
static struct wm_curve curve;
static struct wm_lock curve_lock;
_Atomic uint64_t wm_usage_until = UINT64_MAX;

/* Bytes of the block that this thread passes to realloc: it may live on. */
static __thread size_t old_size __attribute__((tls_model(WM_TLS_MODEL)));

#define IS(kind) (1u << WMT_EV_##kind)
static const uint32_t heap_alloc = IS(MALLOC) | IS(CALLOC) | IS(REALLOC_IN) |
				   IS(REALLOC_NEW) | IS(ALIGNED) | IS(NEW);
static const uint32_t heap_release = IS(FREE) | IS(REALLOC_OUT) | IS(DELETE);

static void raise_to(_Atomic int64_t *to, int64_t n)
{
	int64_t old = atomic_load(to);

	while (n > old && !atomic_compare_exchange_weak(to, &old, n))
		;
}

static void add_live(size_t n)
{
	raise_to(&high, atomic_fetch_add(&live, (int64_t)n) + (int64_t)n);
}

void wm_usage_alloc(unsigned kind, const void *p)
{
	size_t n;

	if (!(heap_alloc >> kind & 1) || !wm_usable_size)
		return;
	if (p) {
		n = wm_usable_size((void *)(uintptr_t)p);
		add_live(n);
		atomic_fetch_add(&total, n);
	} else if (kind == WMT_EV_REALLOC_IN) {
		add_live(old_size);
	}
}

void wm_usage_release(unsigned kind, const void *p)
{
	if (!(heap_release >> kind & 1) || !wm_usable_size)
		return;
	/* before the real call, after which the block is not ours */
	old_size = wm_usable_size((void *)(uintptr_t)p);
	atomic_fetch_sub(&live, (int64_t)old_size);
}

static uint64_t not_below_0(int64_t n)
{
	return n > 0 ? (uint64_t)n : 0;
}

static void go_on(uint64_t ticks)
{
	int64_t now = atomic_load(&live), most;

	raise_to(&peak, atomic_load(&high)); /* for a reader meanwhile */
	most = atomic_exchange(&high, now);
	raise_to(&peak, most);
	/* @most includes the bytes that another thread has added since `live`
	 * was read, and these may still be live. */
	raise_to(&high, atomic_load(&live));
	atomic_store(&wm_usage_until,
		     wm_curve_until(&curve, ticks, not_below_0(most),
				    not_below_0(now)));
}

void wm_usage_next_bin(void *ticks)
{
	uint64_t now = *(const uint64_t *)ticks;

	wm_lock_take(&curve_lock);
	if (now >= atomic_load(&wm_usage_until))
		go_on(now);
	wm_lock_drop(&curve_lock);
}

static uint64_t usable_peak(void)
{
	int64_t p = atomic_load(&peak), h = atomic_load(&high);

	return not_below_0(h > p ? h : p);
}

bool wm_usage_now(struct wm_heap_now *u)
{
	if (!wm_usable_size)
		return false;
	wm_lock_take(&curve_lock);
	go_on(wm_clock_ticks());
	u->curve = curve;
	wm_lock_drop(&curve_lock);
	u->peak = usable_peak();
	u->live = u->curve.bin[u->curve.count - 1].end;
	return true;
}

void wm_usage_put_usable(struct wm_buf *head)
{
	if (!wm_usable_size)
		return;
	wm_head_uint(head, WMT_F_USABLE_LIVE, not_below_0(atomic_load(&live)));
	wm_head_uint(head, WMT_F_USABLE_PEAK, usable_peak());
	wm_head_uint(head, WMT_F_USABLE_TOTAL, atomic_load(&total));
}
