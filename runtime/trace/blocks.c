/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/blocks.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "wm/trace_format.h"

#include "runtime/base/clock.h"
#include "runtime/base/footprint.h"
#include "runtime/base/overwritten.h"
#include "runtime/callpath/frame_tree.h"
#include "runtime/callpath/modules.h"
#include "runtime/callpath/unseen.h"
#include "runtime/trace/bursts.h"
#include "runtime/trace/accesses.h"
#include "runtime/trace/column_pack.h"
#include "runtime/trace/encode.h"
#include "runtime/trace/fields.h"
#include "runtime/trace/head.h"
#include "runtime/trace/names.h"
#include "runtime/trace/tracefile.h"
#include "runtime/trace/resident.h"
#include "runtime/trace/usage.h"
#include "runtime/trace/crash_buffer.h"
#include "runtime/trace/xz.h"

struct wm_blocks wm_blocks;

static struct wm_columns columns;
static struct wm_buf head, out;
static uint32_t modules_sent;

#define X(name, number, encoding) [number] = WMT_ENC_##encoding,
static const uint8_t encodings[WMT_COL_LIMIT] = { WMT_COLUMN_LIST(X) };
#undef X

void wm_blocks_stop(int err)
{
	wm_tracefile_blame(err);
	wm_blocks.short_of_memory = err == ENOMEM;
	atomic_store(&wm_state->tracing, WM_TRACING_STOPPED);
}

#define MAX_FAILED_IN_A_ROW 256

void wm_blocks_fail(int err)
{
	if (wm_tracefile_may_retry(-err) &&
	    ++wm_blocks.failed_in_a_row < MAX_FAILED_IN_A_ROW)
		wm_tracefile_blame(err);
	else
		wm_blocks_stop(err);
}

/* Buffers have their full size from the start, because a buffer that grows
 * takes twice the memory.  A buffer for which there is no memory now may never
 * be needed. */
void wm_blocks_reserve(void)
{
	const size_t n = wm_options.buffer_bytes / sizeof(struct wm_rec);

	wm_buf_reserve(&head, WM_HEAD_ROOM);
	wm_buf_reserve(&out, wm_memory_plan.block);
	wm_buf_reserve(&columns.col[WMT_COL_DICT], WM_BLOCK_DICT);
	wm_encode_times_reserve(&columns, n);
	wm_encode_ops_reserve(&columns, n);
	wm_xz_reserve();
}

static void put_bursts(void)
{
	uint64_t recorded, elapsed;

	if (!wm_bursts_told(&recorded, &elapsed))
		return;
	wm_head_uint(&head, WMT_F_BURST, wm_options.access_burst_ns);
	wm_head_uint(&head, WMT_F_BURST_EVERY, wm_options.access_every_ns);
	wm_head_uint(&head, WMT_F_BURSTS_RECORDED, recorded);
	wm_head_uint(&head, WMT_F_BURSTS_ELAPSED, elapsed);
}

static void put_unseen(bool last)
{
	char names[WM_UNSEEN_ROOM];

	wm_unseen_look(last);
	if (wm_unseen_names(names))
		wm_head_text(&head, WMT_F_UNSEEN_LIBRARIES, names);
}

static void put_overwritten(void)
{
	char names[WM_OVERWRITTEN_ROOM];

	if (wm_overwritten_look(names))
		wm_head_text(&head, WMT_F_OVERWRITTEN, names);
}

static int begin_block(enum wmt_block type)
{
	uint64_t now, peak, lost;

	if (wm_buf_reserve(&head, WM_HEAD_ROOM - head.len) ||
	    head.room < WM_HEAD_ROOM)
		return -1;
	wm_head_begin(&head, type);
	wm_head_uint(&head, WMT_F_SEQUENCE, wm_blocks.count);
	wm_head_triple(&head, WMT_F_NOW, wm_clock_ticks(),
		       wm_clock_ns(CLOCK_MONOTONIC),
		       wm_clock_ns(CLOCK_REALTIME));
	wm_head_uint(&head, WMT_F_DROPPED, atomic_load(&wm_state->dropped));
	if (atomic_load(&wm_state->paths_cut))
		wm_head_uint(&head, WMT_F_PATHS_CUT,
			     atomic_load(&wm_state->paths_cut));
	put_unseen(type == WMT_BLOCK_END);
	put_overwritten();
	lost = wm_access_lost();
	if (lost)
		wm_head_uint(&head, WMT_F_ALL_ACCESSES_LOST, lost);
	put_bursts();
	if (wm_footprint(&now, &peak)) {
		wm_head_uint(&head, WMT_F_HEAP_FOOTPRINT, now);
		wm_head_uint(&head, WMT_F_HEAP_FOOTPRINT_PEAK, peak);
	}
	if (!wm_blocks.identity_sent)
		wm_fields_identity(&head);
	for (size_t i = 0; i < WMT_COL_LIMIT; i++) {
		columns.col[i].len = 0;
		columns.encoding[i] = encodings[i];
	}
	return 0;
}

/* Room for the two blocks that follow when the cap is reached. */
#define CAP_ROOM (16u << 10)

static bool above_cap(size_t more)
{
	uint64_t size = wm_tracefile_size() + more;

	return wm_options.max_bytes && !wm_blocks.capped &&
	       size > wm_options.max_bytes - CAP_ROOM;
}

static bool is_of_accesses(void)
{
	return columns.col[WMT_COL_LOADS].len || columns.col[WMT_COL_WHO].len;
}

/* WM_ACCESS_MAX_BYTES: from the first block of accesses that would exceed it,
 * all blocks of accesses are left out.  Other blocks count the losses. */
static bool above_access_cap(size_t more)
{
	if (is_of_accesses() && wm_options.access_max_bytes &&
	    wm_blocks.access_bytes + more > wm_options.access_max_bytes)
		wm_blocks.accesses_capped = true;
	return wm_blocks.accesses_capped && is_of_accesses();
}

/* Bits of the columns of events on which LZMA2 is tried, and of the others. */
static uint32_t tried, stored;

/* The size of LOADS as lists if LZMA2 is tried on its tokens; else 0. */
static size_t loads_or_else;

static void choose_loads(void)
{
	struct wm_buf *loads = &columns.col[WMT_COL_LOADS];
	const uint8_t *lists;
	size_t size;

	loads_or_else = 0;
	lists = wm_column_pack_loads(loads->p, loads->len, &size);
	if (!lists)
		return;
	if (wm_xz_is_due(WMT_COL_LOADS, loads->len)) {
		loads_or_else = size;
		return;
	}
	memcpy(loads->p, lists, size);
	loads->len = size;
	columns.encoding[WMT_COL_LOADS] = WMT_ENC_LISTS;
}

/* LZMA2 for columns that repeat, if there is time; frequencies for others. */
static void choose_events(void)
{
	static const uint8_t of_events[] = {
		WMT_COL_KIND,	WMT_COL_TIME,	    WMT_COL_STACK,
		WMT_COL_SIZE,	WMT_COL_ALLOC_ADDR, WMT_COL_FREE_ADDR,
		WMT_COL_HANDLE,
	};

	wm_budget_fill(wm_xz_budget());
	tried = stored = 0;
	for (size_t k = 0; k < sizeof(of_events); k++) {
		unsigned i = of_events[k];
		struct wm_buf *b = &columns.col[i];

		if (!b->len || wm_options.compress >= 0)
			continue;
		if (wm_xz_is_due(i, b->len)) {
			tried |= 1u << i;
			continue;
		}
		stored |= 1u << i;
		if (wm_column_pack(i, b))
			columns.encoding[i] |= WMT_ENC_PACKED;
	}
}

static int add_column(unsigned i)
{
	const struct wm_buf *b = &columns.col[i];

	if (columns.encoding[i] == WMT_ENC_LISTS || stored >> i & 1)
		return wm_xz_store(&out, b->p, b->len);
	if (tried >> i & 1)
		return wm_xz_try(&out, i, b->p, b->len, wm_column_packed(i, b));
	if (i == WMT_COL_LOADS && loads_or_else)
		return wm_xz_try(&out, i, b->p, b->len, loads_or_else);
	return wm_xz_add(&out, i, b->p, b->len);
}

/* Reasons why append_block() left a block out; these are no errno. */
enum { ABOVE_CAP = 1, ABOVE_ACCESS_CAP };

static int append_block(void)
{
	unsigned n = 0;
	uint32_t name = 0;

	if (!wm_blocks.capped &&
	    wm_names_encode(&columns.col[WMT_COL_NAMES], &name))
		return -ENOMEM;
	if (name)
		wm_head_uint(&head, WMT_F_NAME_FIRST, name);
	wm_modules_encode(&columns.col[WMT_COL_MODULES], &modules_sent);
	choose_loads();
	choose_events();
	for (size_t i = 1; i < WMT_COL_LIMIT; i++)
		n += columns.col[i].len != 0;
	wm_head_varint(&head, 0);
	wm_head_varint(&head, n);
	for (size_t i = 1; i < WMT_COL_LIMIT; i++) {
		if (!columns.col[i].len)
			continue;
		wm_head_varint(&head, (uint64_t)i);
		wm_head_varint(&head, columns.encoding[i]);
		wm_head_varint(&head, columns.col[i].len);
	}
	if (wm_xz_begin(&out) || wm_xz_add(&out, 0, head.p, head.len))
		return -ENOMEM;
	for (unsigned i = 1; i < WMT_COL_LIMIT; i++)
		if (columns.col[i].len && add_column(i))
			return -ENOMEM;
	if (wm_xz_end(&out))
		return -ENOMEM;
	if (above_access_cap(out.len))
		return ABOVE_ACCESS_CAP;
	return above_cap(out.len) ? ABOVE_CAP :
				    wm_tracefile_append(out.p, out.len);
}

static void put_cap(void)
{
	if (!wm_options.max_bytes)
		return;
	if (wm_blocks.capped) {
		wm_head_uint(&head, WMT_F_CAPPED, wm_options.max_bytes);
		wm_head_uint(&head, WMT_F_NOT_WRITTEN,
			     atomic_load(&wm_state->not_written));
	}
	wm_usage_put_usable(&head);
}

static int begin_empty(void);
static int finish_block(void);

/* A block without contents records the cap, because the process may be killed
 * before its END. */
static void stop_at_cap(void)
{
	wm_blocks.capped = true;
	atomic_store(&wm_state->tracing, WM_TRACING_CAPPED);
	if (begin_empty() == 0) {
		put_cap();
		finish_block();
	}
}

static int finish_block(void)
{
	uint32_t modules = modules_sent;
	int r = append_block();

	if (r) {
		/* The next block has to contain these modules. */
		modules_sent = modules;
		if (r == ABOVE_CAP)
			stop_at_cap();
		else if (r != ABOVE_ACCESS_CAP)
			wm_blocks_fail(-r);
		return -1;
	}
	wm_blocks.failed_in_a_row = 0;
	wm_blocks.count++;
	/* After the block is written: the trace must not have fewer blocks than
	 * the crash buffer counts. */
	wm_crash_buffer_blocks(wm_blocks.count);
	wm_modules_sent(modules_sent);
	wm_blocks.identity_sent = true;
	wm_names_sent();
	return 0;
}

int wm_block_start(int crash_buffer)
{
	if (begin_block(WMT_BLOCK_START))
		return -1;
	wm_fields_start(&head, crash_buffer);
	return finish_block();
}

static int begin_empty(void)
{
	if (begin_block(WMT_BLOCK_STACKS))
		return -1;
	wm_head_uint(&head, WMT_F_GENERATION, wm_pathdb_generation());
	return 0;
}

int wm_block_empty(void)
{
	return begin_empty() ? -1 : finish_block();
}

int wm_block_refused(uint32_t thread, uint64_t event)
{
	if (begin_empty())
		return -1;
	wm_head_uint(&head, WMT_F_THREAD, thread);
	wm_head_uint(&head, WMT_F_REFUSED, event);
	return finish_block();
}

/* Stores the first path that was left in *@next. */
static int put_paths(const struct wm_path *first, const struct wm_path *last,
		     size_t limit, const struct wm_path **next)
{
	const uint32_t before = wm_pathdb_frames_sent();
	uint32_t count = 0, frames = before;

	if (!first) {
		*next = NULL;
		return 0;
	}
	if (wm_encode_paths(&columns, first, last, limit, next, &count,
			    &frames))
		return -1;
	wm_head_uint(&head, WMT_F_STACK_FIRST, first->number);
	wm_head_uint(&head, WMT_F_STACKS, count);
	wm_head_uint(&head, WMT_F_FRAME_FIRST, before);
	wm_head_uint(&head, WMT_F_FRAMES, frames - before);
	return 0;
}

static bool are_few(const struct wm_path *first, const struct wm_path *last)
{
	const uint32_t before = wm_pathdb_frames_sent();
	uint32_t paths = 0, frames = before;

	for (const struct wm_path *p = first; p;
	     p = p == last ? NULL : p->next) {
		frames += wm_path_own(p, frames);
		if (++paths > 64 || frames - before > WM_FRAME_TREE_BLOCK / 2)
			return false;
	}
	return true;
}

int wm_block_paths(const struct wm_path **first, const struct wm_path *last,
		   bool all)
{
	while (*first) {
		const struct wm_path *next;

		if (!all && are_few(*first, last))
			return 0;
		if (begin_empty())
			return -1;
		if (put_paths(*first, last, WM_BLOCK_DICT, &next) ||
		    finish_block())
			return -1;
		/* No path is written twice, whatever follows. */
		while (next && (*first)->next != next)
			*first = (*first)->next;
		wm_pathdb_sent(next ? *first : last);
		*first = next;
	}
	return 0;
}

/* Returns the number of bits that times may lose.  It is 0 if there are several
 * threads or samples of pages, whose order depends on their times. */
static unsigned time_shift(void)
{
	const struct wm_state *st = wm_state;

	return atomic_load(&st->threads) > 1 || wm_options.access_pages_ns ?
		       0 :
		       wm_clock_shift(wm_clock_ticks() - st->start_ticks,
				      wm_clock_ns(CLOCK_MONOTONIC) -
					      st->start_mono,
				      wm_options.time_res_ns);
}

int wm_block_events(const struct wm_slot *slot, size_t from, size_t n)
{
	const struct wm_path *first = NULL, *last = NULL, *next;
	unsigned shift = time_shift();

	/* The paths of an old generation have all been sent. */
	if (slot->generation == wm_pathdb_generation())
		first = wm_pathdb_unsent(&last);
	if (wm_block_paths(&first, last, false) ||
	    begin_block(WMT_BLOCK_EVENTS) ||
	    wm_encode_times(&columns, slot->base + from, n, shift) ||
	    wm_encode_ops(&columns, slot->base + from, n))
		return -1;
	wm_head_uint(&head, WMT_F_THREAD, slot->thread);
	wm_head_uint(&head, WMT_F_TID, (uint64_t)slot->tid);
	wm_head_uint(&head, WMT_F_THREAD_AT, slot->at);
	wm_head_uint(&head, WMT_F_EVENTS, n);
	wm_head_uint(&head, WMT_F_EVENT_FIRST, slot->first + from);
	wm_head_uint(&head, WMT_F_TIME_FIRST, columns.time_first);
	wm_head_uint(&head, WMT_F_TIME_LAST, columns.time_last);
	wm_head_uint(&head, WMT_F_TIME_SHIFT, shift);
	wm_resident_put(&head, false);
	wm_head_uint(&head, WMT_F_GENERATION, slot->generation);
	/* wm_block_paths() has left so few paths that all fit. */
	if (put_paths(first, last, 0, &next) || finish_block())
		return -1;
	if (first)
		wm_pathdb_sent(last);
	wm_blocks.events += n;
	return 0;
}

static int put_column(enum wmt_column id, const struct wm_buf *b)
{
	return wm_buf_add(&columns.col[id], b->p, b->len);
}

int wm_block_pages(const struct wm_pages_block *b)
{
	if ((wm_blocks.accesses_capped && b->who.len) ||
	    begin_block(WMT_BLOCK_PAGES) ||
	    put_column(WMT_COL_EPOCHS, &b->numbers) ||
	    put_column(WMT_COL_ACCESSED, &b->accessed) ||
	    put_column(WMT_COL_WRITTEN, &b->written) ||
	    put_column(WMT_COL_COVERED, &b->covered) ||
	    put_column(WMT_COL_NOT_COVERED, &b->not_covered) ||
	    put_column(WMT_COL_WHO, &b->who) ||
	    put_column(WMT_COL_SPOTS, &b->spots) ||
	    put_column(WMT_COL_SAMPLES, &b->samples))
		return -1;
	wm_head_uint(&head, WMT_F_EPOCH_FIRST, b->first);
	wm_head_uint(&head, WMT_F_EPOCHS, b->epochs);
	wm_head_uint(&head, WMT_F_PAGE_SHIFT, __builtin_ctzl(WM_PAGE));
	wm_head_uint(&head, WMT_F_INTERVAL, b->interval);
	if (b->end)
		wm_head_text(&head, WMT_F_PAGES_END, b->end);
	if (b->thread_ns) {
		wm_head_uint(&head, WMT_F_WATCH_THREAD, b->thread_ns);
		wm_head_uint(&head, WMT_F_WATCH_FAULTS, b->faults);
		wm_head_uint(&head, WMT_F_WATCH_FAULTS_NS, b->faults_ns);
	}
	if (b->who.len && wm_options.access_only[0])
		wm_head_text(&head, WMT_F_ACCESS_ONLY, wm_options.access_only);
	if (finish_block())
		return -1;
	if (b->who.len)
		wm_blocks.access_bytes += out.len;
	return 0;
}

int wm_block_accesses(const struct wm_access_block *b)
{
	struct wm_buf *loads = &columns.col[WMT_COL_LOADS];

	if (wm_blocks.accesses_capped && b->bytes + b->rest_bytes)
		return -1;
	if (begin_block(WMT_BLOCK_ACCESSES) ||
	    wm_buf_reserve(loads, b->bytes + b->rest_bytes))
		return -1;
	memcpy(loads->p, b->p, b->bytes);
	if (b->rest_bytes)
		memcpy(loads->p + b->bytes, b->rest, b->rest_bytes);
	loads->len = b->bytes + b->rest_bytes;
	wm_head_uint(&head, WMT_F_THREAD, b->thread);
	wm_head_uint(&head, WMT_F_TID, b->tid);
	wm_head_uint(&head, WMT_F_ACCESS_STREAM, b->stream);
	if (b->base)
		wm_head_uint(&head, WMT_F_ACCESS_BASE, b->base);
	wm_head_uint(&head, WMT_F_ACCESS_FIRST, b->first);
	wm_head_uint(&head, WMT_F_ACCESSES, b->count);
	if (b->lost)
		wm_head_uint(&head, WMT_F_ACCESSES_LOST, b->lost);
	if (wm_options.access_only[0])
		wm_head_text(&head, WMT_F_ACCESS_ONLY, wm_options.access_only);
	if (finish_block())
		return -1;
	wm_blocks.access_bytes += out.len;
	return 0;
}

int wm_block_end(const char *reason)
{
	if (begin_block(WMT_BLOCK_END))
		return -1;
	wm_head_uint(&head, WMT_F_EVENTS_TOTAL, wm_blocks.events);
	wm_fields_end(&head, reason);
	put_cap();
	return finish_block();
}

void wm_blocks_forget(void)
{
	/* A thread of the parent may have been using the old buffers. */
	memset(&columns, 0, sizeof(columns));
	memset(&head, 0, sizeof(head));
	memset(&out, 0, sizeof(out));
	memset(&wm_blocks, 0, sizeof(wm_blocks));
	modules_sent = 0;
	wm_blocks_reserve();
}
