/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which pages were accessed and written, as the kernel tells it: PAGEMAP_SCAN
 * (Linux 6.7) of memory that is registered for asynchronous write protection.
 *
 * A page that was written is not write-protected; to ask protects it again.
 * A page that was accessed is in the page table; to ask takes it out of there
 * (MADV_DONTNEED of a shared mapping: its contents stay in the file).  Between
 * the two questions nothing is lost: a page that is written after it was asked
 * about, and taken out then, has left no protection in the page table.
 *
 * Memory that is not registered is passed over: what the program has mapped
 * there behind our back is not touched.
 *
 * For the service thread alone: nothing may be mapped or unmapped there
 * between the question and the taking out.
 */
#ifndef WM_RUNTIME_SCAN_H
#define WM_RUNTIME_SCAN_H

#include <stdint.h>

#include "runtime/base/pool.h"
#include "runtime/hooks.h"

/* 0, or a negated errno: -ENOTTY: the kernel is too old. */
int wm_scan_open(void) wm_hidden;
/* Add what was written of [@start, @end) to @runs, an array of struct
 * wm_page_run; NULL: protect all of it and tell nothing. */
int wm_scan_written(uint64_t start, uint64_t end,
		    struct wm_buf *runs) wm_hidden;
/* The same of private memory, which is not taken out of the page table.  What
 * nobody has written to has no page there, that of its file, or the one that
 * is all zero; all others of a mapping that is watched for the first time
 * count as written. */
int wm_scan_private_written(uint64_t start, uint64_t end,
			    struct wm_buf *runs) wm_hidden;
/* Add what private anonymous memory holds; the rest of it is zero. */
int wm_scan_private_held(uint64_t start, uint64_t end,
			 struct wm_buf *runs) wm_hidden;
/* Add what was accessed. */
int wm_scan_present(uint64_t start, uint64_t end,
		    struct wm_buf *runs) wm_hidden;
/* The same, and take it out of the page table; add to @late, in any order, what
 * was written since wm_scan_written(). */
int wm_scan_accessed(uint64_t start, uint64_t end, struct wm_buf *runs,
		     struct wm_buf *late) wm_hidden;

#endif
