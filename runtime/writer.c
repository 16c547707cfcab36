/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>

#include "wm/trace_format.h"
#include "wm/version.h"

#include "runtime/bundle.h"
#include "runtime/clock.h"
#include "runtime/encode.h"
#include "runtime/encode_ops.h"
#include "runtime/facts.h"
#include "runtime/footprint.h"
#include "runtime/head.h"
#include "runtime/lock.h"
#include "runtime/losses.h"
#include "runtime/modules.h"
#include "runtime/names.h"
#include "runtime/on_stack.h"
#include "runtime/plan.h"
#include "runtime/pool.h"
#include "runtime/sink.h"
#include "runtime/stackdb.h"
#include "runtime/sys.h"
#include "runtime/text.h"
#include "runtime/usage.h"
#include "runtime/window.h"
#include "runtime/xz.h"

#define DICT_LIMIT WM_PLAN_DICT
#define STACK_BYTES WM_PLAN_STACK

static struct wm_lock lock;
static struct wm_columns columns;
static struct wm_buf head, out;
static int opened; /* 1: the trace exists; -1: it could not be created */
static uint64_t sequence, events_total, write_ns;
static uint32_t modules_sent;
static int identity_sent;
static int window_made;
static int window_needed; /* events in it are for the reader: no END */

#define X(name, number, encoding) [number] = WMT_ENC_##encoding,
static const uint8_t encodings[WMT_COL_LIMIT] = { WMT_COLUMN_LIST(X) };
#undef X

/* ---- failure ---- */

static int short_of_memory; /* that stopped it, not the file */

static void stop(int err)
{
	wm_sink_blame(err);
	short_of_memory = err == ENOMEM;
	atomic_store(&wm_state->phase, WM_PHASE_STOPPED);
}

/*
 * A block or the file could not be written.  Some errors pass: a thread that
 * closes all descriptors, a limit on their number, seteuid().  Then this
 * block is lost, and the next one is tried; but not for ever.
 */
#define STRIKES 256
static int strikes;
static int capped; /* WM_MAX_BYTES is reached */

static void failed(int err)
{
	if (wm_sink_passes(-err) && ++strikes < STRIKES)
		wm_sink_blame(err);
	else
		stop(err);
}

/* ---- one block ---- */

static int begin(enum wmt_block type)
{
	uint64_t now, peak;

	if (wm_buf_reserve(&head, WM_HEAD_ROOM - head.len) ||
	    head.room < WM_HEAD_ROOM)
		return -1;
	/* at once what may be needed: growing takes twice the memory.  What is
	 * not there now may do without. */
	if (!out.p)
		wm_buf_reserve(&out, wm_plan.block);
	if (!columns.col[WMT_COL_DICT].p)
		wm_buf_reserve(&columns.col[WMT_COL_DICT],
			       DICT_LIMIT + (64u << 10));
	wm_head_begin(&head, type);
	wm_head_uint(&head, WMT_F_SEQUENCE, sequence);
	wm_head_triple(&head, WMT_F_NOW, wm_clock_ticks(),
		       wm_clock_ns(CLOCK_MONOTONIC),
		       wm_clock_ns(CLOCK_REALTIME));
	wm_head_uint(&head, WMT_F_DROPPED, atomic_load(&wm_state->dropped));
	if (atomic_load(&wm_state->paths_cut))
		wm_head_uint(&head, WMT_F_PATHS_CUT,
			     atomic_load(&wm_state->paths_cut));
	if (wm_footprint(&now, &peak)) {
		wm_head_uint(&head, WMT_F_HEAP_FOOTPRINT, now);
		wm_head_uint(&head, WMT_F_HEAP_FOOTPRINT_PEAK, peak);
	}
	if (!identity_sent)
		wm_facts_identity(&head);
	for (int i = 0; i < WMT_COL_LIMIT; i++) {
		columns.col[i].len = 0;
		columns.encoding[i] = encodings[i];
	}
	return 0;
}

/* Room for the two blocks that come after the cap. */
#define CAP_ROOM (16u << 10)

static int above_cap(size_t more)
{
	uint64_t size = wm_sink_size() + more;

	return wm_options.max_bytes && !capped &&
	       size > wm_options.max_bytes - CAP_ROOM;
}

/* Close the head, pack everything, append it to the file. */
static int commit(void)
{
	unsigned n = 0;
	uint32_t name = 0;

	if (!capped &&
	    wm_names_encode(&columns.col[WMT_COL_NAMES], &name))
		return -ENOMEM;
	if (name)
		wm_head_uint(&head, WMT_F_NAME_FIRST, name);
	wm_modules_encode(&columns.col[WMT_COL_MODULES], &modules_sent);
	for (int i = 1; i < WMT_COL_LIMIT; i++)
		n += columns.col[i].len != 0;
	wm_head_varint(&head, 0);
	wm_head_varint(&head, n);
	for (int i = 1; i < WMT_COL_LIMIT; i++) {
		if (!columns.col[i].len)
			continue;
		wm_head_varint(&head, (uint64_t)i);
		wm_head_varint(&head, columns.encoding[i]);
		wm_head_varint(&head, columns.col[i].len);
	}
	if (wm_xz_begin(&out) || wm_xz_add(&out, 0, head.p, head.len))
		return -ENOMEM;
	for (int i = 1; i < WMT_COL_LIMIT; i++)
		if (columns.col[i].len &&
		    wm_xz_add(&out, (unsigned)i, columns.col[i].p,
			      columns.col[i].len))
			return -ENOMEM;
	if (wm_xz_end(&out))
		return -ENOMEM;
	return above_cap(out.len) ? -EOVERFLOW :
				    wm_sink_append(out.p, out.len);
}

/* WM_MAX_BYTES, if that is what is in force, and the totals that go on. */
static void put_cap(void)
{
	if (!wm_options.max_bytes)
		return;
	if (capped) {
		wm_head_uint(&head, WMT_F_CAPPED, wm_options.max_bytes);
		wm_head_uint(&head, WMT_F_NOT_WRITTEN,
			     atomic_load(&wm_state->not_written));
	}
	wm_usage_put_usable(&head);
}

static int finish_block(void);

/* The trace is as long as it may be.  A block without contents says so: the
 * process may be killed before its END. */
static void cap(void)
{
	capped = 1;
	atomic_store(&wm_state->phase, WM_PHASE_CAPPED);
	if (begin(WMT_BLOCK_STACKS) == 0) {
		wm_head_uint(&head, WMT_F_GENERATION, wm_stackdb_generation());
		put_cap();
		finish_block();
	}
}

static int finish_block(void)
{
	uint32_t modules = modules_sent;
	int r = commit();

	if (r) {
		modules_sent = modules;
		if (r == -EOVERFLOW)
			cap();
		else
			failed(-r);
		return -1;
	}
	strikes = 0;
	sequence++;
	wm_window_blocks(sequence);
	wm_modules_sent(modules_sent);
	identity_sent = 1;
	wm_names_sent();
	return 0;
}

/* ---- blocks by type; all under the lock ---- */

static struct wm_sink_name sink_name(void)
{
	struct wm_sink_name n = {
		.parent = wm_options.dir,
		.program = wm_identity.program,
		.id = wm_identity.id,
		.rank = wm_identity.rank,
		.ranks = wm_identity.ranks,
		.child = wm_identity.parent ? wm_identity.pid : 0,
	};

	return n;
}

static int put_start(void)
{
	if (begin(WMT_BLOCK_START))
		return -1;
	wm_facts_start(&head, window_made);
	return finish_block();
}

/* Add paths from @first on to the block that has begun; *@next is the first
 * that was left over. */
static int put_paths(const struct wm_path *first, const struct wm_path *last,
		     size_t limit, const struct wm_path **next)
{
	uint32_t count = 0;

	if (!first) {
		*next = NULL;
		return 0;
	}
	if (wm_encode_paths(&columns, first, last, limit, next, &count))
		return -1;
	wm_head_uint(&head, WMT_F_STACK_FIRST, first->number);
	wm_head_uint(&head, WMT_F_STACKS, count);
	return 0;
}

/* Blocks of type STACKS; unless @all are wanted, a few may be left over for
 * the block of events that comes next. */
static int send_paths(const struct wm_path **first,
		      const struct wm_path *last, int all)
{
	while (*first) {
		const struct wm_path *next;
		size_t few = 0;

		for (const struct wm_path *p = *first; p && few <= 64;
		     p = p == last ? NULL : p->next)
			few += p->depth <= 1000 ? 1 : 65;
		if (!all && few <= 64)
			return 0;
		if (begin(WMT_BLOCK_STACKS))
			return -1;
		wm_head_uint(&head, WMT_F_GENERATION, wm_stackdb_generation());
		if (put_paths(*first, last, DICT_LIMIT, &next) ||
		    finish_block())
			return -1;
		/* whatever comes next: none of these a second time */
		while (next && (*first)->next != next)
			*first = (*first)->next;
		wm_stackdb_sent(next ? *first : last);
		*first = next;
	}
	return 0;
}

/* From here on events outlive a SIGKILL.  0: the window can not take all call
 * paths at once. */
static int begin_window(void)
{
	if (!wm_state->window && !wm_window_publish())
		return 0;
	/* the others follow when their buffers are empty */
	if (wm_self)
		wm_window_adopt(wm_self);
	return 1;
}

/* What the window can not take goes into the trace. */
static void begin_window_late(void)
{
	for (int tries = 0; !begin_window() && tries < 8; tries++) {
		const struct wm_path *last, *first = wm_stackdb_unsent(&last);

		if (send_paths(&first, last, 1))
			return;
	}
}

/* The trace and, where one can be, its window: both are new. */
static int create_files(void)
{
	struct wm_sink_name name = sink_name();
	int r, number = 0;

	for (;;) {
		r = wm_sink_create(&name, &number);
		if (r)
			return r;
		r = wm_window_create(&name);
		if (r != -EEXIST)
			break;
		wm_sink_discard();
	}
	window_made = r;
	return 0;
}

/* What waits for MPI to tell the rank may have to move. */
static void copy_bundle(void)
{
	struct wm_sink_name name = sink_name();

	if (wm_identity.settled)
		wm_bundle_copy(&name, 0);
}

static int begin_trace(void)
{
	int r, begun;

	if (!opened) {
		r = create_files();
		if (r == -EMFILE || r == -ENFILE) {
			failed(-r);
			return -1;
		}
		opened = r ? -1 : 1;
		if (r) {
			stop(-r);
			return -1;
		}
	}
	/* the window first: a SIGKILL may come before START is written */
	begun = window_made && begin_window();
	if (put_start())
		return -1;
	if (window_made && !begun)
		begin_window_late();
	copy_bundle();
	return 0;
}

static int open_locked(void)
{
	int r;

	if (opened < 0)
		return -1;
	if (sequence)
		return 0;
	wm_sink_keep(1);
	r = begin_trace();
	wm_sink_keep(0);
	wm_window_close();
	return r;
}

/* 0 with threads: then the order of events between them rests on their times. */
static unsigned time_shift(void)
{
	const struct wm_state *st = wm_state;

	return atomic_load(&st->threads) > 1 ? 0 :
	       wm_clock_shift(wm_clock_ticks() - st->start_ticks,
			      wm_clock_ns(CLOCK_MONOTONIC) - st->start_mono,
			      wm_options.time_res_ns);
}

/* @n records of a slot from number @from on. */
static int put_events(const struct wm_slot *slot, size_t from, size_t n)
{
	const struct wm_path *first = NULL, *last = NULL, *next;
	unsigned shift = time_shift();

	/* the paths of an old generation have all been sent */
	if (slot->generation == wm_stackdb_generation())
		first = wm_stackdb_unsent(&last);
	if (send_paths(&first, last, 0) || begin(WMT_BLOCK_EVENTS) ||
	    wm_encode_times(&columns, slot->base + from, n, shift) ||
	    wm_encode_ops(&columns, slot->base + from, n))
		return -1;
	wm_head_uint(&head, WMT_F_THREAD, slot->thread);
	wm_head_uint(&head, WMT_F_TID, (uint64_t)slot->tid);
	wm_head_uint(&head, WMT_F_EVENTS, n);
	wm_head_uint(&head, WMT_F_EVENT_FIRST, slot->first + from);
	wm_head_uint(&head, WMT_F_TIME_FIRST, columns.time_first);
	wm_head_uint(&head, WMT_F_TIME_LAST, columns.time_last);
	wm_head_uint(&head, WMT_F_TIME_SHIFT, shift);
	wm_usage_put_resident(&head, 0);
	wm_head_uint(&head, WMT_F_GENERATION, slot->generation);
	/* the few that send_paths() has left: all of them */
	if (put_paths(first, last, SIZE_MAX, &next) || finish_block())
		return -1;
	if (first)
		wm_stackdb_sent(last);
	events_total += n;
	return 0;
}

/* The trace has stopped for good (a full disk, a limit, chroot): what a buffer
 * holds then stays in the window for the reader, and is not lost.  Not where
 * memory was short: END can be written then, and has what is to be counted. */
static int stays(const struct wm_slot *slot)
{
	return atomic_load(&wm_state->phase) == WM_PHASE_STOPPED &&
	       !short_of_memory &&
	       slot->place == WM_PLACE_WINDOW && sequence;
}

/* Write what a slot holds before @cur, or leave it in the window, or count it
 * as lost. */
static void write_slot(struct wm_slot *slot, const struct wm_rec *cur)
{
	int phase = atomic_load(&wm_state->phase);
	size_t from = slot->drained, n = (size_t)(cur - slot->base);

	if (n <= from)
		return;
	n -= from;
	if (phase == WM_PHASE_ON && open_locked() == 0 &&
	    put_events(slot, from, n) == 0)
		return;
	if (atomic_load(&wm_state->phase) == WM_PHASE_ON && !strikes) {
		memcpy(wm_sink_what, wm_sink_path, WM_PATH_MAX);
		stop(ENOMEM); /* nothing else is left */
	}
	if (stays(slot)) {
		window_needed = 1;
		return;
	}
	wm_drop(n, NULL);
	wm_window_void(slot);
}

/* ---- what others call ---- */

/* f(arg) under the lock, on a stack of our own: the thread's may be small. */
static void locked(void (*f)(void *), void *arg)
{
	static void *stack;
	uint64_t since;

	wm_lock_take(&lock);
	since = wm_options.summary ? wm_clock_ns(CLOCK_MONOTONIC) : 0;
	if (!stack)
		stack = wm_stack_new(STACK_BYTES);
	wm_on_stack(stack, f, arg);
	if (since)
		write_ns += wm_clock_ns(CLOCK_MONOTONIC) - since;
	wm_lock_drop(&lock);
}

static void send_names(void *unused)
{
	(void)unused;
	/* a trace that does not exist yet gets them with its first block */
	if (atomic_load(&wm_state->phase) == WM_PHASE_ON && opened > 0 &&
	    begin(WMT_BLOCK_STACKS) == 0) {
		wm_head_uint(&head, WMT_F_GENERATION, wm_stackdb_generation());
		finish_block();
	}
}

void wm_writer_names(void)
{
	locked(send_names, NULL);
}

static void open_on(void *unused)
{
	(void)unused;
	/* a full buffer may have opened it before the rank was certain */
	if (atomic_load(&wm_state->phase) == WM_PHASE_ON &&
	    open_locked() == 0)
		copy_bundle();
}

void wm_writer_open(void)
{
	wm_modules_look();
	locked(open_on, NULL);
}

static void take(void *arg)
{
	wm_window_turn(arg);
	wm_window_adopt(arg);
}

void wm_writer_take(struct wm_slot *slot)
{
	locked(take, slot);
}

struct turn {
	struct wm_slot *slot;
	uint32_t generation;
};

static void turn(void *arg)
{
	const struct turn *t = arg;
	struct wm_slot *slot = t->slot;

	/* the owner's own store: relaxed is enough; a dead owner's was
	 * released before its thread ended */
	if (atomic_load(&wm_state->phase) != WM_PHASE_ENDED &&
	    !wm_forked(wm_state) && slot->base) {
		struct wm_rec *cur = atomic_load_explicit(
			&slot->cur, memory_order_acquire);

		write_slot(slot, cur);
		if (stays(slot)) {
			slot->end = slot->base;
			return;
		}
		slot->drained = 0;
		slot->first += (uint64_t)(cur - slot->base);
		slot->generation = t->generation;
		atomic_store_explicit(&slot->cur, slot->base,
				      memory_order_relaxed);
		wm_window_turn(slot);
		wm_window_adopt(slot);
	}
	if (atomic_load(&wm_state->phase) != WM_PHASE_ON)
		slot->end = slot->base;
}

void wm_writer_turn(struct wm_slot *slot, uint32_t generation)
{
	struct turn t = { slot, generation };

	wm_modules_look();
	locked(turn, &t);
}

void wm_writer_flush(struct wm_slot *slot)
{
	wm_writer_turn(slot, slot->generation);
}

static void drain(void *arg)
{
	struct wm_slot *slot = arg;
	struct wm_rec *cur;

	wm_sink_keep(1); /* until the end, which comes next */
	/* pairs with the release in put() of the owner */
	cur = atomic_load_explicit(&slot->cur, memory_order_acquire);
	write_slot(slot, cur);
	/* the owner lives on, and may fill and flush its buffer once more */
	slot->drained = (size_t)(cur - slot->base);
}

void wm_writer_drain(struct wm_slot *slot)
{
	locked(drain, slot);
}

/* Events refer to them: the next block will not do.  Which ones is asked when
 * the file is open: its beginning may have some. */
static void send_rest(void)
{
	const struct wm_path *first, *last;

	while (atomic_load(&wm_state->phase) == WM_PHASE_ON) {
		int before = strikes, r = open_locked();

		first = r ? NULL : wm_stackdb_unsent(&last);
		if (!r && !send_paths(&first, last, 1))
			break;
		if (strikes == before && !capped)
			stop(ENOMEM);
	}
}

static void new_generation(void *arg)
{
	const struct wm_path *last;

	if (wm_stackdb_generation() != *(const uint32_t *)arg)
		return;
	do {
		if (wm_stackdb_unsent(&last))
			send_rest();
		/* the window has paths that its events need */
		if (atomic_load(&wm_state->phase) == WM_PHASE_STOPPED)
			return;
	} while (!wm_stackdb_reset(last));
}

void wm_writer_new_generation(uint32_t generation)
{
	wm_modules_look();
	locked(new_generation, &generation);
}

#ifdef WM_DYNAMIC
#define GONE 16 /* libraries at a time */

static void library_closed(void *unused)
{
	struct wm_range gone[GONE];
	const struct wm_path *first, *last;
	size_t n;

	(void)unused;
	do {
		n = wm_modules_gone(gone, GONE);
		first = n ? wm_stackdb_unsent(&last) : NULL;
		if (first && wm_stackdb_leads(first, last, gone, n))
			send_rest();
		wm_modules_drop(gone, n);
		if (n)
			wm_stackdb_drop(gone, n);
	} while (n == GONE);
}

void wm_writer_library_closed(void)
{
	if (wm_state && !wm_forked(wm_state) &&
	    atomic_load(&wm_state->phase) == WM_PHASE_ON)
		locked(library_closed, NULL);
}
#endif

static void send_now(void *ok)
{
	const struct wm_path *last, *first;
	int r = -1;

	if (atomic_load(&wm_state->phase) != WM_PHASE_ON || !sequence)
		return;
	first = wm_stackdb_unsent(&last);
	if (first)
		r = send_paths(&first, last, 1);
	else if (!begin(WMT_BLOCK_STACKS)) /* with MODULES alone */
		r = finish_block();
	*(int *)ok = r == 0;
}

int wm_writer_send_paths(void)
{
	int ok = 0;

	wm_modules_look();
	locked(send_now, &ok);
	return ok;
}

static void identify(void *arg)
{
	const struct wm_renaming *now = arg;
	struct wm_identity *me = &wm_identity;
	int changed = now->rank != me->rank || now->ranks != me->ranks ||
		      (now->id && !wm_str_equal(now->id, me->id));

	me->settled = 1;
	me->mpi_rank = now->mpi_rank;
	me->mpi_ranks = now->mpi_ranks;
	/* what contradicts goes into the next block */
	if (me->mpi_rank != me->told_rank || me->mpi_ranks != me->told_ranks)
		identity_sent = 0;
	me->rank = now->rank;
	me->ranks = now->ranks;
	if (now->id) {
		struct wm_text t = wm_text_on(me->id, WM_NAME_MAX);

		wm_text_add(&t, now->id);
	}
	if (opened > 0) {
		struct wm_sink_name name = sink_name();

		if (changed) {
			identity_sent = 0;
			wm_sink_move(&name, wm_window_beside());
			wm_window_moved();
		}
		copy_bundle();
	}
}

void wm_writer_identify(const struct wm_renaming *now)
{
	locked(identify, (void *)(uintptr_t)now);
}

static void leave(void *unused)
{
	(void)unused;
	atomic_store(&wm_state->phase, WM_PHASE_OFF);
	/* a buffer was full before MPI told the rank */
	if (opened > 0) {
		wm_window_remove();
		wm_sink_leave();
	}
	opened = -1;
}

void wm_writer_leave(void)
{
	locked(leave, NULL);
}

static void end(void *reason)
{
	wm_sink_keep(1);
	if (!window_needed && open_locked() == 0 &&
	    atomic_load(&wm_state->phase) != WM_PHASE_ENDED &&
	    begin(WMT_BLOCK_END) == 0) {
		wm_head_uint(&head, WMT_F_EVENTS_TOTAL, events_total);
		wm_facts_end(&head, reason);
		put_cap();
		/* the window goes last: without END it is what tells */
		if (finish_block() == 0)
			wm_window_remove();
		if (wm_identity.rank == 0 && !wm_identity.parent) {
			struct wm_sink_name name = sink_name();

			wm_bundle_copy(&name, 1);
		}
	}
	wm_sink_keep(0);
	atomic_store(&wm_state->phase, WM_PHASE_ENDED);
}

void wm_writer_end(const char *reason)
{
	locked(end, (void *)(uintptr_t)reason);
}

void wm_writer_forget(void)
{
	/* another thread of the parent may have been at work on them: new
	 * ones; the old pages are still the parent's */
	memset(&columns, 0, sizeof(columns));
	memset(&head, 0, sizeof(head));
	memset(&out, 0, sizeof(out));
	opened = strikes = capped = identity_sent = 0;
	sequence = events_total = write_ns = 0;
	modules_sent = 0;
	window_made = window_needed = short_of_memory = 0;
	wm_sink_forget();
}

static void facts(void *arg)
{
	struct wm_writer_facts *f = arg;

	wm_sink_keep(0); /* after a drain; the program goes on */
	f->events = events_total;
	f->trace_bytes = wm_sink_size();
	f->memory_high = wm_pool_high();
	f->write_ns = write_ns;
}

void wm_writer_facts(struct wm_writer_facts *f)
{
	locked(facts, f);
}

const char *wm_writer_path(void)
{
	return wm_sink_path;
}
