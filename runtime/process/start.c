/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/process/start.h"

#include <elf.h>
#include <sys/auxv.h>
#include <time.h>

#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/base/losses.h"
#include "runtime/base/objects.h"
#include "runtime/base/on_stack.h"
#include "runtime/base/pool.h"
#include "runtime/base/report.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/process/identity.h"
#include "runtime/process/memory_plan.h"
#include "runtime/process/preload.h"
#include "runtime/trace/accesses.h"
#include "runtime/trace/blocks.h"
#include "runtime/trace/usage.h"

/* 0: not started, 1: a thread is starting, 2: done, see wm_state */
static _Atomic int started;

void wm_state_begin(struct wm_state *st)
{
	st->pid = wm_sys_getpid();
	st->start_ticks = wm_clock_ticks();
	st->start_mono = wm_clock_ns(CLOCK_MONOTONIC);
	st->start_real = wm_clock_ns(CLOCK_REALTIME);
}

int wm_uses_mpi(void)
{
	static int uses = -1;

	if (uses < 0)
		uses = wm_preload_mpi ? wm_preload_mpi() :
					&wm_mpi_present != NULL;
	return uses;
}

bool wm_is_left_out(int rank, int ranks)
{
	uint64_t lowest;

	if (!wm_options.ranks[0] ||
	    wm_rank_list_has(wm_options.ranks, (uint64_t)rank))
		return false;
	wm_rank_list_check(wm_options.ranks, &lowest);
	if (rank == 0 && lowest >= (uint64_t)ranks && !wm_options.warning[0]) {
		struct wm_text t = wm_text_on(wm_options.warning,
					      sizeof(wm_options.warning));

		wm_text_add(&t, "nothing is traced: the job has no rank that "
				"WM_RANKS names, the lowest of which is ");
		wm_text_uint(&t, lowest, 1);
		wm_identity.nobody_pid = wm_identity.pid;
	}
	return true;
}

/* Whether the process is traced; if not, it takes no memory, file or time. */
static bool decide_tracing(void)
{
	wm_identity.joins = true;
	wm_identity_begin();
	if (!wm_options.ranks[0])
		return true;
	/* A launcher with one rank may not be the one that counts. */
	wm_identity.undecided = wm_uses_mpi() &&
				(wm_str_equal(wm_identity.launcher, "none") ||
				 wm_identity.ranks == 1);
	if (wm_identity.undecided ||
	    !wm_is_left_out(wm_identity.rank, wm_identity.ranks))
		return true;
	if (wm_identity.nobody_pid)
		wm_report_start();
	return false;
}

static void set_up(void *unused)
{
	struct wm_state *st;
	struct wm_text t;

	(void)unused;
	wm_options_read();
	/* Privileged programs write no files to places that other users
	 * choose. */
	if (wm_options.disable || getauxval(AT_SECURE) ||
	    (wm_preload_wants && !wm_preload_wants()) || !decide_tracing())
		return;
	wm_identity_read();
	wm_report_start();
	st = wm_memory_plan_start() ? wm_pool_map(sizeof(*st)) : NULL;
	if (!st) {
		t = wm_text_on(wm_options.warning, sizeof(wm_options.warning));
		wm_text_add(&t, "nothing is traced: the limits on memory leave "
				"too little");
		wm_identity.nobody_pid = wm_identity.pid;
		return;
	}
	wm_aside_ready();
	wm_blocks_reserve();
	wm_clock_start();
	st->wipes = wm_pool_wipe(st, sizeof(*st));
	wm_state_begin(st);
	if (wm_options.max_bytes || wm_options.summary)
		atomic_fetch_or(&wm_slow_reasons, WM_SLOW_USABLE);
	wm_access_frames = wm_options.access_locals;
	if (wm_options.summary)
		atomic_store(&wm_usage_until, 0);
	atomic_store(&st->tracing, WM_TRACING_ON);
	/* Stored last: from here on all threads record. */
	__atomic_store_n(&wm_state, st, __ATOMIC_RELEASE);
	wm_drop_early();
	wm_early_end();
}

bool wm_start(void)
{
	int none = 0;

	/* This thread does not wait for another's start: it may be in a handler
	 * that has interrupted it. */
	if (atomic_compare_exchange_strong(&started, &none, 1)) {
		wm_aside_once(set_up, NULL);
		/* pairs with the load in wm_start_event(): a thread that reads
		 * 2 sees wm_state */
		atomic_store_explicit(&started, 2, memory_order_release);
	}
	return wm_state != NULL;
}

bool wm_start_is_done(void)
{
	return atomic_load_explicit(&started, memory_order_acquire) == 2;
}

bool wm_start_event(void)
{
	if (atomic_load_explicit(&started, memory_order_acquire) == 0)
		wm_start();
	if (atomic_load_explicit(&started, memory_order_acquire) == 2)
		return wm_state != NULL;
	wm_drop(1, "a thread had an event while another's first one began the "
		   "trace");
	return false;
}
