/* SPDX-License-Identifier: Apache-2.0 */
/* The facts about one rank after its trace has been read.  A struct wm_rank
 * owns all that it points to.  One thread makes it and passes it on. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "analyze/access/access_table.h"
#include "analyze/access/cache.h"
#include "analyze/access/reuse.h"
#include "analyze/access/sharing.h"
#include "analyze/lib/base/error.h"
#include "analyze/passes/lifetime.h"
#include "analyze/passes/annotations.h"
#include "analyze/passes/failed.h"
#include "analyze/pages/pages.h"
#include "analyze/lib/replay/merge.h"
#include "analyze/lib/replay/pass.h"
#include "analyze/lib/trace/paths.h"
#include "analyze/lib/trace/reader.h"
#include "analyze/lib/trace/read_usage.h"

/* Requested bytes and blocks of one call path. */
struct wm_use {
	/* alive at the rank's peak, or at the moment of --at */
	uint64_t peak_bytes, peak_blocks;
	uint64_t end_bytes, end_blocks; /* alive at the end of the trace */
	/* the part of .end in ranks whose trace was cut */
	uint64_t held_bytes, held_blocks;
	/* alive when MPI_Finalize began, or at the end of traces without
	 * MPI_Finalize; without ranks whose trace was cut */
	uint64_t left_bytes, left_blocks;
	/* .left_blocks of the rank with the most */
	uint64_t most_blocks;
	/* the function that makes the MPI handles of this path, by its number
	 * in wm/handle_list.h, or 0; handles count only in .left_blocks */
	uint64_t maker;
	bool doubles; /* wm_lifetime.doubles, set only by some reports */
};

/* Return memory that was never freed.  Held memory does not count, as the
 * process may have freed it later. */
static inline uint64_t wm_use_unfreed_bytes(const struct wm_use *u)
{
	return u->end_bytes - u->held_bytes;
}

static inline uint64_t wm_use_unfreed_blocks(const struct wm_use *u)
{
	return u->end_blocks - u->held_blocks;
}

static inline void wm_use_add(struct wm_use *to, const struct wm_use *from)
{
	to->peak_bytes += from->peak_bytes;
	to->peak_blocks += from->peak_blocks;
	to->end_bytes += from->end_bytes;
	to->end_blocks += from->end_blocks;
	to->left_bytes += from->left_bytes;
	to->left_blocks += from->left_blocks;
	to->held_bytes += from->held_bytes;
	to->held_blocks += from->held_blocks;
	if (from->most_blocks > to->most_blocks)
		to->most_blocks = from->most_blocks;
	if (from->maker)
		to->maker = from->maker;
	to->doubles |= from->doubles;
}

struct wm_family_use {
	uint64_t peak_bytes; /* highest live bytes of the family */
	uint64_t at_peak_bytes; /* alive at the rank's peak */
	uint64_t end_bytes, end_blocks; /* never released */
};

struct wm_space_use {
	uint64_t peak_bytes, peak_blocks, end_bytes, end_blocks;
	/* an upper bound, above .peak_bytes if several threads allocate */
	uint64_t peak_at_most;
	double peak_seconds; /* of the peak, on the clock of the job */
	/* how long live bytes were at least 99 and 90 % of the peak */
	double peak_99_seconds, peak_90_seconds;
};

struct wm_bin {
	uint64_t max, end; /* live bytes: highest, and at the bin's end */
};

/* Bytes from the moment .ns until the next step. */
struct wm_course_step {
	uint64_t ns; /* on the clock of the job */
	uint64_t bytes; /* upper bound */
};

struct wm_course {
	struct wm_course_step *step;
	size_t count;
};

/* The result of the pass course, without shared memory. */
struct wm_courses {
	/* memory that the system gets back as soon as the program releases it:
	 * mappings, and blocks that glibc's malloc always maps */
	struct wm_course large;
	uint64_t rest_most; /* upper bound of live bytes of all other memory */
	struct wm_course live; /* of all memory, in coarser steps */
	/* live bytes when the kernel last measured resident memory, and the
	 * highest live bytes since then */
	uint64_t look_live, since_look;
	/* upper bound of resident memory at any time, without shared memory but
	 * with the tool's, if only traced calls gave memory back; 0: unknown */
	uint64_t private_most;
	/* the same bound if other calls gave memory back, too: it takes all
	 * pages touched between two measurements as resident at once */
	uint64_t touched_most;
};

struct wm_timeline {
	struct wm_bin *bin;
	size_t count;
	double seconds; /* width of a bin */
	/* highest live bytes of WM_POINTS_OF_BIN equal stretches in each bin;
	 * NULL: dropped with a rank that is not retained */
	uint64_t *point;
	size_t points;
};

/* The bytes of @key at the maximum of each bin, from bin @bin on. */
struct wm_series_step {
	uint64_t bytes;
	uint32_t key; /* call path, phase, or name */
	uint32_t bin;
};

/* Two keys of the pass names: blocks without a name; names without a key. */
#define WM_NAMES_NONE 2

/* The timeline by key.  All keys begin with 0 bytes. */
struct wm_series {
	struct wm_series_step *step; /* by bin */
	size_t count;
	char **name; /* of phases or names, by key; [0] is NULL */
	size_t names;
};

void wm_series_release(struct wm_series *b);

/* The memory that each thread of a rank allocated (pass threads), even if
 * another thread releases it. */
struct wm_thread_use {
	uint64_t number; /* in order of first events, from 0 */
	uint64_t tid; /* of the system; 0: unknown */
	bool main; /* the first thread of the process */
	uint32_t path; /* of one of its allocations, if .has_path */
	bool has_path;
	bool has_creator;
	uint32_t creator; /* path of the call that created the thread */
	uint64_t peak_bytes; /* highest live bytes of the thread's blocks */
	double peak_seconds, from, to; /* times of first and last event */
	/* calls that gave memory to the thread; a realloc is one call */
	uint64_t allocations, bytes;
	uint64_t freed_by_others; /* blocks of the thread */
};

struct wm_thread_hold {
	uint32_t thread; /* index, or WM_THREAD_OTHERS for several */
	uint32_t path;
	uint64_t peak_bytes, peak_blocks; /* as in wm_use */
	uint64_t end_bytes, end_blocks;
};
#define WM_THREAD_OTHERS UINT32_MAX

struct wm_threads {
	struct wm_thread_use *thread; /* by number */
	size_t count;
	struct wm_thread_hold *hold; /* in order of path, then of thread */
	size_t holds;
};

void wm_threads_release(struct wm_threads *t);

/* The results of the passes cache, reuse and sharing; cells are those of pass
 * accesses. */
struct wm_simulated {
	struct wm_cache_shape caches;
	struct wm_cache_counts *cache; /* by cell; NULL: not asked for */
	size_t cache_cells;
	uint32_t line; /* bytes of a line for reuse and sharing */
	struct wm_reuse_counts *reuse; /* by cell; NULL: not asked for */
	size_t reuse_cells;
	uint64_t reuse_left_out; /* touches beyond the bound of memory */
	struct wm_sharing_row *sharing; /* unordered */
	size_t sharing_rows;
	uint64_t sharing_left_out; /* accesses beyond the bound of memory */
};

void wm_simulated_release(struct wm_simulated *s);

/* The place of the address in .tally.stray. */
struct wm_strayed {
	enum {
		WM_STRAYED_NONE, /* not looked for, or unknown */
		WM_STRAYED_ELSEWHERE, /* in no block that the trace ever had */
		WM_STRAYED_FREED, /* in a freed block */
		WM_STRAYED_LIVE, /* inside a block */
	} what;
	bool by_other; /* FREED: by another thread */
	uint32_t path; /* of the allocation, in wm_analysis.paths */
	uint64_t offset, bytes; /* from the block's start; the block's size */
	double freed; /* FREED: time of the release */
};

/* Forked children with traces (job/children.c).  Bytes are upper bounds and
 * include memory that children share with the rank. */
struct wm_forked {
	/* children, and the most children at one time */
	uint64_t count, at_once;
	/* highest bytes of children while the rank existed */
	uint64_t beside;
	uint64_t most; /* highest bytes of children at any time */
	/* .most without memory shared with the rank, as far as the children's
	 * page faults are known: upper and lower bound */
	uint64_t own_most, own_least;
	uint64_t largest; /* bytes of the largest child, with the tool's part */
	/* bytes are lower bounds: a child has no END or cannot be read */
	bool at_least;
	uint64_t faults; /* page faults of children until their ENDs */
};

/* Each field that points to memory must be in wm_rank_wire(), which sends the
 * memory to other processes and frees it.  Other fields are sent unchanged. */
struct wm_rank {
	uint64_t rank, ranks; /* ranks: number in the job, 0: unknown */
	struct wm_rank_conflict conflict;
	size_t source; /* index of its file in the run */
	size_t program_index; /* in the programs of the analysis */
	char *file; /* its name in errors: "rank 3: 'rank-000003.wmt.xz'" */
	char *program, *run_id, *host, *end_reason, *drop_reason;
	char *crash_buffer_path; /* only if it is not beside the trace */
	/* records only the first access to a page in each epoch */
	bool samples;
	/* libraries whose allocations were not recorded, or NULL */
	char *unseen_libraries;
	/* functions whose later calls were not recorded, or NULL */
	char *overwritten;
	/* functions whose accesses were recorded; NULL: all */
	char *access_only;
	char *traced_ranks; /* WM_RANKS; NULL: all ranks */
	struct wm_module exe;
	struct wm_origin origin; /* wm_analysis_origin() if it is shared */
	uint64_t start_ns; /* start of the process, since 1970; 0: unknown */
	/* start of the process on the clock of the job, as all moments */
	double begin;
	double seconds; /* from .begin to the last block */
	double jump; /* wm_trace_jump() */
	char *boot_id; /* NULL: unknown */
	struct wm_clocks start;

	bool ended;
	uint64_t exit_status, mpi; /* of END, as in struct wm_trace */
	uint64_t pid, parent; /* parent: pid, if a forked child; else 0 */
	uint64_t born; /* as in struct wm_trace */
	/* pass heap, if the rank is not whole: the call path of the last
	 * allocation, and its number in .last_path; without a table of nodes in
	 * .last_path there was no allocation */
	struct wm_paths last_path;
	uint32_t last_number; /* after retained.c in wm_analysis.paths */
	double last_seconds;
	/* pass heap, if the rank is not whole: bytes per second at the end, and
	 * the call path that grew most; 0: no growth */
	double growth;
	uint32_t growth_number;
	struct wm_failures failures; /* pass heap */
	/* without an END: the address that the last thread released last, the
	 * time of that release, and whether abort() was called within it */
	struct wm_strayed strayed; /* strays.c */
	double stray_seconds; /* on the clock of the job */
	bool aborts_inside;
	uint64_t gaps, missing_events; /* of the events that END announced */
	struct wm_err *damage; /* NULL: read to its end */
	/* without END: events come from the crash buffer */
	bool crash_buffer_used;
	uint64_t crash_buffer_events, crash_buffer_pathless, outside,
		buffer_events;
	/* NULL: the buffer was used, or there was none */
	struct wm_err *crash_buffer_damage;
	uint64_t trace_bytes, dropped;
	uint64_t paths_cut; /* events with an incomplete call path */
	uint64_t peak_rss; /* 0: unknown */
	struct wm_tool tool;
	struct wm_usage usage;
	uint64_t threads;
	struct wm_tally tally;
	uint64_t inherited_free; /* a child's releases of its parent's blocks */

	struct wm_space_use in[WM_SPACES];
	/* pass moment: on the clock of the job, and whether the rank has no
	 * moment of the name that --at gives */
	double moment_seconds;
	bool moment_missing;
	struct wm_paths paths;
	struct wm_use *use; /* one for each path */
	struct wm_family_use family[WM_FAMILIES];
	/* memory that the allocator got from the system; 0: unknown */
	uint64_t footprint, footprint_peak;
	struct wm_annotations annotations;
	char *peak_phase; /* phase of the peak; NULL: outside of phases */
	uint64_t pauses;
	double paused_seconds;
	uint64_t paused_allocations; /* the number in END */

	struct wm_courses course; /* pass course */
	struct wm_forked forked;
	struct wm_timeline timeline; /* pass timeline */
	struct wm_lifetime *lifetime; /* pass lifetime; one for each path */
	struct wm_sizes *sizes; /* pass sizes */
	struct wm_series series; /* pass series */
	struct wm_series phase_series; /* pass alloc_phases */
	struct wm_series name_series; /* pass names */

	struct wm_page_totals page_totals; /* pass pages */
	bool watched; /* by WM_PAGES; the kernel's resident set is too low */
	struct wm_pages pages;

	struct wm_threads by_thread; /* pass threads */

	uint64_t accesses_lost; /* accesses in no block of the trace */
	struct wm_bursts bursts;
	uint64_t access_total; /* pass accesses */
	struct wm_access_table accesses;
	struct wm_simulated simulated; /* passes cache, reuse, sharing */

	/* pass node */
	size_t node;
	uint64_t clock_jumps; /* stamps that went back too far */
	uint64_t clock_back_ns; /* the most that a stamp went back */
};

/* Returns the begin of bin @i of the timeline or of a series. */
static inline double wm_rank_bin(const struct wm_rank *r, size_t i)
{
	return r->begin + (double)i * r->timeline.seconds;
}

static inline double wm_rank_end(const struct wm_rank *r)
{
	return r->begin + r->seconds;
}

/* Returns whether the trace covers the whole run of the process. */
static inline bool wm_rank_is_whole(const struct wm_rank *r)
{
	return r->ended && !r->gaps && !r->missing_events && !r->damage;
}

/* Returns whether the process continued after its trace ended: it was killed,
 * still runs, or reached WM_MAX_BYTES.  Memory alive then is held, not
 * leaked. */
static inline bool wm_rank_is_cut(const struct wm_rank *r)
{
	return !r->ended || r->usage.capped;
}

/* Returns whether figures of the kernel and the allocator are lower bounds: the
 * process last wrote them before it was killed, or it still runs. */
static inline bool wm_rank_is_sampled(const struct wm_rank *r)
{
	return !r->ended;
}

static inline void wm_use_hold(struct wm_use *u, const struct wm_rank *r)
{
	if (!wm_rank_is_cut(r))
		return;
	u->held_bytes = u->end_bytes;
	u->held_blocks = u->end_blocks;
	u->left_bytes = u->left_blocks = u->most_blocks = 0;
}

/* Returns whether a killed process may have lost events that no count has. */
static inline bool wm_rank_lost_its_end(const struct wm_rank *r)
{
	return !r->ended && (!r->crash_buffer_used || r->outside);
}

/* Returns whether the process failed to write its last blocks. */
static inline bool wm_rank_is_unwritten(const struct wm_rank *r)
{
	return r->drop_reason && !strncmp(r->drop_reason, "cannot write", 12);
}

/* For files without a number in their name. */
#define WM_RANK_UNKNOWN UINT64_MAX

enum wm_status wm_rank_init(struct wm_rank *r, const char *name,
			    struct wm_err *err);
/* Drops the parts that only reports about this one rank need. */
void wm_rank_shrink(struct wm_rank *r);
/* Like wm_rank_shrink(), but drops the fine curve, too. */
void wm_rank_drop(struct wm_rank *r);
/* Makes *@kept a copy of @why, or NULL if @why is empty.  An error takes 512
 * bytes, and most ranks have none. */
enum wm_status wm_rank_keep_err(struct wm_err **kept, const struct wm_err *why,
				struct wm_err *err);
/* Sends, receives or frees @r, according to @w; receiving overwrites @r. */
void wm_rank_wire(struct wm_wire *w, struct wm_rank *r);
void wm_rank_release(struct wm_rank *r);
