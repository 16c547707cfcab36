/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/writer.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "wm/trace_format.h"

#include "runtime/base/clock.h"
#include "runtime/base/lock.h"
#include "runtime/base/losses.h"
#include "runtime/base/on_stack.h"
#include "runtime/base/pool.h"
#include "runtime/base/text.h"
#include "runtime/callpath/modules.h"
#include "runtime/callpath/pathdb.h"
#include "runtime/trace/accesses.h"
#include "runtime/trace/blocks.h"
#include "runtime/trace/bundle.h"
#include "runtime/trace/tracefile.h"
#include "runtime/trace/crash_buffer.h"

static struct wm_lock lock;
static int opened; /* 1: the trace exists; -1: it could not be created */
static uint64_t write_ns;
static int crash_buffer_made;
static bool crash_buffer_needed; /* events in it are for the reader: no END */

static struct wm_tracefile_name tracefile_name(void)
{
	return (struct wm_tracefile_name){
		.parent = wm_options.dir,
		.program = wm_identity.program,
		.id = wm_identity.id,
		.rank = wm_identity.rank,
		.ranks = wm_identity.ranks,
		.child = wm_identity.parent ? wm_identity.pid : 0,
	};
}

/* Makes events survive a SIGKILL from here on.  Returns false if the crash
 * buffer cannot hold all unsent call paths at once. */
static bool begin_crash_buffer(void)
{
	if (!wm_state->crash_buffer && !wm_crash_buffer_publish())
		return false;
	/* Other slots follow when their buffers are empty. */
	if (wm_self)
		wm_crash_buffer_add_slot(wm_self);
	return true;
}

/* Writes paths that the crash buffer cannot hold to the trace. */
static void begin_crash_buffer_late(void)
{
	for (int tries = 0; !begin_crash_buffer() && tries < 8; tries++) {
		const struct wm_path *last, *first = wm_pathdb_unsent(&last);

		if (wm_block_paths(&first, last, true))
			return;
	}
}

static int create_files(void)
{
	struct wm_tracefile_name name = tracefile_name();
	int r, number = 0;

	for (;;) {
		r = wm_tracefile_create(&name, &number);
		if (r)
			return r;
		r = wm_crash_buffer_create(&name);
		if (r != -EEXIST)
			break;
		/* Both files have one number, so the next number is tried. */
		wm_tracefile_discard();
	}
	crash_buffer_made = r;
	return 0;
}

/* Waits for MPI to provide the rank: the directory may have to move. */
static void copy_bundle(void)
{
	struct wm_tracefile_name name = tracefile_name();

	if (wm_identity.is_final)
		wm_bundle_copy(&name, false);
}

static int begin_trace(void)
{
	int r;
	bool begun;

	if (!opened) {
		r = create_files();
		/* A limit on open files may pass: the next block retries. */
		if (r == -EMFILE || r == -ENFILE) {
			wm_blocks_fail(-r);
			return -1;
		}
		opened = r ? -1 : 1;
		if (r) {
			wm_blocks_stop(-r);
			return -1;
		}
	}
	/* A SIGKILL may come before START is written. */
	begun = crash_buffer_made && begin_crash_buffer();
	if (wm_block_start(crash_buffer_made))
		return -1;
	if (crash_buffer_made && !begun)
		begin_crash_buffer_late();
	copy_bundle();
	return 0;
}

static int open_locked(void)
{
	int r;

	if (opened < 0)
		return -1;
	if (wm_blocks.count)
		return 0;
	wm_tracefile_keep_open(true);
	r = begin_trace();
	wm_tracefile_keep_open(false);
	wm_crash_buffer_close();
	return r;
}

/* Returns whether the trace has stopped for good (a full disk, a limit,
 * chroot), so that the records of a buffer remain in the crash buffer for the
 * reader.  If memory was short, END can be written, and has the counts. */
static bool stays_in_crash_buffer(const struct wm_slot *slot)
{
	return atomic_load(&wm_state->tracing) == WM_TRACING_STOPPED &&
	       !wm_blocks.short_of_memory &&
	       slot->buffer_home == WM_BUFFER_CRASH && wm_blocks.count;
}

/* Writes the records of a slot before @cur.  If this fails, leaves them in the
 * crash buffer or counts them as lost. */
static void write_slot(struct wm_slot *slot, const struct wm_rec *cur)
{
	int tracing = atomic_load(&wm_state->tracing);
	size_t from = slot->written_out, n = (size_t)(cur - slot->base);

	if (n <= from)
		return;
	n -= from;
	if (tracing == WM_TRACING_ON && open_locked() == 0 &&
	    wm_block_events(slot, from, n) == 0)
		return;
	if (atomic_load(&wm_state->tracing) == WM_TRACING_ON &&
	    !wm_blocks.failed_in_a_row) {
		memcpy(wm_tracefile_failed_path, wm_tracefile_path,
		       WM_PATH_MAX);
		wm_blocks_stop(ENOMEM);
	}
	if (stays_in_crash_buffer(slot)) {
		crash_buffer_needed = true;
		return;
	}
	wm_drop(n, NULL);
	wm_crash_buffer_void(slot);
}

/* Calls f(arg) with the lock, on our own stack: the thread's may be small. */
static void call_locked(void (*f)(void *), void *arg)
{
	static void *stack;
	uint64_t since;

	wm_lock_take(&lock);
	since = wm_options.summary ? wm_clock_ns(CLOCK_MONOTONIC) : 0;
	if (!stack)
		stack = wm_stack_new(WM_WRITER_STACK);
	wm_on_stack(stack, f, arg);
	if (since)
		write_ns += wm_clock_ns(CLOCK_MONOTONIC) - since;
	wm_lock_drop(&lock);
}

void wm_writer_call(void (*f)(void *), void *arg)
{
	wm_modules_look();
	call_locked(f, arg);
}

static void send_names(void *unused)
{
	(void)unused;
	/* The first block of a trace has the names that exist. */
	if (atomic_load(&wm_state->tracing) == WM_TRACING_ON && opened > 0)
		wm_block_empty();
}

void wm_writer_names(void)
{
	call_locked(send_names, NULL);
}

static void open_on(void *unused)
{
	(void)unused;
	/* A full buffer may have opened it before the rank was known. */
	if (atomic_load(&wm_state->tracing) == WM_TRACING_ON &&
	    open_locked() == 0)
		copy_bundle();
}

void wm_writer_open(void)
{
	wm_writer_call(open_on, NULL);
}

static void begin_slot(void *arg)
{
	wm_crash_buffer_refill(arg);
	wm_crash_buffer_add_slot(arg);
}

void wm_writer_begin_slot(struct wm_slot *slot)
{
	call_locked(begin_slot, slot);
}

struct slot_call {
	struct wm_slot *slot;
	/* The next generation.  NULL: it does not change, and is read under the
	 * lock, because a dead owner may have written it last. */
	const uint32_t *generation;
	uint64_t event;
	bool ends;
};

static void empty_slot(void *arg)
{
	const struct slot_call *c = arg;
	struct wm_slot *slot = c->slot;

	/* For the owner's own store relaxed would be enough; the store of a
	 * dead owner was released before its thread ended. */
	if (atomic_load(&wm_state->tracing) != WM_TRACING_ENDED &&
	    !wm_forked(wm_state) && slot->base) {
		struct wm_rec *cur = atomic_load_explicit(&slot->cur,
							  memory_order_acquire);

		write_slot(slot, cur);
		if (stays_in_crash_buffer(slot)) {
			/* full for good: the next event is counted as lost */
			slot->end = slot->base;
			return;
		}
		slot->written_out = 0;
		slot->first += (uint64_t)(cur - slot->base);
		if (c->generation)
			slot->generation = *c->generation;
		atomic_store_explicit(&slot->cur, slot->base,
				      memory_order_relaxed);
		wm_crash_buffer_refill(slot);
		wm_crash_buffer_add_slot(slot);
	}
	if (atomic_load(&wm_state->tracing) != WM_TRACING_ON)
		slot->end = slot->base;
}

void wm_writer_new_filling(struct wm_slot *slot, uint32_t generation)
{
	struct slot_call c = { .slot = slot, .generation = &generation };

	wm_writer_call(empty_slot, &c);
}

void wm_writer_flush(struct wm_slot *slot)
{
	wm_writer_call(empty_slot, &(struct slot_call){ .slot = slot });
}

static void refuse(struct wm_slot *slot, uint64_t event)
{
	const struct wm_rec *cur = atomic_load_explicit(&slot->cur,
							memory_order_acquire);
	uint64_t end = slot->first + (uint64_t)(cur - slot->base);
	struct wm_rec *r;

	if (event >= slot->first + slot->written_out) {
		if (event >= end)
			return; /* a child's slot has no event of its parent */
		/* A killed process leaves either form. */
		r = slot->base + (event - slot->first);
		r->size = 0;
		r->kind = WMT_EV_UNMAP | slot->tag;
	} else if (atomic_load(&wm_state->tracing) == WM_TRACING_ON) {
		if (!wm_blocks.count || wm_block_refused(slot->thread, event))
			wm_drop(1, NULL);
	} else if (atomic_load(&wm_state->tracing) != WM_TRACING_ENDED) {
		wm_drop(1, NULL);
	}
}

static void take_back(void *arg)
{
	const struct slot_call *c = arg;

	if (!wm_forked(wm_state) && c->slot->base)
		refuse(c->slot, c->event);
}

void wm_writer_refused(struct wm_slot *slot, uint64_t event)
{
	wm_writer_call(take_back,
		       &(struct slot_call){ .slot = slot, .event = event });
}

static void write_out_slot(void *arg)
{
	const struct slot_call *c = arg;
	struct wm_slot *slot = c->slot;
	struct wm_rec *cur;
	uint64_t unsettled;

	wm_tracefile_keep_open(true); /* until the end, which follows */
	/* pairs with the release in put_record() of the owner */
	cur = atomic_load_explicit(&slot->cur, memory_order_acquire);
	/* The owner is still in its call, which may be refused: its record is
	 * written later or, if the process ends, as refused. */
	unsettled = atomic_load_explicit(&slot->unsettled,
					 memory_order_relaxed);
	if (unsettled && c->ends)
		refuse(slot, unsettled - 1);
	else if (unsettled > slot->first &&
		 unsettled <= slot->first + (uint64_t)(cur - slot->base))
		cur = slot->base + (unsettled - 1 - slot->first);
	write_slot(slot, cur);
	/* The owner may fill and flush its buffer once more. */
	slot->written_out = (size_t)(cur - slot->base);
}

void wm_writer_write_out(struct wm_slot *slot, bool ends)
{
#ifndef WM_DYNAMIC
	/* A rank that was not named may have no list of modules yet.  A static
	 * program has no loader whose lock another thread could hold. */
	wm_modules_look();
#endif
	call_locked(write_out_slot,
		    &(struct slot_call){ .slot = slot, .ends = ends });
}

/* Events refer to the unsent paths.  The paths are listed after the file has
 * been opened, because its first block may already contain some of them. */
static void send_rest(void)
{
	const struct wm_path *first, *last;

	while (atomic_load(&wm_state->tracing) == WM_TRACING_ON) {
		int before = wm_blocks.failed_in_a_row, r = open_locked();

		first = r ? NULL : wm_pathdb_unsent(&last);
		if (!r && !wm_block_paths(&first, last, true))
			break;
		if (wm_blocks.failed_in_a_row == before && !wm_blocks.capped)
			wm_blocks_stop(ENOMEM);
	}
}

static void new_generation(void *arg)
{
	const struct wm_path *last;

	if (wm_pathdb_generation() != *(const uint32_t *)arg)
		return;
	do {
		if (wm_pathdb_unsent(&last))
			send_rest();
		/* The crash buffer has paths that its events need. */
		if (atomic_load(&wm_state->tracing) == WM_TRACING_STOPPED)
			return;
	} while (!wm_pathdb_reset(last));
}

void wm_writer_new_generation(uint32_t generation)
{
	wm_writer_call(new_generation, &generation);
}

#ifdef WM_DYNAMIC
#define GONE 16 /* libraries at a time */

static void library_closed(void *unused)
{
	struct wm_code_range gone[GONE];
	const struct wm_path *first, *last;
	size_t n;

	(void)unused;
	do {
		n = wm_modules_gone(gone, GONE);
		first = n ? wm_pathdb_unsent(&last) : NULL;
		if (first && wm_pathdb_leads(first, last, gone, n))
			send_rest();
		wm_modules_drop(gone, n);
		if (n)
			wm_pathdb_drop(gone, n);
	} while (n == GONE);
}

void wm_writer_library_closed(void)
{
	if (wm_state && !wm_forked(wm_state) &&
	    atomic_load(&wm_state->tracing) == WM_TRACING_ON)
		call_locked(library_closed, NULL);
}
#endif

static void send_now(void *ok)
{
	const struct wm_path *last, *first;
	int r = -1;

	if (atomic_load(&wm_state->tracing) != WM_TRACING_ON ||
	    !wm_blocks.count)
		return;
	first = wm_pathdb_unsent(&last);
	if (first)
		r = wm_block_paths(&first, last, true);
	else
		r = wm_block_empty();
	*(bool *)ok = r == 0;
}

bool wm_writer_send_paths(void)
{
	bool ok = false;

	wm_writer_call(send_now, &ok);
	return ok;
}

struct pages_call {
	const struct wm_pages_block *block;
	int result;
};

static void write_pages(void *arg)
{
	struct pages_call *c = arg;

	if (atomic_load(&wm_state->tracing) == WM_TRACING_ON && opened > 0 &&
	    wm_blocks.count)
		c->result = wm_block_pages(c->block);
}

int wm_writer_pages(const struct wm_pages_block *b)
{
	struct pages_call c = { b, -1 };

	call_locked(write_pages, &c);
	return c.result;
}

int wm_writer_accesses(const struct wm_access_block *b)
{
	if (atomic_load(&wm_state->tracing) == WM_TRACING_ON &&
	    open_locked() == 0)
		return wm_block_accesses(b);
	return -1;
}

struct epochs_call {
	void *log;
	size_t room;
};

static void begin_epochs(void *arg)
{
	struct epochs_call *c = arg;

	if (atomic_load(&wm_state->tracing) == WM_TRACING_ON)
		c->log = wm_crash_buffer_epochs(&c->room);
}

void *wm_writer_epochs(size_t *room)
{
	struct epochs_call c = { NULL, 0 };

	call_locked(begin_epochs, &c);
	*room = c.room;
	return c.log;
}

static void change_identity(void *arg)
{
	const struct wm_renaming *now = arg;
	struct wm_identity *me = &wm_identity;
	bool changed = now->rank != me->rank || now->ranks != me->ranks ||
		       (now->id && !wm_str_equal(now->id, me->id));

	me->is_final = true;
	me->mpi_rank = now->mpi_rank;
	me->mpi_ranks = now->mpi_ranks;
	/* The contradiction is written with the next block. */
	if (me->mpi_rank != me->launcher_rank ||
	    me->mpi_ranks != me->launcher_ranks)
		wm_blocks.identity_sent = false;
	me->rank = now->rank;
	me->ranks = now->ranks;
	if (now->id) {
		struct wm_text t = wm_text_on(me->id, WM_NAME_MAX);

		wm_text_add(&t, now->id);
	}
	if (opened > 0) {
		struct wm_tracefile_name name = tracefile_name();

		if (changed) {
			wm_blocks.identity_sent = false;
			wm_tracefile_move(&name, wm_crash_buffer_beside());
			wm_crash_buffer_moved();
		}
		copy_bundle();
	}
}

void wm_writer_identify(const struct wm_renaming *now)
{
	call_locked(change_identity, (void *)(uintptr_t)now);
}

static void discard_trace(void *unused)
{
	(void)unused;
	atomic_store(&wm_state->tracing, WM_TRACING_OFF);
	/* A buffer was full before MPI provided the rank. */
	if (opened > 0) {
		wm_crash_buffer_remove();
		wm_tracefile_discard_run();
	}
	opened = -1;
}

void wm_writer_discard(void)
{
	call_locked(discard_trace, NULL);
}

static void end_trace(void *reason)
{
	wm_tracefile_keep_open(true);
	wm_access_lost_tell();
	if (!crash_buffer_needed && open_locked() == 0 &&
	    atomic_load(&wm_state->tracing) != WM_TRACING_ENDED) {
		/* The crash buffer is removed last: if there is no END, the
		 * crash buffer has the last events. */
		if (wm_block_end(reason) == 0)
			wm_crash_buffer_remove();
		if (wm_identity.rank == 0 && !wm_identity.parent) {
			struct wm_tracefile_name name = tracefile_name();

			wm_bundle_copy(&name, true);
		}
	}
	wm_tracefile_keep_open(false);
	atomic_store(&wm_state->tracing, WM_TRACING_ENDED);
}

void wm_writer_end(const char *reason)
{
	call_locked(end_trace, (void *)(uintptr_t)reason);
}

void wm_writer_forget(void)
{
	opened = crash_buffer_made = crash_buffer_needed = false;
	write_ns = 0;
	wm_blocks_forget();
	wm_tracefile_forget();
}

static void gather_numbers(void *arg)
{
	struct wm_writer_numbers *f = arg;

	/* after the slots; the program continues */
	wm_tracefile_keep_open(false);
	f->events = wm_blocks.events;
	f->trace_bytes = wm_tracefile_size();
	f->memory_high = wm_pool_high();
	f->write_ns = write_ns;
}

void wm_writer_numbers(struct wm_writer_numbers *f)
{
	call_locked(gather_numbers, f);
}
