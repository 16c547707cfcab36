/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads of the chosen rank: their names, which of them began alike, and the
 * memory of each thread.
 *
 * A thread is named after the function that it began with: the outermost
 * function of the program on its call paths, if these reach the code that
 * starts threads.  If the trace has the functions that created the thread, the
 * name has them, too.
 *
 * A struct wm_thread_rows owns its arrays and texts; functions belong to the
 * analysis.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/opts.h"
#include "analyze/render/doc.h"

/* With more threads than this, those that began alike share a root. */
#define WM_THREADS_APART 64

enum wm_thread_kind {
	WM_THREAD_MAIN,
	WM_THREAD_OPENMP,
	WM_THREAD_STARTED,
	WM_THREAD_UNKNOWN, /* the trace does not show how it was started */
};

struct wm_thread_row {
	const struct wm_thread_use *use;
	uint64_t held_bytes, held_blocks; /* at the peak of the rank, or --at */
	uint64_t end_bytes, end_blocks;
	size_t start; /* index into wm_thread_rows.start */
	char *name; /* "thread 3 (worker, started by main > start_pool)" */
};

struct wm_thread_start {
	enum wm_thread_kind kind;
	size_t place; /* before starts are sorted */
	const struct wm_symbol *symbol; /* where it began; NULL: unknown */
	char *creator; /* functions, "main > start_pool"; NULL: unknown */
	size_t threads;
	uint64_t peak_bytes; /* the highest peak of a thread */
	/* sum of the peaks of all threads, each at its own time */
	uint64_t sum_bytes;
	uint64_t held_bytes, held_blocks, end_bytes, end_blocks;
	uint64_t allocations, bytes;
	double from, to; /* first and last event of these threads */
	char *name; /* "62 threads (worker)" */
};

struct wm_rooted_use {
	const struct wm_symbol *root; /* NULL: there are no roots */
	uint32_t path;
	struct wm_use use;
};

struct wm_thread_rows {
	struct wm_thread_row *row; /* highest peak first */
	size_t count;
	struct wm_thread_start *start; /* most sum_bytes first */
	size_t starts;
	/* Roots of call paths: a thread, or all threads that began alike; the
	 * last root is for threads that could not be distinguished. */
	struct wm_symbol *root;
	size_t roots;
	struct wm_rooted_use *use; /* by path, then by root */
	size_t uses;
};

enum wm_status wm_thread_rows_make(struct wm_thread_rows *r,
				   const struct wm_analysis *a,
				   struct wm_err *err);
void wm_thread_rows_release(struct wm_thread_rows *r);

/* threads_text.c: .wants and .check of reports that have --by threads. */
unsigned wm_by_threads_wants(const struct wm_opts *o);
enum wm_status wm_by_threads_check(const struct wm_opts *o, struct wm_err *err);

enum wm_status wm_by_threads_tell(const struct wm_analysis *a,
				  const struct wm_opts *o, struct wm_doc *d,
				  struct wm_err *err);
