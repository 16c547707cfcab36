/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The threads and processors that touch pages of the chosen rank, if the
 * program's hooks recorded them (WM_ACCESS=pages).
 *
 * In each epoch, a page counts once for each thread and once for each processor
 * that touched it.  A thread's processor is the one on which the thread first
 * accessed the page in the epoch.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"

/* One thread, or one processor. */
struct wm_page_sharer {
	uint32_t number;
	uint64_t touched, written; /* pages, added up over epochs */
	/* pages that no other thread, or no other processor, touched */
	uint64_t alone;
	/* pages that a thread touched after a change of its processor */
	uint64_t moved;
	uint32_t last; /* last processor + 1; 0: none so far */
};

struct wm_page_sharers {
	struct wm_page_sharer *thread, *cpu; /* by number */
	size_t threads, cpus;
	/* pages touched by one thread, by several; added up over epochs */
	uint64_t one, several;
	/* pages that at least one of several threads wrote */
	uint64_t several_written;
	uint64_t several_writers; /* pages that two or more threads wrote */
};

/* Returns WM_NOT_FOUND if no threads or processors were recorded. */
enum wm_status wm_page_sharers_make(struct wm_page_sharers *s,
				    const struct wm_analysis *a,
				    struct wm_err *err);
void wm_page_sharers_release(struct wm_page_sharers *s);
