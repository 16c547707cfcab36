/* SPDX-License-Identifier: Apache-2.0 */
/* All that reports need about a run: its ranks, combined.  Made once by
 * wm_analysis_read(), read-only afterwards except for the cache of symbols.
 * The struct owns all that it points to.  Only a few ranks keep their call
 * paths (analyze/job/retained.h), so that memory does not grow with the number
 * of ranks. */
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

/* Allocation wrappers of the program (answers/heap/forwarders.h). */
struct wm_forwarders {
	uint8_t *folded; /* by wm_symbol.function */
	uint32_t count;
	bool found;
};

/* A program of the job; only MPMD jobs have several. */
struct wm_program {
	const char *dir;
	struct wm_bundle *bundle; /* NULL: none that matches */
	char *bundle_path;
	bool census_only; /* the executable itself has names */
	bool named; /* the user named the bundle's file */
	bool mixed;
	bool other_build; /* a note is about another build */
};

struct wm_analysis {
	struct wm_run run;
	const char *name, *id;
	struct wm_rank *ranks; /* by rank number */
	size_t rank_count, rank_cap;
	struct wm_origin origin; /* of the rank that was read first */
	uint64_t job_size;
	uint64_t nodes; /* nodes of the ranks that were read */
	double seconds; /* from the first start to the last end */
	struct wm_node_peak *node; /* with pass node */
	size_t node_count, node_cap;

	char **notes; /* one line each, for stderr and the report */
	size_t note_count, note_cap;
	bool notes_lost; /* a note had no memory */
	bool partial; /* answers from a part of the input: exit status 4 */
	bool complete; /* every event of every rank was read */
	uint64_t *missing; /* the first ranks without a readable trace */
	size_t missing_listed;
	uint64_t missing_count;
	const char *traced_ranks; /* WM_RANKS of all traces, or NULL */
	uint64_t left_out; /* ranks without a trace by WM_RANKS, not missing */

	/* heap high-water marks; index of ranks */
	size_t max, min;
	double mean, stddev;

	/* by family: the rank with the highest own peak */
	size_t family_max[WM_FAMILIES];

	/* sums over ranks */
	uint64_t kind[WMT_EV_LIMIT];
	uint64_t dropped, paths_cut, unknown_free, conflicts, unpaired;
	uint64_t accesses_lost; /* lower bound */
	uint64_t inherited_free;
	/* pauses: allocations, their releases, and the longest pause */
	uint64_t paused_ranks, paused_allocations, unrecorded;
	double paused_seconds;
	bool paused_untold; /* a rank that paused has no END with the count */
	uint64_t end_bytes, end_blocks, trace_bytes;
	/* part of end_bytes in ranks that wm_rank_is_cut() */
	uint64_t held_bytes, held_blocks, cut_ranks, capped_ranks;
	uint64_t crash_buffer_events;
	struct wm_tool tool;
	uint64_t peak_rss; /* highest of any rank; 0: unknown */

	/* the subject of lists */
	size_t chosen; /* index of ranks, or WM_ALL_RANKS: the sum */
	struct wm_paths paths;
	struct wm_retained
		retained[WM_RETAINED_COUNT]; /* by report's .retains */
	struct wm_each *each; /* by rank, with WM_RETAINS_EACH */
	size_t each_count;
	struct wm_sum sum;
	struct wm_use *use; /* of the chosen rank or the sum, in retained */
	bool at_time; /* at .moment (wm_rank.moment_seconds), not the peak */
	struct wm_moment_wish moment;
	struct wm_lifetime *lifetime; /* of the chosen subject, or NULL */
	size_t lifetime_count;
	/* live bytes of the chosen rank over time: by call path, by phase of
	 * allocation, and by name */
	struct wm_series series, phase_series, name_series;
	struct wm_pages pages; /* of the chosen rank, as are: */
	struct wm_threads by_thread;
	struct wm_access_table accesses;
	struct wm_simulated simulated;
	struct wm_annotations annotations;

	struct wm_program *programs;
	size_t program_count;
	struct wm_bundle **bundles;
	size_t bundle_count;
	struct wm_rules rules;
	struct wm_symbols *symbols;
	struct wm_forwarders *forwarders;
	/* filled on first use: the request's, or own ones */
	struct wm_namesakes *namesakes, *own_namesakes;
};

enum wm_status wm_analysis_read(struct wm_analysis *a,
				const struct wm_request *q, struct wm_err *err);
void wm_analysis_release(struct wm_analysis *a);

/* Returns the calls of realloc: OUT and the event after it are one call. */
uint64_t wm_calls_realloc(const uint64_t *kind);
/* Returns the calls other than malloc and its like, which are rare. */
uint64_t wm_calls_other(const uint64_t *kind);
uint64_t wm_calls_total(const uint64_t *kind);

const struct wm_origin *wm_analysis_origin(const struct wm_analysis *a,
					   size_t index);

const struct wm_census *wm_analysis_census(const struct wm_analysis *a,
					   size_t index);

/* note.c: adds a line to the notes.  @partial means partial answers. */
void wm_analysis_note(struct wm_analysis *a, bool partial, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* programs.c: finds programs, bundles and symbols, with notes on those that do
 * not match.  Returns WM_USAGE if a file that the user names (places.h) belongs
 * to no program or library here; with @several runs it may belong to another
 * run. */
enum wm_status wm_analysis_programs(struct wm_analysis *a, bool several,
				    struct wm_err *err);
/* moments.c: returns WM_USAGE if no chosen rank has a moment called a->moment;
 * adds a note if only some ranks have it. */
enum wm_status wm_analysis_check_moment(struct wm_analysis *a,
					struct wm_err *err);
/* The most notes of one kind; further ones are only counted. */
#define WM_MAX_NOTES 12
/* rank_notes.c: adds notes about incomplete traces, clocks, pauses and lists
 * and, if @events were read, about ranks without any events. */
enum wm_status wm_analysis_notes(struct wm_analysis *a, bool events,
				 struct wm_err *err);
/* children.c: fills .forked of each rank, after all ranks have been read. */
enum wm_status wm_children_read(struct wm_analysis *a, struct wm_err *err);
/* held_names.c: finds the names of variables that point at blocks, from the
 * files of modules. */
enum wm_status wm_held_names_find(struct wm_analysis *a, struct wm_err *err);
/* census_take.c: takes the census of a program that wmcc did not link, by
 * wm-census(1).  Returns a descriptor, which the caller closes, of an anonymous
 * file with the bundle of executable @path, or -1. */
int wm_census_take(const char *path);
/* rank_conflicts.c: adds notes about ranks that contradict each other. */
void wm_analysis_conflicts(struct wm_analysis *a);
