/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets of page numbers in the form of the columns of a block PAGES
 * (docs/trace-format.md, 6.10).
 *
 * For the service thread that watches pages: pure functions on the caller's
 * memory, which allocate nothing and take little stack.  The time that they
 * need grows with the number of runs.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Page numbers [first, end); a set is an ascending array of runs with gaps
 * between them. */
struct wm_page_run {
	uint64_t first, end;
};

/* Encodes one set in its shortest form.  @before is the set of the epoch before
 * in the same block, or NULL.  Returns the number of bytes written at @out, or
 * 0 if they do not fit into @room. */
size_t wm_page_set_encode(uint8_t *out, size_t room,
			  const struct wm_page_run *set, size_t n,
			  const struct wm_page_run *before, size_t before_n);
/* Encodes the places that the pages of @written have in @accessed, whose lowest
 * page has place 0.  A page that is not in @accessed is left out.  Results are
 * as for wm_page_set_encode(). */
size_t wm_page_positions_encode(uint8_t *out, size_t room,
				const struct wm_page_run *written, size_t n,
				const struct wm_page_run *accessed,
				size_t accessed_n);
