/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the program says of itself becomes events: phases, names of blocks,
 * snapshots, pauses.
 */
#include <stdbool.h>
#include <stdint.h>

#include "wm/trace_format.h"

#include "runtime/base/lock.h"
#include "runtime/base/losses.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/hooks.h"
#include "runtime/process/child.h"
#include "runtime/process/start.h"
#include "runtime/trace/names.h"
#include "runtime/trace/writer.h"

static struct wm_lock pausing; /* who pauses or resumes */

/* Bytes of the name, cut off between characters where it is too long. */
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

/* A name that is not known. */
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
	/* names survive a kill, whoever keeps the events that use them */
	if (added)
		wm_writer_names();
}

/* Find or add; 0: no memory. */
static uint32_t number_of(const char *s, size_t n)
{
	struct fresh f = { s, n, wm_names_find(s, n) };

	if (!f.number)
		wm_aside(add_name, &f);
	return f.number;
}

static void begin_child(void *begun)
{
	*(bool *)begun = wm_child_begin();
}

/* Not in a child, nor where nobody wants to know. */
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
			wm_aside(begin_child, &begun);
		return begun;
	}
	if (tracing != WM_TRACING_ON && tracing != WM_TRACING_STOPPED)
		return false;
	return st->wipes || wm_sys_getpid() == st->pid;
}

void wm_annotate(unsigned kind, const void *p, const char *name, size_t max)
{
	size_t n = name ? name_length(name, max) : 0;
	uint32_t number = 0;

	if (!is_recording())
		return;
	if (n) {
		number = number_of(name, n);
		if (!number) {
			wm_drop(1, "cannot get memory for names");
			return;
		}
	}
	wm_rec_mark(kind, p, number);
}

/* What is left out lies between the two events. */
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
