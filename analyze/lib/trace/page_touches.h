/* SPDX-License-Identifier: Apache-2.0 */
/* The threads that touched each page of an epoch, and one access to each page,
 * as recorded by hooks of the program (columns WHO, SPOTS and SAMPLES:
 * docs/trace-format.md, 6.10).  The columns belong to the caller, and are not
 * unpacked: memory grows with the different sets of threads and spots of a
 * block.  One thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/trace/head.h"
#include "analyze/lib/trace/read_page_sets.h"

struct wm_page_set_of_threads {
	const uint8_t *p;
	uint64_t count;
};

struct wm_page_spot {
	uint64_t pc, bytes;
	uint8_t what; /* WMA_* */
};

struct wm_page_touches {
	unsigned shift;
	struct wm_column who, samples; /* of the epochs to come */
	struct wm_page_set_of_threads *set;
	size_t sets, set_cap;
	struct wm_page_spot *spot;
	size_t spots, spot_cap;
	/* of the current epoch; 0: nothing is known */
	uint64_t pages;
	size_t sets_before; /* sets of the block before this epoch */
	const uint8_t *who_at, *runs_at, *times_at, *whose_at, *end;
};

/* @who, @spots and @samples are columns of a block, or empty. */
enum wm_status wm_page_touches_load(struct wm_page_touches *t, unsigned shift,
				    struct wm_column who,
				    struct wm_column spots,
				    struct wm_column samples,
				    struct wm_err *err);
/* Takes and checks the next epoch, which has @pages pages in ACCESSED. */
enum wm_status wm_page_touches_epoch(struct wm_page_touches *t, uint64_t pages,
				     struct wm_err *err);
bool wm_page_touches_have_more(const struct wm_page_touches *t);
void wm_page_touches_release(struct wm_page_touches *t);

struct wm_page_toucher {
	uint32_t thread, cpu;
	unsigned did; /* WMT_WHO_* */
};

struct wm_page_walk {
	const struct wm_page_touches *t;
	const struct wm_page_set *accessed;
	size_t range;
	uint64_t left;
	size_t sets;
	struct wm_column who, runs, times, whose;
	uint64_t who_left, run_left, place, spot;
	struct wm_page_toucher *toucher_room;
	size_t cap;

	/* the current page */
	uint64_t page;
	bool same; /* touched by the same threads as the page before */
	const struct wm_page_toucher *toucher; /* by thread number */
	size_t touchers;
	/* the first access to the page */
	uint64_t addr, bytes, pc;
	uint8_t what;
	uint64_t ticks; /* since START_TIME */
	const struct wm_page_toucher *first;
};

void wm_page_walk_begin(struct wm_page_walk *w, const struct wm_page_touches *t,
			const struct wm_page_set *accessed);
enum wm_status wm_page_walk_next(struct wm_page_walk *w, struct wm_err *err);
void wm_page_walk_end(struct wm_page_walk *w);
