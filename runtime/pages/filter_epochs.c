/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/pages/filter_epochs.h"

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "wm/trace_format.h"

#include "runtime/base/clock.h"
#include "runtime/base/losses.h"
#include "runtime/base/pool.h"
#include "runtime/base/state.h"
#include "runtime/pages/maps.h"
#include "runtime/pages/pace.h"
#include "runtime/pages/runs.h"
#include "runtime/trace/accesses.h"
#include "runtime/trace/writer.h"

#define MS UINT64_C(1000000)

static struct {
	bool runs;
	uint64_t interval, next; /* ns of CPU time */
	uint64_t mono, cpu; /* at the end of the epoch before */
	uint64_t count;
	struct wm_pace pace;
} now;

static struct wm_buf notes;
static struct wm_pages_block block;
static struct wm_buf covered, maps;

/* All CPU time but this thread's. */
static uint64_t program_cpu(void)
{
	uint64_t own = wm_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	uint64_t all = wm_clock_ns(CLOCK_PROCESS_CPUTIME_ID);

	return all > own ? all - own : 0;
}

void wm_filter_epochs_begin(uint64_t interval)
{
	now.interval = interval;
	now.mono = wm_state->start_mono;
	now.next = program_cpu() + interval;
	wm_pace_begin(&now.pace, now.next - interval);
	now.runs = true;
}

static bool add_notes(const struct wm_note_table *t)
{
	struct wm_page_note *to;

	if (wm_buf_reserve(&notes, t->count * sizeof(*to)))
		return false;
	to = (void *)(notes.p + notes.len);
	for (size_t i = 0; i < t->room; i++)
		if (t->note[i].addr)
			*to++ = t->note[i];
	notes.len = (size_t)((uint8_t *)to - notes.p);
	return true;
}

/* At least @n accesses are lost. */
static void lose(uint64_t n)
{
	atomic_fetch_add(&wm_state->accesses_lost, n);
	wm_access_lost_tell();
}

static void gather(bool last)
{
	struct wm_page_filter *f = atomic_load(&wm_filters);
	struct wm_note_table taken;

	notes.len = 0;
	for (; f; f = f->next) {
		if (!wm_filter_take(f, &taken)) {
			/* The next epoch takes these notes. */
			if (last)
				lose(f->notes.count);
			continue;
		}
		if (!taken.room)
			continue;
		if (!add_notes(&taken))
			lose(taken.count);
		wm_filter_give_back(f, &taken);
	}
}

/* @before is the mapping that ends where @m begins, or NULL. */
static int covered_kind(const struct wm_map *m, const struct wm_map *before)
{
	/* This is the part of a file's static memory that is not in the
	 * file. */
	if (m->name == WM_MAP_NAMELESS && before &&
	    before->name == WM_MAP_FILE && (before->prot & PROT_WRITE))
		return WMT_COVERED_STATIC;
	switch (m->name) {
	case WM_MAP_BREAK:
		return WMT_COVERED_BREAK;
	case WM_MAP_STACK:
		return WMT_COVERED_STACK;
	case WM_MAP_FILE:
		return m->shared ? WMT_COVERED_MAPPING : WMT_COVERED_STATIC;
	default:
		return WMT_COVERED_MAPPING;
	}
}

struct listing {
	struct wm_buf list; /* gap, pages, kind */
	uint64_t ranges, pages, at; /* at: the end of the last range */
};

static int add_range(struct listing *l, uint64_t start, uint64_t end, int what)
{
	uint64_t pages = (end - start) / WM_PAGE;

	if (!pages)
		return 0;
	if (wm_put_number(&l->list, (start - l->at) / WM_PAGE) ||
	    wm_put_number(&l->list, pages) ||
	    wm_put_number(&l->list, (uint64_t)what))
		return -1;
	l->at = end;
	l->ranges++;
	l->pages += pages;
	return 0;
}

/* Leaves out memory of the runtime, which the kernel may have joined to @m. */
static int add_map(struct listing *l, const struct wm_map *m,
		   const struct wm_map *before)
{
	uint64_t at = m->start, start, end;

	if (!m->prot || m->name == WM_MAP_KERNEL)
		return 0;
	while (at < m->end) {
		if (!wm_pool_region_from(at, &start, &end) || start >= m->end)
			start = end = m->end;
		if (start > at &&
		    add_range(l, at, start, covered_kind(m, before)))
			return -1;
		at = end;
	}
	return 0;
}

static uint64_t put_covered(void)
{
	static struct listing l;
	const struct wm_map *m;
	size_t n = 0;

	l.list.len = 0;
	l.ranges = l.pages = l.at = 0;
	if (wm_maps_read(&maps))
		return 0;
	m = (const void *)maps.p;
	for (; n < maps.len / sizeof(*m); n++)
		if (add_map(&l, &m[n],
			    n && m[n - 1].end == m[n].start ? &m[n - 1] : NULL))
			return 0;
	block.covered.len = 0;
	if (wm_put_number(&block.covered, l.ranges) ||
	    wm_buf_add(&block.covered, l.list.p, l.list.len)) {
		block.covered.len = 0;
		return 0;
	}
	/* An unchanged list is not written again. */
	if (block.covered.len == covered.len &&
	    !memcmp(block.covered.p, covered.p, covered.len))
		block.covered.len = 0;
	return l.pages;
}

static void keep_covered(void)
{
	struct wm_buf swap = covered;

	if (!block.covered.len)
		return;
	covered = block.covered;
	block.covered = swap;
}

static void put_not_covered(void)
{
	block.not_covered.len = 0;
	if (wm_put_number(&block.not_covered, 1) ||
	    wm_put_number(&block.not_covered, WMT_NOT_COVERED_RUNTIME) ||
	    wm_put_number(&block.not_covered, wm_pool_high()))
		block.not_covered.len = 0;
}

static int put_numbers(const struct wm_filter_counts *c, uint64_t mono,
		       uint64_t cpu, uint64_t from)
{
	uint64_t all, of_files;
	uint64_t v[WMT_EPOCH_NUMBERS] = {
		[WMT_EPOCH_TIME] = mono - now.mono,
		[WMT_EPOCH_CPU] = cpu - now.cpu,
		[WMT_EPOCH_ACCESSED] = c->accessed,
		[WMT_EPOCH_WRITTEN] = c->written,
		[WMT_EPOCH_FLAGS] = WMT_EPOCH_HOOKED,
	};

	wm_maps_resident(&all, &of_files);
	v[WMT_EPOCH_RESIDENT] = all;
	v[WMT_EPOCH_COVERED] = put_covered();
	v[WMT_EPOCH_SCAN] = wm_clock_ns(CLOCK_THREAD_CPUTIME_ID) - from;
	for (size_t i = 0; i < WMT_EPOCH_NUMBERS; i++)
		if (wm_put_number(&block.numbers, v[i]))
			return -1;
	return 0;
}

/* Each epoch is written at once, so a killed process loses only its last
 * one. */
static void end_epoch(bool last, const char *why)
{
	uint64_t mono = wm_clock_ns(CLOCK_MONOTONIC), cpu = program_cpu();
	uint64_t from = wm_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	struct wm_filter_counts counts;
	size_t n;

	gather(last);
	n = notes.len / sizeof(struct wm_page_note);
	block.first = now.count++;
	block.epochs = 1;
	block.interval = now.interval;
	block.end = why;
	block.covered.len = block.not_covered.len = 0;
	block.numbers.len = block.accessed.len = block.written.len = 0;
	block.who.len = block.spots.len = block.samples.len = 0;
	if (wm_filter_columns(&block, (const void *)notes.p, n, &counts) ||
	    put_numbers(&counts, mono, cpu, from)) {
		lose(n);
		wm_drop(0, "there was no memory for an epoch of pages");
	} else {
		if (last || !block.first)
			put_not_covered();
		if (wm_writer_pages(&block))
			lose(n);
		else
			keep_covered();
	}
	now.mono = mono;
	now.cpu = cpu;
	now.next = program_cpu() + now.interval;
}

uint64_t wm_filter_epochs_pause(void)
{
	uint64_t cpu;

	if (!now.runs)
		return 3600000 * MS;
	cpu = program_cpu();
	if (cpu >= now.next) {
		end_epoch(false, NULL);
		cpu = program_cpu();
	}
	return cpu < now.next ? wm_pace_sleep(&now.pace, cpu, now.next) : MS;
}

void wm_filter_epochs_end(const char *why)
{
	if (!now.runs)
		return;
	now.runs = false;
	wm_filters_end(!why);
	end_epoch(true, why);
}
