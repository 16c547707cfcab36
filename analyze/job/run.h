/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files of a run, and whose each of them is.
 *
 * wm_run_find() looks at names only (docs/trace-format.md, section 1), and
 * wm_scan_run() at heads (analyze/job/scan_heads.h); the run is read-only when both
 * are done.  Owns all its strings.
 */
#ifndef WM_ANALYZE_RUN_H
#define WM_ANALYZE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/base/running.h"
#include "analyze/lib/trace/reader.h"

struct wm_facts; /* analyze/job/facts.h */

/* The clock of the job, which begins with its first process. */
enum wm_job_clock {
	WM_JOB_CLOCK_ONE, /* all ranks ran on one node */
	WM_JOB_CLOCK_WALL, /* nodes are compared by their wall clocks */
	/* those differ too much: on each node it begins with its first rank */
	WM_JOB_CLOCK_NODES,
};
/* "one clock", "real time", "own start": for programs. */
extern const char *const wm_job_clock_name[];

enum wm_fate {
	WM_FILE_COUNTS,
	WM_FILE_OLDER, /* a later trace of its rank counts */
	WM_FILE_FOREIGN, /* of another job */
};

struct wm_run_file {
	enum wm_fate fate;
	uint64_t rank; /* in the job; WM_RANK_UNKNOWN: unknown */
	uint64_t copy; /* 1, or N of rank-NNNNNN.N.wmt.xz */
	char *path;
	char *name; /* for messages: "rank 3: 'rank-000003.wmt.xz'" */
	size_t dir; /* index into wm_run.dirs, or SIZE_MAX */
	/* by its heads */
	struct wm_facts *facts; /* until it is decided; NULL: not readable */
	bool rank_told; /* only by the heads */
	/* its process, looked up before its events are read; NO also where the
	 * trace had an END */
	enum wm_running running;
	uint64_t size; /* bytes */
	struct wm_clocks start; /* of its process */
	uint64_t ranks; /* of the job; 0: unknown */
	size_t world; /* number of its MPI_COMM_WORLD, 0: the first */
	size_t program; /* index into wm_run.programs */
	size_t node; /* first file of its node; itself: unknown */
	double begin; /* of its process on the clock of the job, in seconds */
};

/* The trace of a forked child: not a rank. */
struct wm_run_child {
	uint64_t rank, pid; /* rank: of the process that it comes from */
	size_t dir;
	char *path;
};

struct wm_run {
	char *name, *id;
	char **dirs; /* as they were given */
	size_t dir_count, dir_cap;
	struct wm_run_file *files; /* those that count, by rank; the others */
	size_t file_count; /* that count; 0 before wm_run_order() */
	size_t all_count, file_cap; /* those that were found */
	struct wm_run_child *children; /* of run directories; by rank, pid */
	size_t child_count, child_cap;
	char **programs; /* run directories of each */
	size_t program_count, program_cap;
	enum wm_job_clock clock;
	char **notes; /* worth telling, one line each */
	size_t note_count, note_cap;
	bool parted; /* foreign traces are set apart */
	bool unread; /* older traces of ranks do not count */
	size_t duplicates; /* older traces whose process ran at the same time */
	uint64_t duplicate; /* rank of the first of them */
};

/*
 * @args: run directories (several are the programs of one MPMD job, or what it
 * has spawned) or trace files; none: the newest run directory here.
 */
enum wm_status wm_run_find(struct wm_run *run, char **args, size_t count,
			   struct wm_err *err);
/* Put files and children in order; of several files of a rank the one with
 * the highest number counts.  WM_USAGE: two runs hold the same rank. */
enum wm_status wm_run_order(struct wm_run *run, struct wm_err *err);
/* Files have got another fate: those that count come first again. */
void wm_run_set_apart(struct wm_run *run);
/* note.c: add a line to the notes. */
enum wm_status wm_run_note(struct wm_run *run, struct wm_err *err,
			   const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void wm_run_release(struct wm_run *run);

#endif
