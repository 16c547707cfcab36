/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The facts about one rank when its trace has been read.
 *
 * A struct wm_rank owns all that it points to.  One thread makes it and passes
 * it on.  wm_rank_shrink() drops the parts that only reports about this very
 * rank need.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "analyze/access/access_table.h"
#include "analyze/access/simulated.h"
#include "analyze/lib/base/error.h"
#include "analyze/passes/lifetime.h"
#include "analyze/passes/annotations.h"
#include "analyze/passes/failed.h"
#include "analyze/passes/threads.h"
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
	/* the part of these in ranks that are cut */
	uint64_t held_bytes, held_blocks;
	/* alive when MPI_Finalize began, of ranks that are not cut; if the
	 * trace does not have that moment, alive at the end */
	uint64_t left_bytes, left_blocks;
	/* left_blocks of the rank that has most of them */
	uint64_t most_blocks;
	/* number of the function that makes the handles of MPI which this path
	 * has (wm/handle_list.h); handles count only in left_blocks; 0: no
	 * handles */
	uint64_t maker;
	bool doubles; /* wm_lifetime.doubles, where a report fills it in */
};

/* Return what was never freed: not held memory, which may have been freed
 * later. */
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

/* Requested bytes of one family. */
struct wm_family_use {
	uint64_t peak_bytes; /* its own highest */
	uint64_t at_peak_bytes; /* alive at the rank's peak */
	uint64_t end_bytes, end_blocks; /* never released */
};

/* Requested bytes and blocks of one memory space. */
struct wm_space_use {
	uint64_t peak_bytes, peak_blocks, end_bytes, end_blocks;
	/* upper bound; with several threads above peak_bytes */
	uint64_t peak_at_most;
	double peak_seconds; /* when, on the clock of the job */
	/* for how long live bytes were 99 and 90 % of the peak or more */
	double peak_99_seconds, peak_90_seconds;
};

struct wm_bin {
	uint64_t max, end; /* live bytes: highest, and at the bin's end */
};

/* The bytes from one moment until the next step. */
struct wm_course_step {
	uint64_t ns; /* of the job's clock */
	uint64_t bytes; /* at most */
};

/* Upper bounds of the bytes over time. */
struct wm_course {
	struct wm_course_step *step;
	size_t count;
};

/* The result of the pass course; all without shared memory. */
struct wm_courses {
	/* memory that the system gets back as soon as it is released: mappings,
	 * and blocks that glibc's malloc always maps */
	struct wm_course large;
	uint64_t rest_most; /* live bytes of all other memory, at most */
	struct wm_course live; /* live bytes of all memory, in coarser steps */
	/* live bytes when the kernel last counted resident memory, and the
	 * highest live bytes since then */
	uint64_t look_live, since_look;
	/* the most resident memory at any time, without shared memory but with
	 * the tool's, if only traced calls gave memory back; 0: not known */
	uint64_t private_most;
	/* the same if other calls gave memory back, too: as if all pages that
	 * were touched between two looks were resident at once */
	uint64_t touched_most;
};

struct wm_timeline {
	struct wm_bin *bin;
	size_t count;
	double seconds; /* width of a bin */
	/* highest live bytes of finer stretches: WM_POINTS_OF_BIN in each bin,
	 * of equal width up to a clock tick; NULL: dropped, as the rank is not
	 * retained */
	uint64_t *point;
	size_t points;
};

/* From bin number @bin on, @key has @bytes at the maximum of each bin. */
struct wm_series_step {
	uint64_t bytes;
	uint32_t key; /* call path, phase, or name */
	uint32_t bin;
};

/* The first keys of the pass names: one for blocks without a name, and one for
 * all names that have no key of their own. */
#define WM_NAMES_NONE 2

/* The timeline by key; all keys begin with 0 bytes. */
struct wm_series {
	struct wm_series_step *step; /* by bin */
	size_t count;
	char **name; /* of phases, names, by key; [0] is NULL: outside, none */
	size_t names;
};

void wm_series_release(struct wm_series *b);

/* The place of the address of .tally.stray. */
struct wm_strayed {
	enum {
		WM_STRAYED_NONE, /* not looked for, or not known */
		WM_STRAYED_ELSEWHERE, /* in no block that the trace has had */
		WM_STRAYED_FREED, /* in a block that had been freed */
		WM_STRAYED_LIVE, /* inside of a block */
	} what;
	bool by_other; /* FREED: another thread freed the block */
	uint32_t path; /* path that allocated the block, in wm_analysis.paths */
	uint64_t offset, bytes; /* from the start of the block; its size */
	double freed; /* FREED: when */
};

/* Forked children that have traces of their own (job/children.h).  Bytes are
 * upper bounds and include memory that children shared with the rank. */
struct wm_forked {
	/* the number of children, and the most at one time */
	uint64_t count, at_once;
	/* the most of children at one time, while the rank existed */
	uint64_t beside;
	uint64_t most; /* the most of children at any time */
	/* the same without memory that they shared with the rank, as far as
	 * their page faults are known: at most, and at least */
	uint64_t own_most, own_least;
	uint64_t largest; /* the largest child, with the tool's part */
	bool at_least; /* lower bounds: a child has no end, or cannot be read */
	uint64_t faults; /* page faults of the children until their ENDs */
};

/* If a field points to memory, wm_rank_wire() must have it, which sends the
 * memory to other processes and frees it.  All other fields are sent as they
 * are. */
struct wm_rank {
	uint64_t rank, ranks; /* ranks: size of the job, 0: unknown */
	struct wm_rank_conflict conflict;
	size_t source; /* index of its file in the run */
	size_t program_index; /* into the programs of the analysis */
	char *file; /* as errors call it: "rank 3: 'rank-000003.wmt.xz'" */
	char *program, *run_id, *host, *end_reason, *drop_reason;
	char *crash_buffer_path; /* of one that is not beside the trace */
	/* only the first access of each page and epoch is recorded */
	bool samples;
	/* libraries whose allocations are unrecorded; NULL: none */
	char *unseen_libraries;
	/* functions whose later calls are unrecorded; or NULL */
	char *overwritten;
	/* the functions whose accesses are recorded; NULL: all */
	char *access_only;
	char *traced_ranks; /* WM_RANKS; NULL: all were to be traced */
	struct wm_module exe;
	struct wm_origin origin; /* wm_analysis_origin() where it is shared */
	uint64_t start_ns; /* of the process, since 1970; 0: unknown */
	/* the start of the process on the clock of the job, which has all
	 * moments */
	double begin;
	double seconds; /* from start to the last block */
	double jump; /* wm_trace_jump() */
	char *boot_id; /* NULL: unknown */
	struct wm_clocks start;

	bool ended; /* the trace has an END */
	uint64_t exit_status, mpi; /* of END, as in struct wm_trace */
	uint64_t pid, parent; /* parent: pid, of a forked child; else 0 */
	uint64_t born; /* as in struct wm_trace */
	/* pass heap, if the rank is not whole: the call path that allocated
	 * last, and its number in these paths; if the table of nodes is NULL,
	 * there is none */
	struct wm_paths last_path;
	uint32_t last_number; /* retained.c: in wm_analysis.paths */
	double last_seconds; /* time of the last allocation */
	/* pass heap, if the rank is not whole: the growth at the end in bytes
	 * per second, and the call path that grew most; 0: it did not grow */
	double growth;
	uint32_t growth_number;
	struct wm_failures failures; /* pass heap */
	/* if there is no END: the address that the last thread released last,
	 * the time of that release, and whether abort() was called within it */
	struct wm_strayed strayed; /* strays.c */
	double stray_seconds; /* on the clock of the job */
	bool aborts_inside;
	uint64_t gaps, missing_events; /* of the events that END announced */
	struct wm_err *damage; /* NULL: read to its end */
	/* without END: whether events come from the crash buffer */
	bool crash_buffer_used;
	uint64_t crash_buffer_events, crash_buffer_pathless, outside,
		buffer_events;
	/* NULL: the buffer was used, or there is none */
	struct wm_err *crash_buffer_damage;
	uint64_t trace_bytes, dropped;
	uint64_t paths_cut; /* events whose call path is not whole */
	uint64_t peak_rss; /* 0: unknown */
	struct wm_tool tool;
	struct wm_usage usage;
	uint64_t threads;
	struct wm_tally tally;
	uint64_t inherited_free; /* a child's releases of its parent's blocks */

	/* pass heap */
	struct wm_space_use in[WM_SPACES];
	/* pass moment: the moment on the clock of the job; and whether the rank
	 * has no moment of that name */
	double moment_seconds;
	bool moment_missing;
	struct wm_paths paths;
	struct wm_use *use; /* one for each path */
	struct wm_family_use family[WM_FAMILIES];
	/* memory that the allocator had from the system; 0: unknown */
	uint64_t footprint, footprint_peak;
	struct wm_annotations annotations; /* the program's annotations */
	char *peak_phase; /* in which the peak was; NULL: in none */
	uint64_t pauses;
	double paused_seconds;
	uint64_t paused_allocations; /* the number that END has */

	struct wm_courses course; /* pass course */
	struct wm_forked forked;
	struct wm_timeline timeline; /* pass timeline */
	struct wm_lifetime *lifetime; /* pass lifetime; one for each path */
	struct wm_sizes *sizes; /* pass sizes */
	struct wm_series series; /* pass series */
	struct wm_series phase_series; /* pass alloc_phases */
	struct wm_series name_series; /* pass names */

	struct wm_page_totals page_totals; /* pass pages */
	bool watched; /* WM_PAGES: the kernel's resident set is too low */
	struct wm_pages pages;

	struct wm_threads by_thread; /* pass threads */

	uint64_t accesses_lost; /* accesses that no block of the trace has */
	struct wm_bursts bursts;
	uint64_t access_total; /* pass accesses */
	struct wm_access_table accesses;
	struct wm_simulated simulated; /* passes cache, reuse, sharing */

	/* pass node */
	size_t node; /* index into the nodes of the analysis */
	uint64_t clock_jumps; /* number of stamps that go back too far */
	uint64_t clock_back_ns; /* the most that a stamp goes back */
};

/* Returns when bin @i of the rank's timeline, or of a series, begins. */
static inline double wm_rank_bin(const struct wm_rank *r, size_t i)
{
	return r->begin + (double)i * r->timeline.seconds;
}

/* Returns when the trace of the rank ends. */
static inline double wm_rank_end(const struct wm_rank *r)
{
	return r->begin + r->seconds;
}

/* Returns whether all answers about the rank cover the whole run of the
 * process. */
static inline bool wm_rank_is_whole(const struct wm_rank *r)
{
	return r->ended && !r->gaps && !r->missing_events && !r->damage;
}

/*
 * Returns whether the process went on when its trace ended: it was killed,
 * still runs, or met WM_MAX_BYTES.  Memory that was alive then was held, and is
 * no leak.
 */
static inline bool wm_rank_is_cut(const struct wm_rank *r)
{
	return !r->ended || r->usage.capped;
}

/*
 * Returns whether the figures of the kernel and of the allocator are lower
 * bounds: the process wrote them last before it was killed, or still runs.
 */
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

/* Returns whether events may be missing that are not counted anywhere: the last
 * events of a process that was killed. */
static inline bool wm_rank_lost_its_end(const struct wm_rank *r)
{
	return !r->ended && (!r->crash_buffer_used || r->outside);
}

/* Returns whether the process could not write its last blocks, as on a full
 * disk. */
static inline bool wm_rank_is_unwritten(const struct wm_rank *r)
{
	return r->drop_reason && !strncmp(r->drop_reason, "cannot write", 12);
}

/* The rank of a file that has no number in its name. */
#define WM_RANK_UNKNOWN UINT64_MAX

/* Makes an empty rank; @name is the file for messages. */
enum wm_status wm_rank_init(struct wm_rank *r, const char *name,
			    struct wm_err *err);
void wm_rank_shrink(struct wm_rank *r);
/* Does the same for a rank that is not retained, without its fine curve. */
void wm_rank_drop(struct wm_rank *r);
/* Makes *@kept a copy of @why, or NULL if @why is empty.  An error takes 512
 * bytes, and most of thousands of ranks have none. */
enum wm_status wm_rank_keep_err(struct wm_err **kept, const struct wm_err *why,
				struct wm_err *err);
/* Sends @r, frees the memory that it owns, or receives into @r, as @w demands.
 * Receiving overwrites the contents of @r. */
void wm_rank_wire(struct wm_wire *w, struct wm_rank *r);
void wm_rank_release(struct wm_rank *r);
