/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All that reports need about a run: its ranks, combined.
 *
 * Made once by wm_analysis_read(), read-only afterwards except for the cache of
 * symbols.  The struct owns all that it points to.  Only a few ranks keep their
 * call paths (analyze/job/retained.h), so that memory does not grow with the
 * number of ranks.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/group.h"
#include "analyze/job/retained.h"
#include "analyze/job/request.h"
#include "analyze/job/run.h"
#include "analyze/job/sum.h"
#include "analyze/passes/rank.h"
#include "analyze/symbols/read_bundle.h"
#include "analyze/symbols/rules.h"
#include "analyze/symbols/symbols.h"

/* Allocation wrappers of the program, which answers/heap/forwarders.h finds on
 * first use. */
struct wm_forwarders {
	uint8_t *folded; /* by wm_symbol.function */
	uint32_t count;
	bool found;
};

/* A program of the job; several only in MPMD jobs. */
struct wm_program {
	const char *dir; /* its run directory */
	struct wm_bundle *bundle; /* NULL: none, or none that matches */
	char *bundle_path; /* its file */
	bool census_only; /* names are in the executable itself */
	bool named; /* the bundle is from a file that the user named */
	bool mixed; /* its ranks ran different builds */
	bool other_build; /* a note reports a bundle of another build */
};

struct wm_analysis {
	struct wm_run run; /* files and their notes */
	const char *name, *id; /* of the run */
	struct wm_rank *ranks; /* by rank number */
	size_t rank_count, rank_cap;
	struct wm_origin origin; /* of the rank that was read first */
	uint64_t job_size; /* ranks of the job */
	uint64_t nodes; /* of the ranks that were read */
	double seconds; /* from the first start to the last end */
	struct wm_node_peak *node; /* with pass node */
	size_t node_count, node_cap;

	char **notes; /* one line each, for stderr and the report */
	size_t note_count, note_cap;
	bool notes_lost; /* memory was short for one of the notes */
	bool partial; /* answers come from a part of the input: exit status 4 */
	bool complete; /* every event of every rank was read */
	uint64_t *missing; /* ranks without a readable trace, the first ones */
	size_t missing_listed;
	uint64_t missing_count;
	const char *traced_ranks; /* WM_RANKS of all its traces, or NULL */
	uint64_t left_out; /* ranks without a trace by WM_RANKS, not missing */

	/* heap high-water marks; index into ranks */
	size_t max, min;
	double mean, stddev;

	/* by family: the rank with the highest peak of its own */
	size_t family_max[WM_FAMILIES];

	/* sums over ranks */
	uint64_t kind[WMT_EV_LIMIT];
	uint64_t dropped, paths_cut, unknown_free, conflicts, unpaired;
	uint64_t accesses_lost; /* lower bound */
	uint64_t inherited_free;
	/* pauses: unrecorded allocations, and releases of these; the longest */
	uint64_t paused_ranks, paused_allocations, unrecorded;
	double paused_seconds;
	bool paused_untold; /* a rank that paused has no END to count them */
	uint64_t end_bytes, end_blocks, trace_bytes;
	/* the part of end_bytes in ranks that are cut (wm_rank_is_cut()) */
	uint64_t held_bytes, held_blocks, cut_ranks, capped_ranks;
	uint64_t crash_buffer_events; /* from crash buffers */
	struct wm_tool tool; /* each the highest of any rank */
	uint64_t peak_rss; /* highest of any rank; 0: unknown */

	/* the subject of lists */
	size_t chosen; /* index into ranks; WM_ALL_RANKS: the sum */
	struct wm_paths paths;
	struct wm_retained
		retained[WM_RETAINED_COUNT]; /* by the report's .retains */
	struct wm_each *each; /* by rank, with WM_RETAINS_EACH */
	size_t each_count;
	struct wm_sum sum; /* of all ranks, with WM_RETAINS(all) */
	struct wm_use *use; /* of the chosen rank or the sum, in retained */
	bool at_time; /* not at the peak, but at .moment, which was at
			 wm_rank.moment_seconds */
	struct wm_moment_wish moment;
	struct wm_lifetime
		*lifetime; /* of the chosen ones; NULL: not asked for */
	size_t lifetime_count; /* of the first paths */
	/* live bytes of the chosen rank over time: by call path, by phase of
	 * allocation, and by name */
	struct wm_series series, phase_series, name_series;
	struct wm_pages pages; /* pass pages, of the chosen rank */
	struct wm_threads by_thread; /* pass threads, likewise */
	struct wm_access_table accesses; /* pass accesses, likewise */
	struct wm_simulated simulated; /* likewise */
	struct wm_annotations annotations; /* phases, names ..., likewise */

	struct wm_program *programs;
	size_t program_count;
	struct wm_bundle **bundles; /* those of programs, without NULLs */
	size_t bundle_count;
	struct wm_rules rules;
	struct wm_symbols *symbols;
	struct wm_forwarders *forwarders; /* found on first use */
	/* filled on first use: the request's or its own */
	struct wm_namesakes *namesakes, *own_namesakes;
};

enum wm_status wm_analysis_read(struct wm_analysis *a,
				const struct wm_request *q, struct wm_err *err);
void wm_analysis_release(struct wm_analysis *a);

/* Returns the number of calls of realloc: OUT and the event after it are one
 * call. */
uint64_t wm_calls_realloc(const uint64_t *kind);
/* Returns the calls other than malloc and its like; most programs make none. */
uint64_t wm_calls_other(const uint64_t *kind);
uint64_t wm_calls_total(const uint64_t *kind);

/* Returns the origin of the rank at @index. */
const struct wm_origin *wm_analysis_origin(const struct wm_analysis *a,
					   size_t index);

/* Returns the census of the rank at @index, or NULL. */
const struct wm_census *wm_analysis_census(const struct wm_analysis *a,
					   size_t index);

/* note.c: adds a line to the notes.  @partial means that the answers are
 * partial.  Without memory for the line, only a->notes_lost is set. */
void wm_analysis_note(struct wm_analysis *a, bool partial, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* programs.c: finds programs, bundles and symbols, with notes on those that do
 * not match.  Returns WM_USAGE if a file that the user names (places.h) belongs
 * to no program or library here; with @several runs it may belong to another
 * run. */
enum wm_status wm_analysis_programs(struct wm_analysis *a, bool several,
				    struct wm_err *err);
/* moments.c: returns WM_USAGE if no chosen rank has a moment of the name in
 * a->moment; adds a note if only some ranks have one. */
enum wm_status wm_analysis_check_moment(struct wm_analysis *a,
					struct wm_err *err);
/* The most notes of one kind; after these only the number of others follows. */
#define WM_MAX_NOTES 12
/* rank_notes.c: adds notes about incomplete traces, clocks, pauses and lists
 * and, if @events were read, about ranks without any events. */
enum wm_status wm_analysis_notes(struct wm_analysis *a, bool events,
				 struct wm_err *err);
/* rank_conflicts.c: adds notes about ranks that contradict each other. */
void wm_analysis_conflicts(struct wm_analysis *a);
