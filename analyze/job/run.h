/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which files are a run (docs/trace-format.md section 1).
 *
 * Looks at names only, but for several directories.  Owns all its strings.
 */
#ifndef WM_ANALYZE_RUN_H
#define WM_ANALYZE_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/base/error.h"

struct wm_world; /* analyze/job/worlds.h */

struct wm_run_file {
	uint64_t rank; /* WM_RANK_UNKNOWN: the name does not tell */
	uint64_t copy; /* 1, or N of rank-NNNNNN.N.wmt.xz */
	char *path;
	char *name; /* for messages: "rank 3: 'rank-000003.wmt.xz'" */
	uint64_t size;
	size_t dir; /* index into wm_run.dirs, or SIZE_MAX */
	size_t world; /* index into wm_run.worlds, if there are several */
};

/* The trace of a forked child: not a rank. */
struct wm_run_child {
	uint64_t rank, pid; /* rank: of the process that it comes from */
	size_t dir;
	char *path;
};

struct wm_run {
	char **dirs; /* run directories */
	size_t dir_count, dir_cap;
	struct wm_run_file *files; /* by rank, one each */
	size_t file_count, file_cap;
	struct wm_run_file *unused; /* other traces of the same ranks */
	size_t unused_count, unused_cap;
	struct wm_run_child *children; /* of run directories; by rank, pid */
	size_t child_count, child_cap;
	struct wm_world *worlds; /* by number; one: nothing to know */
	size_t world_count;
	char **notes; /* worth telling, one line each */
	size_t note_count, note_cap;
	int parted; /* traces of other jobs were left out */
};

/*
 * @args: run directories (several are the programs of one MPMD job, or what it
 * has spawned) or trace files; none: the newest run directory here.
 */
enum wm_status wm_run_find(struct wm_run *run, char **args, size_t count,
			   struct wm_err *err);
/* note.c: add a line to the notes. */
enum wm_status wm_run_note(struct wm_run *run, struct wm_err *err,
			   const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The files whose place in @out is not 0 are of another job. */
enum wm_status wm_run_leave_out(struct wm_run *run, const char *out,
				struct wm_err *err);
void wm_run_release(struct wm_run *run);

#endif
