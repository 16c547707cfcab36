/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/fields.h"

#include <stdbool.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

#include "wm/trace_format.h"
#include "wm/version.h"

#include "runtime/base/clock.h"
#include "runtime/base/file_text.h"
#include "runtime/base/losses.h"
#include "runtime/base/objects.h"
#include "runtime/base/state.h"
#include "runtime/base/text.h"
#include "runtime/callpath/modules.h"
#include "runtime/trace/child_usage.h"
#include "runtime/trace/crash_buffer.h"
#include "runtime/trace/head.h"
#include "runtime/trace/resident.h"

/* Adds our rank according to the launcher and to MPI, if the two differ. */
static void put_contradiction(struct wm_buf *head)
{
	const struct wm_identity *me = &wm_identity;

	if (!me->launcher_ranks || !me->mpi_ranks ||
	    (me->launcher_rank == me->mpi_rank &&
	     me->launcher_ranks == me->mpi_ranks))
		return;
	wm_head_uint(head, WMT_F_LAUNCHER_RANK, (uint64_t)me->launcher_rank);
	wm_head_uint(head, WMT_F_LAUNCHER_RANKS, (uint64_t)me->launcher_ranks);
	wm_head_uint(head, WMT_F_MPI_RANK, (uint64_t)me->mpi_rank);
	wm_head_uint(head, WMT_F_MPI_RANKS, (uint64_t)me->mpi_ranks);
}

/* No copy of the command line is kept.  Its bytes are first read to an address
 * behind the room for tag and length. */
static void put_command(struct wm_buf *head)
{
	uint8_t *p = head->p + head->len + 2 * WM_VARINT_MAX;
	size_t len = wm_options.no_command ?
			     0 :
			     wm_file_text("/proc/self/cmdline", (char *)p,
					  WM_HEAD_TEXT + 2);

	if (!len)
		return;
	wm_head_varint(head, WMT_F_COMMAND);
	wm_head_varint(head, len > WM_HEAD_TEXT ? WM_HEAD_TEXT : len);
	memmove(head->p + head->len, p, len);
	head->len += len > WM_HEAD_TEXT ? WM_HEAD_TEXT : len;
	if (len > WM_HEAD_TEXT)
		wm_head_uint(head, WMT_F_COMMAND_CUT, 1);
}

static void put_batch(struct wm_buf *head)
{
	const struct wm_identity *me = &wm_identity;

	if (!me->batch)
		return;
	wm_head_text(head, WMT_F_BATCH, me->batch);
	wm_head_text(head, WMT_F_BATCH_JOB, me->batch_job);
	if (me->cpus > 0)
		wm_head_uint(head, WMT_F_CPUS, (uint64_t)me->cpus);
}

void wm_fields_identity(struct wm_buf *head)
{
	wm_head_text(head, WMT_F_RUN_ID, wm_identity.id);
	wm_head_uint(head, WMT_F_RANK, (uint64_t)wm_identity.rank);
	wm_head_uint(head, WMT_F_RANKS, (uint64_t)wm_identity.ranks);
	put_contradiction(head);
}

/* Returns the time on CLOCK_MONOTONIC when the process was made, at the end of
 * that tick, or 0 if it is not known.  The kernel has the time as field 22, in
 * ticks of CLOCK_BOOTTIME. */
static uint64_t born(void)
{
	const uint64_t tick = 1000000000u / getauxval(AT_CLKTCK);
	uint64_t boot = wm_clock_ns(CLOCK_BOOTTIME);
	uint64_t mono = wm_clock_ns(CLOCK_MONOTONIC), ticks;
	char text[512], *s;

	wm_file_text("/proc/self/stat", text, sizeof(text));
	s = strrchr(text, ')'); /* the name may have spaces */
	for (int field = 2; s && field < 22; field++)
		s = strchr(s + 1, ' ');
	if (!s || !wm_str_uint(s + 1, &ticks))
		return 0;
	ticks = (ticks + 1) * tick;
	return ticks < boot && boot - ticks < mono ? mono - (boot - ticks) :
						     mono;
}

static void put_parent(struct wm_buf *head)
{
	uint64_t then = born();

	wm_head_uint(head, WMT_F_PARENT, (uint64_t)wm_identity.parent);
	if (then)
		wm_head_uint(head, WMT_F_BORN, then);
}

void wm_fields_start(struct wm_buf *head, int crash_buffer)
{
	const struct wm_state *st = wm_state;
	uint8_t id[64];
	size_t id_len = wm_modules_build_id(id, sizeof(id));

	wm_head_text(head, WMT_F_PROGRAM, wm_identity.program);
	wm_head_text(head, WMT_F_EXE, wm_identity.exe);
	wm_head_text(head, WMT_F_HOST, wm_identity.host);
	wm_head_text(head, WMT_F_BOOT_ID, wm_identity.boot_id);
	wm_head_uint(head, WMT_F_PID, (uint64_t)st->pid);
	put_command(head);
	put_batch(head);
	wm_fields_limits(head);
	wm_child_usage_begin();
	if (wm_identity.parent)
		put_parent(head);
	if (id_len)
		wm_head_bytes(head, WMT_F_BUILD_ID, id, id_len);
	wm_head_uint(head, WMT_F_CLOCK, (uint64_t)wm_clock_kind);
	wm_head_triple(head, WMT_F_START_TIME, st->start_ticks, st->start_mono,
		       st->start_real);
	wm_head_text(head, WMT_F_TOOL_VERSION, WM_VERSION);
	wm_head_text(head, WMT_F_LAUNCHER, wm_identity.launcher);
	if (wm_identity.spawned)
		wm_head_uint(head, WMT_F_SPAWNED, 1);
	if (&wm_handles_unseen)
		wm_head_uint(head, WMT_F_HANDLES_UNSEEN, 1);
	if (crash_buffer)
		wm_head_text(head, WMT_F_WINDOW, wm_crash_buffer_path());
	wm_head_uint(head, WMT_F_BUFFER_EVENTS,
		     wm_options.buffer_bytes / sizeof(struct wm_rec));
	if (wm_options.ranks[0])
		wm_head_text(head, WMT_F_TRACED_RANKS, wm_options.ranks);
	wm_head_uint(head, WMT_F_TOOL_START, wm_memory_plan.start);
	wm_head_uint(head, WMT_F_TOOL_THREAD, wm_memory_plan.thread);
	wm_head_uint(head, WMT_F_TOOL_PATHS, wm_memory_plan.paths);
}

void wm_fields_end(struct wm_buf *head, const char *reason)
{
	int mpi = atomic_load(&wm_state->mpi);

	wm_head_text(head, WMT_F_END_REASON, reason);
	if (wm_state->exit_status >= 0)
		wm_head_uint(head, WMT_F_EXIT_STATUS,
			     (uint64_t)wm_state->exit_status);
	if (mpi)
		wm_head_uint(head, WMT_F_MPI, (uint64_t)mpi);
	if (*wm_drop_reason())
		wm_head_text(head, WMT_F_DROP_REASON, wm_drop_reason());
	wm_head_uint(head, WMT_F_TOOL_MEMORY, wm_pool_high());
	wm_head_uint(head, WMT_F_TOOL_RESIDENT, wm_pool_resident());
	wm_head_uint(head, WMT_F_THREADS, atomic_load(&wm_state->threads));
	if (wm_options.unwind == WM_UNWIND_CHECK) {
		wm_head_uint(head, WMT_F_UNWIND_CHECKED,
			     atomic_load(&wm_state->unwind_checked));
		wm_head_uint(head, WMT_F_UNWIND_DIFFERED,
			     atomic_load(&wm_state->unwind_differed));
	}
	if (atomic_load(&wm_state->skipped))
		wm_head_uint(head, WMT_F_PAUSED_ALLOCATIONS,
			     atomic_load(&wm_state->skipped));
	wm_child_usage_put(head);
	wm_resident_put(head, true);
}
