/* SPDX-License-Identifier: Apache-2.0 */
/* Begins a stream at the first load or store of a thread in objects with hooks
 * (runtime/access), and keeps the program's wishes about recording. */
#include "runtime/base/depth.h"
#include "runtime/base/on_stack.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/event/event_hooks.h"
#include "runtime/event/slot.h"
#include "runtime/pages/filter.h"
#include "runtime/pages/page_mode.h"
#include "runtime/process/start.h"
#include "runtime/trace/accesses.h"
#include "runtime/trace/bursts.h"
#include "runtime/trace/writer.h"

/* The program's wish for this thread.  It is valid until the program's next
 * wish for all threads, which changes the count in wm_access_wish. */
static __thread uint32_t own_wish __attribute__((tls_model(WM_TLS_MODEL)));

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

static void switch_stream(struct wm_slot *slot, bool on)
{
	uint32_t from = on ? WM_ACCESS_TO_STOP : WM_ACCESS_ON;
	struct wm_access_stream *s = slot ? slot->accesses : NULL;

	/* Between bursts a stream has to stop; it asks in the next burst. */
	if (!s || (on && wm_bursts_rest()))
		return;
	atomic_compare_exchange_strong(&s->on, &from,
				       on ? WM_ACCESS_ON : WM_ACCESS_TO_STOP);
	/* The calling thread's next access becomes a miss, which checks. */
	if (wm_access_self == (uintptr_t)s + 1)
		wm_access_event(s);
	else if (!on)
		wm_access_reach(s);
}

/* Called before the streams change: a thread that begins a stream meanwhile
 * sees the new count and checks again. */
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

static void switch_streams(bool on)
{
	for (struct wm_slot *s = atomic_load(&wm_state->slots); s; s = s->next)
		switch_stream(s, on);
}

void wm_access_rank_known(void)
{
	if (!wm_options.access_ranks[0])
		return;
	/* Threads that are not recorded ask again. */
	atomic_fetch_add(&wm_access_wish, WM_ACCESS_WISH_COUNT);
	if (is_left_out())
		switch_streams(false);
}

/* Takes no lock, because a handler may call it. */
void wm_annotate_accesses(bool on, bool all)
{
	if (all) {
		wish_of_all(on);
		if (wm_state)
			switch_streams(on);
		return;
	}
	own_wish = ((uint32_t)atomic_load(&wm_access_wish) &
		    ~(WM_ACCESS_WISH_COUNT - 1)) +
		   WM_ACCESS_WISH_SAID + on;
	switch_stream(wm_self, on);
	wm_access_asked = WM_ACCESS_ASK;
}

/* The thread records nothing until the next wish, or until a fork. */
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

/* The first access is counted as lost, and represents all accesses of the
 * thread, unless the trace has ended or was never wanted. */
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

static void begin_filter(struct wm_slot *slot)
{
	struct wm_page_filter *f;

	/* The thread that ends an epoch has other descriptors. */
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
		/* The stream was stopped, or a handler has just begun it, or it
		 * was written out because the process ends. */
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

	/* first: a handler may change the wish meanwhile */
	wm_access_asked = atomic_load(&wm_access_wish);
	atomic_signal_fence(memory_order_seq_cst);
	/* libc is not ready yet */
	if (depth == WM_DEPTH_EARLY)
		return lose();
	if (!wm_state && !wm_start())
		return wm_start_is_done() ? never() : lose();
	/* Pages are recorded only in the process that has the clock. */
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
