/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks the kernel which pages were accessed and written, by PAGEMAP_SCAN (Linux
 * 6.7) of memory that is registered for asynchronous write protection.
 *
 * A page that was written is not write-protected; the scan protects it again.
 * A page that was accessed is in the page table; the scan takes it out
 * (MADV_DONTNEED of a shared mapping, whose contents stay in the file).  A page
 * that is written after the first scan and taken out by the second has left no
 * protection in the page table, so nothing is lost.  Memory that is not
 * registered is skipped, like mappings that the runtime has not seen.
 *
 * Only for the service thread: nothing may be mapped or unmapped in the range
 * meanwhile.
 */
#pragma once

#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"

/* Returns 0, or a negated errno; -ENOTTY if the kernel is too old. */
int wm_scan_open(void) wm_hidden;
/* Adds the written pages of the range to @runs, an array of struct wm_page_run,
 * unless it is NULL, and protects the range. */
int wm_scan_written(uint64_t start, uint64_t end,
		    struct wm_buf *runs) wm_hidden;
/* The same for private memory, which stays in the page table.  Memory that was
 * never written has no page, a page of its file, or the zero page; all others
 * of a newly watched mapping count as written. */
int wm_scan_private_written(uint64_t start, uint64_t end,
			    struct wm_buf *runs) wm_hidden;
/* Adds the pages of private anonymous memory that are not all zero. */
int wm_scan_private_held(uint64_t start, uint64_t end,
			 struct wm_buf *runs) wm_hidden;
int wm_scan_present(uint64_t start, uint64_t end,
		    struct wm_buf *runs) wm_hidden;
/* Adds the accessed pages to @runs and takes them out.  Adds the pages that
 * were written since wm_scan_written() to @late, in any order. */
int wm_scan_accessed(uint64_t start, uint64_t end, struct wm_buf *runs,
		     struct wm_buf *late) wm_hidden;
