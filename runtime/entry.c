/* SPDX-License-Identifier: Apache-2.0 */
/* The constructor, the end, and the start and end of MPI.  Tracing starts with
 * the first event (start.h), and ends in _exit() or, in dynamic programs, whose
 * libc calls its own _exit(), in an exit handler that runs after all others. */
#include <stdbool.h>

#include "runtime/base/overwritten.h"
#include "runtime/base/peek.h"
#include "runtime/base/report.h"
#include "runtime/base/state.h"
#include "runtime/base/sys.h"
#include "runtime/callpath/unseen.h"
#include "runtime/event/holding.h"
#include "runtime/event/slot.h"
#include "runtime/hooks.h"
#include "runtime/pages/page_mode.h"
#include "runtime/process/identity.h"
#include "runtime/process/preload.h"
#include "runtime/process/start.h"
#include "runtime/summary/summary.h"
#include "runtime/trace/accesses.h"
#include "runtime/trace/writer.h"
#include "wm/trace_format.h"

/* A vfork child shares our memory, but its _exit() is not our end. */
static bool is_tracing(void)
{
	return wm_state && !wm_forked(wm_state) &&
	       wm_sys_getpid() == wm_state->pid &&
	       atomic_load(&wm_state->tracing) != WM_TRACING_OFF;
}

static void discard_trace(void)
{
	atomic_fetch_and(&wm_slow_reasons, ~WM_SLOW_USABLE);
	wm_pages_finish();
	wm_writer_discard();
	wm_slots_close();
}

static void decide_at_end(void *unused)
{
	(void)unused;
	/* the end of a vfork child, which shares our memory, decides nothing */
	if (wm_sys_getpid() != wm_identity.pid)
		return;
	/* MPI was never initialized. */
	if (wm_identity.undecided && is_tracing() &&
	    wm_is_left_out(wm_identity.rank, wm_identity.ranks))
		discard_trace();
	wm_identity.undecided = false;
	if (wm_identity.nobody_pid == wm_identity.pid) {
		wm_identity.nobody_pid = 0;
		wm_report_losses();
	}
}

static void end_trace(void *reason)
{
	wm_pages_finish();
	wm_holding_end();
	wm_slots_write_out(true);
	wm_writer_end(reason);
	if (wm_options.summary && !wm_identity.parent &&
	    !atomic_load(&wm_state->mpi))
		wm_summary_process();
	wm_report_losses();
}

static void end_process(const char *reason, int status)
{
	int me = wm_sys_gettid(), other = 0;
	uint64_t signals;

	if (wm_identity.undecided || wm_identity.nobody_pid)
		wm_aside(decide_at_end, NULL);
	if (!is_tracing())
		return;
	/* Signals are blocked first: later events of a handler would not be
	 * counted. */
	wm_sys_block_signals(&signals);
	if (!atomic_compare_exchange_strong(&wm_state->ender, &other, me)) {
		wm_sys_restore_signals(&signals);
		/* If two threads end the process, the second waits, because it
		 * would truncate the trace.  A handler inside the end cannot
		 * wait. */
		while (other != me && !wm_forked(wm_state) &&
		       atomic_load(&wm_state->tracing) != WM_TRACING_ENDED)
			wm_sys_yield();
		return;
	}
	wm_depth = 1;
	wm_state->exit_status = status;
	wm_aside(end_trace, (void *)(uintptr_t)reason);
	wm_sys_restore_signals(&signals);
}

void wm_process_end(const char *reason)
{
	end_process(reason, -1);
}

void wm_process_exits(int status)
{
	end_process("exit", status & 255);
}

/* Only stores, because a handler of SIGABRT may continue the program. */
void wm_process_aborts(void)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	struct wmw_head *w;

	if (!wm_state || !is_tracing())
		return;
	w = atomic_load(&wm_state->crash_buffer);
	if (w)
		w->aborts = wm_depth > here ? WMW_ABORTS_INSIDE : WMW_ABORTS;
}

#ifdef WM_DYNAMIC
extern int __cxa_atexit(void (*)(void *, int), void *, void *);
extern int __cxa_at_quick_exit(void (*)(void *, int), void *)
	__attribute__((weak));

/* NULL in musl, whose exit() runs handlers before destructors, and ignores
 * those that are registered later. */
extern const char *gnu_get_libc_version(void) __attribute__((weak));

/* Since 2.2 glibc passes the status of exit() to these handlers, too.
 * on_exit() documents it, but a program may have a function of that name. */
static void last_handler(void *unused, int status)
{
	(void)unused;
	end_process("exit", status & 255);
}

static void last_quick_handler(void *unused, int status)
{
	(void)unused;
	end_process("quick_exit", status & 255);
}

/* The handler that is registered first runs last.  glibc has the function since
 * 2.10. */
static void watch_quick_exit(void)
{
	uintptr_t depth = wm_depth;

	wm_depth = (uintptr_t)wm_frame();
	if (__cxa_at_quick_exit)
		__cxa_at_quick_exit(last_quick_handler, NULL);
	wm_depth = depth;
}

/* Runs before the destructors of libraries or, preloaded, among them.  A
 * handler that is registered now runs after all of them. */
__attribute__((destructor(101))) static void at_exit(void)
{
	uintptr_t depth = wm_depth;

	wm_depth = (uintptr_t)wm_frame();
	if (is_tracing() &&
	    (!gnu_get_libc_version || __cxa_atexit(last_handler, NULL, NULL)))
		wm_process_end("exit");
	wm_depth = depth;
}
#else
static void watch_quick_exit(void)
{
}
#endif

static void open_file(void *unused)
{
	(void)unused;
	wm_writer_open();
}

static void start_pages(void *unused)
{
	(void)unused;
	wm_pages_start();
}

/* Begins the trace at the start, so that nothing is lost to a SIGKILL.  Ranks
 * of MPI that no launcher has named wait until they know their rank. */
__attribute__((constructor(101))) static void at_start(void)
{
	watch_quick_exit();
	if (wm_start() && is_tracing()) {
		wm_peek_start();
		wm_identity.is_final = !wm_uses_mpi() ||
				       wm_identity_is_certain();
		if (wm_identity.is_final && !wm_identity.undecided)
			wm_aside(open_file, NULL);
		if (wm_options.pages)
			wm_aside(start_pages, NULL);
	}
}

bool wm_mpi_wants_name(int ranks)
{
	/* The launcher's variables decide, so all ranks decide alike, including
	 * those that WM_RANKS leaves out.  But wm-run may be used for only some
	 * programs of the job, or not get into one. */
	wm_start();
	return ranks > 1 && wm_identity.joins && !wm_identity.job_named &&
	       !wm_preload_wants;
}

void wm_mpi_name(char name[WM_NAME_MAX])
{
	/* not yet read in a rank that WM_RANKS leaves out */
	if (!wm_identity.id[0])
		wm_identity_read();
	for (size_t i = 0; i < WM_NAME_MAX; i++)
		name[i] = wm_identity.id[i];
}

struct world {
	int rank, ranks;
	const char *name;
};

static void join_world(void *arg)
{
	const struct world *w = arg;
	char names[WM_OVERWRITTEN_ROOM];
	struct wm_renaming now;

	if (wm_identity.undecided) {
		wm_identity.undecided = false;
		if (wm_is_left_out(w->rank, w->ranks))
			discard_trace();
	}
	if (is_tracing()) {
		atomic_store(&wm_state->mpi, 1);
		wm_identity_by_mpi(w->rank, w->ranks, w->name, &now);
		wm_writer_identify(&now);
		wm_writer_open();
		wm_pages_rank_known(now.rank);
		wm_access_rank_known();
		/* For the reader of a killed process: what MPI has loaded. */
		wm_overwritten_look(names);
	}
}

void wm_mpi_up(int rank, int ranks, const char *name)
{
	struct world w = { rank, ranks, name };
	uintptr_t depth = wm_depth;

	wm_depth = (uintptr_t)wm_frame();
	if (wm_start() && is_tracing())
		wm_aside(join_world, &w);
	wm_annotate_saying(WMT_SAYING_INITIALIZED, NULL, 0);
	wm_depth = depth;
}

/* MPI_Init may still follow with other ranks: then the trace moves. */
void wm_mpi_no_world(void)
{
	uintptr_t depth = wm_depth;

	wm_depth = (uintptr_t)wm_frame();
	if (wm_start() && is_tracing() && !wm_identity.undecided)
		wm_aside(open_file, NULL);
	wm_depth = depth;
}

static void summarize_mpi(void *after)
{
	wm_summary_mpi(*(const int *)after);
}

void wm_mpi_down(int after)
{
	uintptr_t depth = wm_depth;

	wm_depth = (uintptr_t)wm_frame();
	if (!after) {
		wm_requests_write();
		wm_annotate_saying(WMT_SAYING_FINALIZE, NULL, 0);
		wm_memory_goes(SIZE_MAX);
	}
	if (after && is_tracing() && atomic_load(&wm_state->mpi))
		atomic_store(&wm_state->mpi, 2);
	if (wm_options.summary && is_tracing() && !wm_identity.parent)
		wm_aside(summarize_mpi, &after);
	wm_depth = depth;
}
