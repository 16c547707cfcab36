/* SPDX-License-Identifier: Apache-2.0 */
/* Records annotations of the program as events. */
#include <stdbool.h>
#include <stdint.h>

#include "wm/trace_format.h"

#include "runtime/base/lock.h"
#include "runtime/base/losses.h"
#include "runtime/base/on_stack.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/event/event_hooks.h"
#include "runtime/event/holding.h"
#include "runtime/process/child.h"
#include "runtime/process/start.h"
#include "runtime/trace/names.h"
#include "runtime/trace/writer.h"

static struct wm_lock pausing;

/* Returns the length of a name, cut to whole characters if it is too long. */
static size_t name_length(const char *s, size_t max)
{
	size_t n = 0;

	while (n < max && n <= WM_NAME_BYTES && s[n])
		n++;
	if (n <= WM_NAME_BYTES)
		return n;
	n = WM_NAME_BYTES;
	while (n && (s[n] & 0xc0) == 0x80)
		n--;
	return n;
}

struct fresh {
	const char *s;
	size_t n;
	uint32_t number;
};

static void add_name(void *arg)
{
	struct fresh *f = arg;
	int added;

	f->number = wm_names_add(f->s, f->n, &added);
	/* Names are written at once, because a killed process has the events
	 * with them in the crash buffer. */
	if (added)
		wm_writer_names();
}

/* Returns the number of a name, or 0 if there is no memory for it. */
static uint32_t number_of(const char *s, size_t n)
{
	struct fresh f = { s, n, wm_names_find(s, n) };

	if (!f.number)
		wm_aside(add_name, &f);
	return f.number;
}

/* Returns false where nothing is recorded, such as a child without a trace. */
static bool is_recording(void)
{
	const struct wm_state *st;
	int tracing;

	if (!wm_start_event())
		return false;
	st = wm_state;
	tracing = atomic_load_explicit(&st->tracing, memory_order_relaxed);
	if (tracing == WM_TRACING_NONE) {
		bool begun = false;

		if (wm_child_wanted())
			wm_aside(wm_child_begin_aside, &begun);
		return begun;
	}
	if (tracing != WM_TRACING_ON && tracing != WM_TRACING_STOPPED)
		return false;
	return st->wipes || wm_sys_getpid() == st->pid;
}

/* Stores the number of a name, or 0 if there is no name.  Returns false if
 * nothing is recorded. */
static bool begin_named(const char *name, size_t max, uint32_t *number)
{
	size_t n = name ? name_length(name, max) : 0;

	*number = 0;
	if (!is_recording())
		return false;
	if (!n)
		return true;
	*number = number_of(name, n);
	if (!*number)
		wm_drop(1, "cannot get memory for names");
	return *number != 0;
}

void wm_annotate(unsigned kind, const void *p, const char *name, size_t max)
{
	uint32_t number;

	if (!begin_named(name, max, &number))
		return;
	if (kind == WMT_EV_SNAPSHOT)
		wm_holding_snapshot();
	wm_rec_mark(kind, p, number);
}

/* The name for the thread's next block.  No block has taken it as long as the
 * NEXT with this name is the thread's last event. */
static __thread struct {
	const struct wm_slot *slot;
	uint64_t events;
	uint32_t name; /* 0: none */
} next __attribute__((tls_model(WM_TLS_MODEL)));

static void put_next(uint32_t name)
{
	wm_rec_saying(WMT_SAYING_NEXT, name);
	next.name = name;
	next.slot = wm_self;
	next.events = next.slot ? wm_slot_events(next.slot) : 0;
}

bool wm_annotate_next_hold(bool hold)
{
	if (!next.name || !next.slot || !is_recording())
		return false;
	if (!hold) {
		put_next(next.name);
		return true;
	}
	if (next.slot != wm_self || next.events != wm_slot_events(next.slot))
		return false;
	wm_rec_saying(WMT_SAYING_NEXT, 0);
	return true;
}

void wm_annotate_saying(unsigned saying, const char *name, size_t max)
{
	uint32_t number;

	if (!begin_named(name, max, &number))
		return;
	if (saying == WMT_SAYING_NEXT)
		put_next(number);
	else
		wm_rec_saying(saying, number);
}

void wm_annotate_region(const void *p, size_t bytes, size_t element,
			const char *name, size_t max)
{
	uint64_t start = (uintptr_t)p;
	uint32_t number;

	/* The format has no other regions. */
	if (start < WMT_SAYING_LIMIT || start >= WMT_REGION_LIMIT || !bytes ||
	    bytes > WMT_REGION_LIMIT - start || !name ||
	    !name_length(name, max))
		return;
	if (!begin_named(name, max, &number))
		return;
	wm_rec_saying(WMT_SAYING_REGION_START, start);
	wm_rec_saying(WMT_SAYING_REGION_BYTES, bytes);
	wm_rec_saying(WMT_SAYING_REGION_ELEMENT,
		      element < bytes ? element : bytes);
	wm_rec_saying(WMT_SAYING_REGION, number);
}

void wm_annotate_region_end(const void *p)
{
	if ((uintptr_t)p >= WMT_SAYING_LIMIT && is_recording())
		wm_rec_saying(WMT_SAYING_REGION_END, (uintptr_t)p);
}

static void pause_or_resume(void *arg)
{
	bool on = *(const bool *)arg;
	int paused;

	wm_lock_take(&pausing);
	paused = atomic_load(&wm_slow_reasons) & WM_SLOW_PAUSED;
	if (on && !paused) {
		wm_rec_mark(WMT_EV_PAUSE, NULL, 0);
		atomic_fetch_or(&wm_slow_reasons, WM_SLOW_PAUSED);
	} else if (!on && paused) {
		atomic_fetch_and(&wm_slow_reasons, ~WM_SLOW_PAUSED);
		wm_rec_mark(WMT_EV_RESUME, NULL, 0);
	}
	wm_lock_drop(&pausing);
}

void wm_annotate_pause(bool on)
{
	if (is_recording())
		wm_aside(pause_or_resume, &on);
}
