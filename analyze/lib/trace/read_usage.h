/* SPDX-License-Identifier: Apache-2.0 */
/* The memory that a process really used, from the heads of its blocks: resident
 * memory, and with WM_MAX_BYTES the heap in usable bytes.  Only the samples
 * must be released. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/trace/head.h"

struct wm_resident {
	uint64_t ns; /* on the clock of the job; in a trace: ticks */
	uint64_t bytes;
};

/* Memory of the runtime itself, in bytes; 0: unknown. */
struct wm_tool {
	uint64_t memory; /* mapped, at most */
	uint64_t resident;
	/* upper bounds: at the start, per further thread, for call paths */
	uint64_t start, thread, paths;
};

struct wm_usage {
	uint64_t rss_peak, rss_end, stack_peak; /* bytes; 0: unknown */
	/* the most of all samples; known if has_shared */
	bool has_shared;
	uint64_t shared_peak; /* that other processes may map, too */
	uint64_t shared_part; /* this process's part of it; 0: unknown */
	uint64_t private_peak; /* resident without shared memory */
	/* private memory: at the end, and the most since the last mark PRIVATE;
	 * also since then: memory that became resident, growth of
	 * shared memory */
	bool has_private;
	uint64_t private_end, private_most, touched, shared_more;
	uint64_t mapped_peak; /* address space; 0: unknown */
	uint64_t file_peak; /* of files, code among them */
	uint64_t thread_stacks; /* resident; 0: none, or unknown */
	/* the most of one child that was waited for, including memory that the
	 * child shared with its parent; 0: no child, or unknown */
	uint64_t child_peak;
	/* of all children that were waited for: page faults, and upper bounds
	 * of the bytes of one fault and of the number of huge pages */
	uint64_t child_faults, fault_bytes, huge_faults;
	bool forked; /* fork() was called; posix_spawn does not count */
	uint64_t children_left; /* 2: ends of children are ignored */
	uint64_t faults; /* own page faults; 0: unknown */
	uint64_t faulted; /* upper bound of bytes by faults; 0: unknown */
	struct wm_resident *rss; /* over time, evenly thinned out */
	size_t rss_count, rss_cap;
	uint64_t rss_last_ns; /* last sample; in a trace: ticks */
	unsigned rss_stride, rss_skipped; /* every rss_stride-th is kept */

	uint64_t capped; /* the cap, if it was reached */
	uint64_t not_written;
	bool has_usable;
	uint64_t usable_live, usable_peak, usable_total;
};

/* Takes the head of a block made at @ticks.  Returns false without memory. */
bool wm_usage_take(struct wm_usage *u, const struct wm_head *h, uint64_t ticks);
void wm_usage_release(struct wm_usage *u);
