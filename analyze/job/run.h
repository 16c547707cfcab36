/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a run, each with its rank.  wm_run_find() reads only names
 * (docs/trace-format.md, section 1), and wm_scan_run() reads heads
 * (scan_heads.h).  The run is read-only after both calls, and owns all its
 * strings. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/base/running.h"
#include "analyze/lib/trace/reader.h"

struct wm_facts;

/* The clock of the job, which begins with its first process. */
enum wm_job_clock {
	WM_JOB_CLOCK_ONE, /* all ranks ran on one node */
	WM_JOB_CLOCK_WALL, /* nodes are compared by their wall clocks */
	/* no common clock: each node's clock begins with its first rank */
	WM_JOB_CLOCK_NODES,
};
/* Names of clocks in JSON. */
extern const char *const wm_job_clock_name[];

enum wm_fate {
	WM_FILE_COUNTS,
	WM_FILE_OLDER, /* a later trace of its rank counts */
	WM_FILE_FOREIGN,
};

struct wm_run_file {
	enum wm_fate fate;
	uint64_t rank; /* in the job, or WM_RANK_UNKNOWN */
	uint64_t copy; /* 1, or N of rank-NNNNNN.N.wmt.xz */
	char *path;
	char *name; /* for messages: "rank 3: 'rank-000003.wmt.xz'" */
	size_t dir;
	/* from the heads */
	struct wm_facts *facts; /* during the scan; NULL: not readable */
	bool rank_told; /* the rank is only in the heads */
	/* looked up before the events are read; NO also if the trace has
	 * an END */
	enum wm_running running;
	uint64_t size;
	struct wm_clocks start;
	uint64_t ranks; /* of the job; 0: unknown */
	size_t world; /* number of its MPI_COMM_WORLD; 0: the first */
	size_t program;
	size_t node; /* first file of its node; own index: unknown */
	double begin; /* seconds on the clock of the job */
};

/* The trace of a forked child, which is no rank. */
struct wm_run_child {
	uint64_t rank, pid; /* rank of its parent; own pid */
	size_t dir;
	char *path;
};

struct wm_run {
	char *name, *id;
	char **dirs;
	size_t dir_count, dir_cap;
	struct wm_run_file *files; /* files that count, by rank; then others */
	size_t file_count; /* files that count; 0 before wm_run_order() */
	size_t all_count, file_cap;
	struct wm_run_child *children;
	size_t child_count, child_cap;
	char **programs; /* run directory of each */
	size_t program_count, program_cap;
	enum wm_job_clock clock;
	char **notes;
	size_t note_count, note_cap;
	bool parted; /* foreign traces are set apart */
	bool unread; /* older traces of ranks do not count */
	size_t duplicates; /* older traces whose process ran at the same time */
	uint64_t duplicate; /* rank of the first of these traces */
};

/* Finds the files of a run.  @args are trace files or run directories; several
 * directories hold the programs of one MPMD job, or those that a job spawned.
 * Without @args, the run is the newest run directory here. */
enum wm_status wm_run_find(struct wm_run *run, char **args, size_t count,
			   struct wm_err *err);
/* Sorts files and children.  If a rank has several files, the file with the
 * highest number counts.  Returns WM_USAGE if two runs hold the same rank. */
enum wm_status wm_run_order(struct wm_run *run, struct wm_err *err);
/* Sorts the files again after .fate changed: files that count come first. */
void wm_run_set_apart(struct wm_run *run);
/* note.c: adds a line to the notes. */
enum wm_status wm_run_note(struct wm_run *run, struct wm_err *err,
			   const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void wm_run_release(struct wm_run *run);
