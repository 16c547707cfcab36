/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pages that were accessed and written, from the kernel: PAGEMAP_SCAN
 * (Linux 6.7) of memory that is registered for asynchronous write protection.
 *
 * A page that was written is not write-protected; the scan protects it again.
 * A page that was accessed is in the page table; the scan takes it out of there
 * (MADV_DONTNEED of a shared mapping: its contents stay in the file).  Between
 * the two scans nothing is lost: a page that is written after the first and
 * taken out by the second has left no protection in the page table.
 *
 * Memory that is not registered is skipped: a mapping that the program made
 * there without our knowledge is not touched.
 *
 * Only for the service thread: nothing may be mapped or unmapped there between
 * scan and removal.
 */
#ifndef WM_RUNTIME_SCAN_H
#define WM_RUNTIME_SCAN_H

#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"

/* 0, or a negated errno: -ENOTTY: the kernel is too old. */
int wm_scan_open(void) wm_hidden;
/* Adds the written pages of [@start, @end) to @runs, an array of struct
 * wm_page_run; NULL: only protects all of it. */
int wm_scan_written(uint64_t start, uint64_t end,
		    struct wm_buf *runs) wm_hidden;
/* The same for private memory, which is not taken out of the page table.
 * Memory that was never written has no page there, that of its file, or the
 * zero page; all other pages of a newly watched mapping count as written. */
int wm_scan_private_written(uint64_t start, uint64_t end,
			    struct wm_buf *runs) wm_hidden;
/* Adds the pages of private anonymous memory with contents; the rest is
 * zero. */
int wm_scan_private_held(uint64_t start, uint64_t end,
			 struct wm_buf *runs) wm_hidden;
/* Adds the accessed pages. */
int wm_scan_present(uint64_t start, uint64_t end,
		    struct wm_buf *runs) wm_hidden;
/* The same, and takes them out of the page table; adds to @late, in any order,
 * the pages written since wm_scan_written(). */
int wm_scan_accessed(uint64_t start, uint64_t end, struct wm_buf *runs,
		     struct wm_buf *late) wm_hidden;

#endif
