/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first load or store of a thread whose objects have hooks (runtime/access),
 * and which of them the program wants recorded.
 */
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/event/hooked_functions.h"
#include "runtime/event/slot.h"
#include "runtime/pages/filter.h"
#include "runtime/pages/pages.h"
#include "runtime/process/early.h"
#include "runtime/process/start.h"
#include "runtime/trace/accesses.h"
#include "runtime/trace/bursts.h"
#include "runtime/trace/writer.h"

/* What the program has said of this thread alone; it holds until it speaks of
 * all (the counts differ then). */
static __thread uint32_t own_wish __attribute__((tls_model(WM_TLS_MODEL)));

/* By WM_ACCESS_RANKS, whatever the program wants. */
static bool is_left_out(void)
{
	return wm_options.access_ranks[0] &&
	       !wm_rank_list_has(wm_options.access_ranks,
				 (uint64_t)wm_identity.rank);
}

static bool is_wanted(void)
{
	uint32_t wish = (uint32_t)atomic_load(&wm_access_wish);

	if (is_left_out() || wm_bursts_rest())
		return false;
	if ((own_wish & WM_ACCESS_WISH_SAID) &&
	    own_wish / WM_ACCESS_WISH_COUNT == wish / WM_ACCESS_WISH_COUNT)
		wish = own_wish;
	return wish & WM_ACCESS_WISH_SAID ? wish & WM_ACCESS_WISH_ON :
					    !wm_options.no_accesses;
}

/* @slot's stream is to go on, or to stop. */
static void tell_stream(struct wm_slot *slot, bool on)
{
	uint32_t from = on ? WM_ACCESS_TO_STOP : WM_ACCESS_ON;
	struct wm_access_stream *s = slot ? slot->accesses : NULL;

	/* between bursts it is to stop, and asks in the next one */
	if (!s || (on && wm_bursts_rest()))
		return;
	atomic_compare_exchange_strong(&s->on, &from,
				       on ? WM_ACCESS_ON : WM_ACCESS_TO_STOP);
	/* the calling thread's: the next access is a miss, and looks */
	if (wm_access_self == (uintptr_t)s + 1)
		wm_access_event(s);
	else if (!on)
		wm_access_reach(s);
}

/* Before the streams are told: who begins one meanwhile looks again. */
static void wish_of_all(bool on)
{
	uint64_t old = atomic_load(&wm_access_wish), wish;
	uint32_t count;

	do {
		count = (uint32_t)old / WM_ACCESS_WISH_COUNT + 1;
		wish = (old & ~(WM_ACCESS_WISH_BURST - 1)) +
		       (uint32_t)(count * WM_ACCESS_WISH_COUNT) +
		       WM_ACCESS_WISH_SAID + on;
	} while (!atomic_compare_exchange_weak(&wm_access_wish, &old, wish));
}

static void tell_streams(bool on)
{
	for (struct wm_slot *s = atomic_load(&wm_state->slots); s; s = s->next)
		tell_stream(s, on);
}

void wm_access_rank_known(void)
{
	if (!wm_options.access_ranks[0])
		return;
	/* who is not recorded asks again */
	atomic_fetch_add(&wm_access_wish, WM_ACCESS_WISH_COUNT);
	if (is_left_out())
		tell_streams(false);
}

/* No lock: a handler may call. */
void wm_annotate_accesses(bool on, bool all)
{
	if (all) {
		wish_of_all(on);
		if (wm_state)
			tell_streams(on);
		return;
	}
	own_wish = ((uint32_t)atomic_load(&wm_access_wish) &
		    ~(WM_ACCESS_WISH_COUNT - 1)) +
		   WM_ACCESS_WISH_SAID + on;
	tell_stream(wm_self, on);
	wm_access_asked = WM_ACCESS_ASK;
}

/* Not until something is said; the child of a fork asks again. */
static struct wm_access_stream *never(void)
{
	wm_access_self = (uintptr_t)&wm_access_none + 1;
	return NULL;
}

static struct wm_access_stream *lose(void)
{
	wm_access_lose();
	return NULL;
}

/* There was one, or is: the thread's first access stands for all. */
static struct wm_access_stream *without_trace(void)
{
	int tracing = atomic_load(&wm_state->tracing);

	if (tracing == WM_TRACING_ON || tracing == WM_TRACING_STOPPED ||
	    tracing == WM_TRACING_CAPPED)
		wm_access_lose();
	return never();
}

struct begin_call {
	struct wm_access_stream *s;
	bool later, ended;
};

/* wm_access_self says whether there is one. */
static void begin_filter(struct wm_slot *slot)
{
	struct wm_page_filter *f;

	/* who ends an epoch has other descriptors */
	wm_writer_open();
	f = wm_filter_begin(slot);
	if (!f)
		return;
	wm_pages_start_clock();
	wm_access_self = (uintptr_t)f + WM_FILTER_TAG;
}

static void begin(void *arg)
{
	struct begin_call *c = arg;
	struct wm_slot *slot = wm_self;

	c->later = !wm_hooked_functions_read();
	if (c->later)
		return;
	if (slot && slot->base && slot->accesses &&
	    slot->accesses->slot == slot &&
	    slot->accesses->thread == slot->thread) {
		/* stopped; or a handler has begun it just now; or it was
		 * written out, because the process ends */
		if (atomic_load(&slot->accesses->on))
			c->s = slot->accesses;
		else
			c->ended = true;
		return;
	}
	if (!slot || !slot->base)
		slot = wm_slot_room();
	if (wm_options.access_pages_ns) {
		if (slot)
			begin_filter(slot);
		/* last: the process may end meanwhile */
		c->ended = wm_filters_are_over();
		return;
	}
	wm_pages_start_clock();
	c->s = slot ? wm_access_stream_begin(slot, WM_ACCESS_ON) : NULL;
}

struct wm_access_stream *wm_access_begin(void)
{
	struct begin_call c = { NULL, false, false };
	uintptr_t depth = wm_depth;

	/* first: a handler may say something meanwhile */
	wm_access_asked = atomic_load(&wm_access_wish);
	atomic_signal_fence(memory_order_seq_cst);
	/* libc is not there yet */
	if (depth == WM_DEPTH_EARLY)
		return lose();
	if (!wm_state && !wm_start())
		return wm_start_is_done() ? never() : lose();
	/* pages are of the process that has the clock */
	if (!is_wanted() || (wm_options.access_pages_ns &&
			     (wm_forked(wm_state) || wm_identity.parent)))
		return never();
	if (!wm_forked(wm_state) &&
	    atomic_load(&wm_state->tracing) != WM_TRACING_ON)
		return without_trace();
	/* a vfork child, which shares our memory */
	if (!wm_forked(wm_state) && wm_sys_getpid() != wm_state->pid)
		return NULL;
	if (!depth)
		wm_depth = (uintptr_t)wm_frame();
	wm_aside(begin, &c);
	wm_depth = depth;
	if (c.later)
		return lose();
	if (c.ended && !wm_access_self)
		return never();
	return c.s || wm_access_self ? c.s : without_trace();
}
