/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One trace file: the facts about its process, its call paths, and the places
 * of the blocks of each thread.
 *
 * wm_trace_open() walks the file once, block by block, and decodes only heads,
 * DICT and MODULES; memory grows with the call paths and by 72 bytes for each
 * block.  Event columns are read later, thread by thread, with wm_trace_load().
 * If a block is then found damaged, it ends the readable part of the file: open
 * the file again with the block's number as limit.
 *
 * One thread at a time per wm_trace.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/base/index.h"
#include "analyze/lib/trace/generation.h"
#include "analyze/lib/trace/head.h"
#include "analyze/lib/trace/origin.h"
#include "analyze/lib/trace/paths.h"
#include "analyze/lib/trace/refused.h"
#include "analyze/lib/trace/source.h"
#include "analyze/lib/trace/stream.h"
#include "analyze/lib/trace/read_usage.h"

struct wm_clocks {
	uint64_t ticks, mono_ns, real_ns;
};

/* An event; fields that its kind does not have are 0. */
struct wm_event {
	uint64_t time; /* ticks; never falls */
	uint64_t addr; /* the new or the old one */
	uint64_t size; /* or the extra value */
	uint32_t path; /* the trace's number, unless noted */
	uint8_t kind;
};

struct wm_event_block {
	uint64_t offset; /* of its Stream in the file */
	uint64_t size; /* of the Stream, or the block's share in it */
	uint64_t first; /* ticks of the first event */
	uint32_t number; /* in the file, from 0 */
	uint32_t events;
	uint32_t thread;
	uint32_t generation; /* index of wm_trace.gen */
	uint64_t event_first; /* number in the thread of the first event */
	uint32_t tid; /* system's number of the thread; 0: unknown */
	uint16_t part; /* number in the Stream, from 0 */
	bool joined; /* the Stream has several blocks */
	uint64_t at; /* THREAD_AT; 0: unknown */
	const struct wm_event *memory; /* events not in the file; else NULL */
};

struct wm_page_block {
	uint64_t offset;
	uint64_t first, epochs; /* number of its first epoch; how many */
	uint64_t now_ns; /* when it was made, since the process began */
	uint32_t number;
	uint32_t part;
	/* in the crash buffer: EPOCHS, ACCESSED and WRITTEN, which are not in
	 * the file; the first `known` epochs are also in the file */
	const uint8_t *memory;
	size_t size[3];
	uint64_t known;
};

#define WM_NO_STATUS UINT64_MAX

struct wm_accesses_block {
	uint64_t offset;
	uint64_t thread, tid;
	uint64_t first, accesses; /* number of the first; how many */
	/* the thread's access number i is base + i of its stream */
	uint64_t stream, base;
	uint64_t lost; /* accesses that are in no block */
	uint32_t number;
	uint32_t part;
};

/* The blocks of one thread: [first, first + count) of wm_trace.blocks. */
struct wm_trace_thread {
	uint32_t number;
	uint32_t first, count;
	uint32_t tid; /* system's number; 0: unknown */
	uint64_t at; /* THREAD_AT of its first block; 0: unknown */
};

/* The ranks by launcher and by MPI, if both differ; else all 0. */
struct wm_rank_conflict {
	uint64_t launcher_rank, launcher_ranks;
	uint64_t mpi_rank, mpi_ranks;
};

/* Loads and stores are recorded only in bursts of `burst` ns of every `every`
 * ns; if `burst` is 0, all are recorded. */
struct wm_bursts {
	uint64_t burst, every, recorded, elapsed;
};

struct wm_trace {
	char *name;
	struct wm_source src;

	/* from START and later corrections; strings may be NULL */
	char *run_id, *program, *host, *boot_id;
	struct wm_origin origin;
	char *access_only; /* WM_ACCESS_ONLY, or NULL */
	char *traced_ranks; /* ranks that were to be traced; NULL: all */
	struct wm_module exe; /* its path is "" if unknown */
	uint64_t pid, rank, ranks, clock;
	uint64_t parent; /* of a traced child; else 0 */
	uint64_t born; /* of a child: CLOCK_MONOTONIC in ns; 0: unknown */
	bool corrected; /* a later block had RUN_ID, RANK or RANKS */
	struct wm_rank_conflict conflict;
	bool spawned; /* by MPI_Comm_spawn */
	bool repacked;
	struct wm_clocks start, last;
	double begin; /* seconds on the job's clock; set by callers */

	/* from END */
	bool ended;
	char *end_reason, *drop_reason;
	uint64_t exit_status; /* WM_NO_STATUS: unknown */
	uint64_t mpi; /* as WMT_F_MPI; 0: unknown */
	char *unseen_libraries; /* of any block; NULL: none */
	char *overwritten; /* functions, of any block; NULL: none */
	uint64_t events_total, paused_allocations;
	struct wm_tool tool;
	struct wm_usage usage;

	/* if the process was killed */
	bool unborn;
	char *crash_buffer_path; /* WINDOW of START; NULL: none */
	uint64_t buffer_events; /* the most that each thread may have lost */
	bool crash_buffer_used;
	bool aborts_inside; /* abort() came from the allocator */
	bool crash_buffer_elsewhere; /* the file was at crash_buffer_path */
	uint32_t outside; /* threads not in the crash buffer */
	uint64_t crash_buffer_events;
	uint64_t crash_buffer_pathless; /* with an unknown path */
	struct wm_err crash_buffer_damage; /* why it was not used */
	struct wm_memory_block *memory;
	uint64_t end_ticks; /* `last`, or the last event if it is later */

	uint64_t dropped, paths_cut;
	uint64_t accesses_lost; /* by the last block with this field */
	struct wm_bursts bursts;
	uint64_t footprint, footprint_peak; /* 0: unknown */
	uint64_t gaps; /* missing blocks, by sequence numbers */
	struct wm_err damage; /* why reading stopped, or empty */
	/* wm_trace_blame() stores its block number here; may be NULL */
	uint64_t *blamed;
	uint64_t read_bytes;
	uint64_t max_shift;
	/* the most by which clocks went back: in ticks, also between events of
	 * one thread, and in ns of CLOCK_MONOTONIC; time of the latest event */
	uint64_t ticks_back, mono_back, latest;

	/* page accesses (read_epochs.h) */
	struct wm_page_block *page_blocks; /* in file order */
	size_t page_block_count, page_block_cap;
	uint64_t epochs,
		epochs_end; /* number of epochs; number behind the last */
	uint64_t interval_ns; /* ns of CPU time; 0: a budget */
	/* the cost of watching pages up to epoch epochs_end; 0: unknown */
	struct wm_watch_cost {
		uint64_t thread_ns, faults, faults_ns, epochs_end;
	} watch;
	unsigned page_shift;
	bool samples; /* epochs have an access to each page */
	uint8_t *page_memory;
	char *pages_end; /* why epochs end before the process; or NULL */

	/* loads and stores (read_accesses.h) */
	struct wm_accesses_block
		*access_blocks; /* by thread, then in file order */
	size_t access_block_count, access_block_cap;

	struct wm_event_block *blocks; /* by thread, then in file order */
	size_t block_count, block_cap;
	struct wm_trace_thread *threads; /* by number */
	size_t thread_count, thread_cap;
	struct wm_refused *refused; /* releases, by thread and number */
	size_t refused_count, refused_cap;
	struct wm_generation *gen;
	size_t gen_count, gen_cap;
	struct wm_index gen_index;
	struct wm_paths paths;
	char **names; /* number 1 is names[0]; NULL: lost */
	size_t name_count, name_cap;
	size_t name_bytes;
};

#define WM_ALL_BLOCKS UINT64_MAX

/* Opens @path, which errors call @name.  Only blocks before number @limit are
 * used; @damage, the reason for the limit, may be NULL.  Returns WM_BAD_INPUT
 * if the whole file is unreadable.  If a later part of the file is unreadable,
 * returns WM_OK, and t->damage has the reason. */
enum wm_status wm_trace_open(struct wm_trace *t, const char *path,
			     const char *name, uint64_t limit,
			     const struct wm_err *damage, struct wm_err *err);
/* Opens a trace without its crash buffer.  Stores in *@blocks the number of
 * blocks that were written up to the end of the readable part. */
enum wm_status wm_trace_open_alone(struct wm_trace *t, const char *path,
				   const char *name, uint64_t limit,
				   const struct wm_err *damage,
				   uint64_t *blocks, struct wm_err *err);
/* Opens a trace only to identify its process.  The crash buffer is not read,
 * nor are call paths, modules, names and events after the first block.  Damage
 * in these columns is not noticed: if t->corrected, wm_trace_open() may give
 * other values. */
enum wm_status wm_trace_open_heads(struct wm_trace *t, const char *path,
				   const char *name, struct wm_err *err);
void wm_trace_release(struct wm_trace *t);

enum wm_status wm_trace_generation(struct wm_trace *t, uint64_t id,
				   uint32_t *index, struct wm_err *err);

double wm_trace_tick_ns(const struct wm_trace *t);
/* Returns the seconds by which the trace's clocks went back, or by which events
 * are later than the last reading of the clocks; 0 if less than one second. */
double wm_trace_jump(const struct wm_trace *t);
double wm_trace_duration(const struct wm_trace *t, uint64_t ticks);
/* Returns the time on the job's clock: t->begin and seconds since START. */
double wm_trace_seconds(const struct wm_trace *t, uint64_t ticks);
/* Returns the name with @number, or NULL if there is none or it was lost. */
static inline const char *wm_trace_name(const struct wm_trace *t,
					uint64_t number)
{
	return number && number <= t->name_count ? t->names[number - 1] : NULL;
}
/* Returns the ticks of @ns nanoseconds, rounded up. */
uint64_t wm_trace_ticks(const struct wm_trace *t, uint64_t ns);

/* The columns of one block of events, decoded to plain bytes. */
struct wm_event_data {
	struct wm_source src; /* shared descriptor, own buffer */
	struct wm_stream stream;
	struct wm_column col[WMT_COL_LIMIT];
	uint8_t encoding[WMT_COL_LIMIT];
	uint8_t packed[WMT_COL_LIMIT];
	uint8_t *unpacked;
	size_t unpacked_cap;
	struct wm_ops *ops; /* see decode_ops.c; made when needed */
};

static inline bool wm_trace_without_pages(const struct wm_trace *t)
{
	return !t->page_block_count;
}

static inline bool wm_trace_without_accesses(const struct wm_trace *t)
{
	return !t->access_block_count;
}

void wm_event_data_init(struct wm_event_data *d, const struct wm_trace *t);
void wm_event_data_release(struct wm_event_data *d);
size_t wm_event_data_memory(const struct wm_event_data *d);
/* Reads @b into @d, replacing the contents of @d.  If a check fails, returns
 * WM_BAD_INPUT with a message that names block and offset. */
enum wm_status wm_trace_load(const struct wm_trace *t,
			     const struct wm_event_block *b,
			     struct wm_event_data *d, struct wm_err *err);
/* Like wm_err_set(), but with trace, block and offset before the text.  Reports
 * every error about a block, and sets *t->blamed. */
enum wm_status wm_trace_blame(const struct wm_trace *t, uint64_t number,
			      uint64_t offset, enum wm_status status,
			      const char *reason, struct wm_err *err);
