/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks the kernel which pages were accessed and written, by PAGEMAP_SCAN (Linux
 * 6.7) of memory that is registered for asynchronous write protection.
 *
 * A page that was written is not write-protected; the scan protects it again.
 * A page that was accessed is in the page table; the scan takes it out
 * (MADV_DONTNEED of a shared mapping, whose contents stay in the file).
 * Nothing is lost between the two scans: a page that is written after the first
 * and taken out by the second has left no protection in the page table.
 *
 * Memory that is not registered is skipped, so a mapping that the program made
 * there without the runtime's knowledge is not touched.
 *
 * Only for the service thread: nothing may be mapped or unmapped in the range
 * between scan and removal.
 */
#pragma once

#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"

/* Returns 0, or a negated errno; -ENOTTY if the kernel is too old. */
int wm_scan_open(void) wm_hidden;
/* Adds the written pages of [@start, @end) to @runs, an array of struct
 * wm_page_run, and protects the range.  @runs may be NULL. */
int wm_scan_written(uint64_t start, uint64_t end,
		    struct wm_buf *runs) wm_hidden;
/* Does the same for private memory, which is not taken out of the page table.
 * Memory that was never written has no page at all, a page of its file, or the
 * zero page.  All other pages of a newly watched mapping count as written. */
int wm_scan_private_written(uint64_t start, uint64_t end,
			    struct wm_buf *runs) wm_hidden;
/* Adds the pages of private anonymous memory that have contents; all others are
 * zero. */
int wm_scan_private_held(uint64_t start, uint64_t end,
			 struct wm_buf *runs) wm_hidden;
int wm_scan_present(uint64_t start, uint64_t end,
		    struct wm_buf *runs) wm_hidden;
/* Adds the accessed pages to @runs and takes them out of the page table.
 * Adds the pages that were written since wm_scan_written() to @late, in any
 * order. */
int wm_scan_accessed(uint64_t start, uint64_t end, struct wm_buf *runs,
		     struct wm_buf *late) wm_hidden;
