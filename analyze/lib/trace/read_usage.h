/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory that a process really used, from the heads of its blocks: resident
 * memory, and with WM_MAX_BYTES the heap in usable bytes.
 *
 * Plain data but for the samples, which are the owner's to release.
 */
#ifndef WM_ANALYZE_READ_USAGE_H
#define WM_ANALYZE_READ_USAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/trace/head.h"

struct wm_resident {
	uint64_t ns; /* on the clock of the job; in a trace: ticks */
	uint64_t bytes;
};

/* Memory of the runtime itself, bytes; 0: unknown. */
struct wm_tool {
	uint64_t memory; /* mapped, at most */
	uint64_t resident; /* at the end */
	/* what it can become: at start, of a further thread, of call paths */
	uint64_t start, thread, paths;
};

struct wm_usage {
	uint64_t rss_peak, rss_end, stack_peak; /* bytes; 0: unknown */
	/* the most of any look; known where has_shared */
	bool has_shared;
	uint64_t shared_peak; /* that other processes may map, too */
	uint64_t shared_part; /* of it: each page by who maps it; 0: unknown */
	uint64_t private_peak; /* resident without that */
	/* at the end, likewise, and since the last mark PRIVATE at most; what
	 * has become resident since then, and how much more is shared */
	bool has_private;
	uint64_t private_end, private_most, touched, shared_more;
	uint64_t mapped_peak; /* of address space; 0: not known */
	uint64_t file_peak; /* of files, code among them */
	uint64_t thread_stacks; /* resident; 0: none, or not told */
	/* of one child that was waited for, at most, with what it shared with
	 * its parent; 0: none, or not known */
	uint64_t child_peak;
	/* page faults of all that were waited for; the bytes that one may have
	 * brought, and huge pages that may be theirs, at most */
	uint64_t child_faults, fault_bytes, huge_faults;
	bool forked; /* it was copied, as posix_spawn and system do not */
	bool children_left; /* some were not waited for */
	uint64_t faults; /* page faults of its own; 0: not known */
	uint64_t faulted; /* bytes by page faults, at most; 0: not known */
	struct wm_resident *rss; /* over time, evenly thinned out */
	size_t rss_count, rss_cap;
	uint64_t rss_last_ns; /* of the last look; in a trace: ticks */
	unsigned rss_stride, rss_skipped; /* every so manieth is kept */

	uint64_t capped; /* the cap, where it was reached; else 0 */
	uint64_t not_written; /* events after it */
	bool has_usable;
	uint64_t usable_live, usable_peak, usable_total;
};

/* One more head, of a block that was made at @ticks; false: no memory. */
bool wm_usage_take(struct wm_usage *u, const struct wm_head *h, uint64_t ticks);
void wm_usage_release(struct wm_usage *u);

#endif
