/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/pages/epochs.h"

#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "wm/trace_format.h"
#include "wm/varint.h"
#include "wm/window_format.h"

#include "runtime/base/clock.h"
#include "runtime/base/losses.h"
#include "runtime/base/pool.h"
#include "runtime/base/state.h"
#include "runtime/pages/backing.h"
#include "runtime/pages/cost.h"
#include "runtime/pages/maps.h"
#include "runtime/pages/followed.h"
#include "runtime/pages/pace.h"
#include "runtime/pages/page_ranges.h"
#include "runtime/pages/runs.h"
#include "runtime/pages/scan.h"
#include "runtime/pages/written.h"
#include "runtime/trace/blocks.h"
#include "runtime/trace/crash_buffer.h"
#include "runtime/trace/writer.h"

#define MS UINT64_C(1000000)

/* the shortest epoch of `auto` */
#define SHORTEST (20 * MS)

/* Limits at which kept epochs are written to the trace. */
#define KEPT_EPOCHS 64
#define KEPT_BYTES (64u << 10)
#define KEPT_NS (5000 * MS)
/* Without a trace, more bytes than this are dropped. */
#define KEPT_MOST (1u << 20)

static struct {
	bool runs;
	bool is_auto;
	bool written_alone; /* memory is not followed (written.h) */
	unsigned reads; /* reads are found in every Nth epoch */
	unsigned since_reads; /* epochs since then, this one included */
	bool is_last; /* no epoch follows this one */
	uint64_t interval; /* ns of CPU time */
	uint64_t next; /* CPU time at which the epoch ends */
	uint64_t last; /* the same of the epoch before */
	uint64_t mono, cpu; /* ns at the end of the epoch before; cpu: without
			     * the service thread */
	uint64_t program; /* the program's CPU time without that of watching */
	uint64_t all, faults; /* of all threads but the service; of faults */
	struct wm_pace pace;
	uint64_t kept_since; /* CLOCK_MONOTONIC */
	uint64_t written_before; /* pages, in the epoch before */
	uint64_t count; /* epochs so far */
} now;

static struct wm_buf accessed, written, before, sum;
static struct wm_pages_block kept;

/* Returns the program's CPU time, without this thread's and without that of
 * faults of watching.  The latter is an estimate, so at least one part in
 * PROGRAM_PARTS counts; otherwise an epoch might not end. */
#define PROGRAM_PARTS 16
static uint64_t program_cpu(void)
{
	uint64_t own = wm_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	uint64_t all = wm_clock_ns(CLOCK_PROCESS_CPUTIME_ID) - own;
	uint64_t faults = wm_cost_faults(&kept.faults);
	uint64_t more = all > now.all ? all - now.all : 0;
	uint64_t less = faults - now.faults;

	if (less > more - more / PROGRAM_PARTS)
		less = more - more / PROGRAM_PARTS;
	now.program += more - less;
	now.all += more;
	now.faults = kept.faults_ns = faults;
	kept.thread_ns = own;
	return now.program;
}

/* Whether reads are found at the end of this epoch.  Until then pages stay in
 * the page table, and a page that is written in each epoch takes one fault in
 * each. */
static bool asks_for_reads(void)
{
	return !now.written_alone &&
	       (now.is_last || now.since_reads >= now.reads);
}

static int gather(void)
{
	struct wm_buf *read = asks_for_reads() ? &accessed : NULL;
	int e = 0;

	accessed.len = written.len = 0;
	if (now.written_alone)
		return wm_written_gather(&written);
	for (size_t i = 0; i < wm_ranges_count() && e == 0; i++)
		e = wm_followed_ask(wm_ranges_at(i), read, &written);
	/* New ranges may now be equal to their neighbours. */
	wm_ranges_join();
	return e;
}

void wm_epochs_begin(uint64_t interval, unsigned reads, bool written_alone)
{
	now.reads = reads;
	now.since_reads = 1;
	now.written_alone = written_alone;
	if (written_alone && gather() == 0)
		now.written_before = wm_runs_pages(&written);
	wm_cost_measure(!written_alone);
	now.is_auto = interval == 0;
	now.interval = interval ? interval : SHORTEST;
	now.mono = wm_state->start_mono;
	now.kept_since = wm_clock_ns(CLOCK_MONOTONIC);
	now.last = program_cpu();
	wm_pace_begin(&now.pace, now.last);
	now.next = now.last + now.interval;
	kept.interval = interval;
	now.runs = true;
}

static void swap_bufs(struct wm_buf *a, struct wm_buf *b)
{
	struct wm_buf other = *a;

	*a = *b;
	*b = other;
}

static int unite_into(struct wm_buf *list, const struct wm_buf *more)
{
	if (!more->len)
		return 0;
	if (wm_runs_unite(&sum, list, more))
		return -1;
	swap_bufs(list, &sum);
	return 0;
}

/* Adds accesses to memory that was unmapped.  A page that was written between
 * the two scans may be in only one list, so each list is completed by the
 * other. */
static int complete(void)
{
	wm_runs_sort(&wm_pages_gone.accessed);
	wm_runs_sort(&wm_pages_gone.written);
	if (unite_into(&written, &wm_pages_gone.written) ||
	    (asks_for_reads() &&
	     unite_into(&accessed, &wm_pages_gone.accessed)) ||
	    unite_into(&accessed, &written))
		return -1;
	if (asks_for_reads())
		wm_pages_gone.accessed.len = 0;
	wm_pages_gone.written.len = 0;
	return 0;
}

static uint64_t covered_pages(void)
{
	uint64_t n = 0;

	for (size_t i = 0; i < wm_ranges_count(); i++) {
		const struct wm_watched_range *r = wm_ranges_at(i);

		if (!r->lock)
			n += (r->end - r->start) / WM_PAGE;
	}
	return n;
}

/* The encoded epochs that are not in the trace yet, in memory that outlives a
 * SIGKILL. */
static struct {
	uint8_t *p;
	size_t used, room;
	uint64_t logged;
	int tries;
} crash_log;

#define CRASH_LOG_TRIES 64 /* epochs without a log: the trace opens late */

static void log_epoch(const size_t from[3])
{
	const struct wm_buf *b[] = { &kept.numbers, &kept.accessed,
				     &kept.written };
	struct wmw_epoch e = { .number = now.count };
	uint8_t *at;

	if (!crash_log.p && crash_log.tries++ < CRASH_LOG_TRIES)
		crash_log.p = wm_writer_epochs(&crash_log.room);
	for (int i = 0; i < 3; i++)
		e.bytes += b[i]->len - from[i];
	if (crash_log.room - crash_log.used < sizeof(e) + e.bytes + 8)
		return;
	at = crash_log.p + crash_log.used;
	memcpy(at, &e, sizeof(e));
	at += sizeof(e);
	for (int i = 0; i < 3; i++) {
		memcpy(at, b[i]->p + from[i], b[i]->len - from[i]);
		at += b[i]->len - from[i];
	}
	crash_log.used += sizeof(e) + ((e.bytes + 7) & ~UINT64_C(7));
	crash_log.logged++;
	wm_crash_buffer_epochs_hold(crash_log.used);
}

static int keep_epoch(uint64_t mono, uint64_t cpu, uint64_t scan_ns)
{
	const uint64_t numbers[WMT_EPOCH_NUMBERS] = {
		[WMT_EPOCH_TIME] = mono - now.mono,
		[WMT_EPOCH_CPU] = cpu - now.cpu,
		[WMT_EPOCH_ACCESSED] = wm_runs_pages(&accessed),
		[WMT_EPOCH_WRITTEN] = wm_runs_pages(&written),
		[WMT_EPOCH_RESIDENT] = now.written_alone ?
					       wm_written_resident() :
					       wm_backing_resident(),
		[WMT_EPOCH_COVERED] = covered_pages(),
		[WMT_EPOCH_SCAN] = scan_ns,
		[WMT_EPOCH_FLAGS] = asks_for_reads() ? 0 :
						       WMT_EPOCH_WRITTEN_ALONE,
	};
	size_t len[3] = { kept.numbers.len, kept.accessed.len,
			  kept.written.len };

	for (size_t i = 0; i < WMT_EPOCH_NUMBERS; i++)
		if (wm_put_number(&kept.numbers, numbers[i]))
			goto fail;
	if (wm_runs_encode(&kept.accessed, &accessed,
			   kept.epochs ? &before : NULL, &kept.written,
			   &written))
		goto fail;
	if (!kept.epochs)
		kept.first = now.count;
	kept.epochs++;
	log_epoch(len);
	return 0;
fail:
	kept.numbers.len = len[0];
	kept.accessed.len = len[1];
	kept.written.len = len[2];
	return -1;
}

static uint64_t mapped_bytes(const struct wm_map *m)
{
	uint64_t n = m->end - m->start;

	/* Followed memory is not counted. */
	for (size_t i = wm_ranges_from(m->start); i < wm_ranges_count(); i++) {
		const struct wm_watched_range *r = wm_ranges_at(i);
		uint64_t a = r->start > m->start ? r->start : m->start;
		uint64_t b = r->end < m->end ? r->end : m->end;

		if (r->start >= m->end)
			break;
		n -= b - a;
	}
	return n;
}

static int not_covered_kind(const struct wm_map *m)
{
	if (m->name == WM_MAP_STACK)
		return WMT_NOT_COVERED_MAIN_STACK;
	if (m->name == WM_MAP_KERNEL || !(m->prot & PROT_WRITE))
		return m->prot ? WMT_NOT_COVERED_CODE : 0;
	if (m->shared)
		return WMT_NOT_COVERED_SHARED;
	return m->name == WM_MAP_FILE ? WMT_NOT_COVERED_FILES :
					WMT_NOT_COVERED_ANONYMOUS;
}

static void move_bytes(uint64_t *bytes, enum wmt_not_covered from, uint64_t n)
{
	if (n > bytes[from])
		n = bytes[from];
	bytes[from] -= n;
	bytes[WMT_NOT_COVERED_RUNTIME] += n;
}

static void put_not_covered(void)
{
	static struct wm_buf maps;
	uint64_t bytes[WMT_NOT_COVERED_LIMIT] = { 0 }, own = wm_pool_high();
	const struct wm_map *m;
	unsigned n = 0;

	kept.not_covered.len = 0;
	if (wm_maps_read(&maps))
		return;
	m = (const void *)maps.p;
	for (size_t i = 0; i < maps.len / sizeof(*m); i++)
		bytes[not_covered_kind(&m[i])] += mapped_bytes(&m[i]);
	for (size_t i = 0; i < wm_ranges_count(); i++)
		if (wm_ranges_at(i)->lock)
			bytes[WMT_NOT_COVERED_LOCKED] += wm_ranges_at(i)->end -
							 wm_ranges_at(i)->start;
	/* The pool is anonymous; the crash buffer is shared. */
	move_bytes(bytes, WMT_NOT_COVERED_ANONYMOUS, own);
	move_bytes(bytes, WMT_NOT_COVERED_SHARED,
		   own - bytes[WMT_NOT_COVERED_RUNTIME]);
	for (int i = 1; i < WMT_NOT_COVERED_LIMIT; i++)
		n += bytes[i] != 0;
	wm_put_number(&kept.not_covered, n);
	for (unsigned i = 1; i < WMT_NOT_COVERED_LIMIT; i++)
		if (bytes[i] && (wm_put_number(&kept.not_covered, i) ||
				 wm_put_number(&kept.not_covered, bytes[i])))
			kept.not_covered.len = 0;
}

static void put_covered(void)
{
	uint64_t at = 0, n = 0;

	kept.covered.len = 0;
	for (size_t i = 0; i < wm_ranges_count(); i++)
		n += !wm_ranges_at(i)->lock;
	if (wm_put_number(&kept.covered, n))
		return;
	for (size_t i = 0; i < wm_ranges_count(); i++) {
		const struct wm_watched_range *r = wm_ranges_at(i);

		if (r->lock)
			continue;
		if (wm_put_number(&kept.covered, (r->start - at) / WM_PAGE) ||
		    wm_put_number(&kept.covered,
				  (r->end - r->start) / WM_PAGE) ||
		    wm_put_number(&kept.covered, r->kind)) {
			kept.covered.len = 0;
			return;
		}
		at = r->end;
	}
}

static size_t kept_bytes(void)
{
	return kept.numbers.len + kept.accessed.len + kept.written.len;
}

static void hand_over(bool all)
{
	put_covered();
	if (all || kept.first == 0)
		put_not_covered();
	if (wm_writer_pages(&kept) && kept_bytes() < KEPT_MOST && !all)
		return;
	kept.epochs = 0;
	kept.numbers.len = kept.accessed.len = kept.written.len = 0;
	kept.covered.len = kept.not_covered.len = 0;
	crash_log.used = crash_log.logged = 0;
	wm_crash_buffer_epochs_hold(0);
	now.kept_since = wm_clock_ns(CLOCK_MONOTONIC);
}

/* Assumes that the present pages will be touched again, and as many of them
 * written as in the last epoch, or in the first epoch all. */
static uint64_t cost_of_ending(void)
{
	uint64_t all, there, resident = wm_backing_resident();
	uint64_t again = now.written_before;

	if (now.written_alone)
		return wm_cost_again(0, again);
	wm_maps_resident(&all, &there);
	/* This count includes pages of the executable. */
	if (there > resident)
		there = resident;
	if (now.count == 0 || again > there)
		again = there;
	return wm_cost_again(asks_for_reads() ? there : 0, again);
}

/* If the budget of `auto` does not allow the epoch to end, sets now.next to the
 * time at which it may. */
static bool is_allowed(uint64_t cpu)
{
	uint64_t spent = wm_clock_ns(CLOCK_THREAD_CPUTIME_ID) + now.faults;
	uint64_t at = wm_cost_allowed_at(now.last, spent, cost_of_ending());

	if (at > cpu)
		now.next = at;
	return at <= cpu;
}

static void end_epoch(void)
{
	uint64_t mono = wm_clock_ns(CLOCK_MONOTONIC);

	if (gather() || complete() ||
	    keep_epoch(mono, now.all, wm_clock_ns(CLOCK_MONOTONIC) - mono))
		wm_drop(0, "there was no memory for an epoch of pages");
	now.mono = mono;
	now.cpu = now.all;
	now.count++;
	now.since_reads = asks_for_reads() ? 1 : now.since_reads + 1;
	now.written_before = wm_runs_pages(&written);
	if (now.written_alone)
		wm_cost_note(now.written_before);
	swap_bufs(&before, &accessed);
	now.last = program_cpu();
	now.next = now.last + now.interval;
}

uint64_t wm_epochs_pause(void)
{
	uint64_t cpu;

	if (!now.runs)
		return 3600000 * MS;
	cpu = program_cpu();
	if (cpu >= now.next && (!now.is_auto || is_allowed(cpu))) {
		end_epoch();
		/* Epochs that are not logged would not outlive a SIGKILL. */
		if (kept.epochs >= KEPT_EPOCHS || kept_bytes() >= KEPT_BYTES ||
		    kept.epochs != crash_log.logged ||
		    now.mono - now.kept_since >= KEPT_NS)
			hand_over(false);
		cpu = program_cpu();
	}
	return cpu < now.next ? wm_pace_sleep(&now.pace, cpu, now.next) : MS;
}

void wm_epochs_end(const char *why)
{
	if (!now.runs)
		return;
	program_cpu();
	now.is_last = true;
	end_epoch();
	kept.end = why;
	hand_over(true);
	now.runs = false;
}
