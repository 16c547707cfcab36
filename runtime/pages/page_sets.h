/* SPDX-License-Identifier: Apache-2.0 */
/* Encodes sets of page numbers as columns of a block PAGES
 * (docs/trace-format.md, 6.10), on the caller's memory, in time that grows with
 * the number of runs. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Page numbers [first, end).  A set is an ascending array of runs with gaps
 * between them. */
struct wm_page_run {
	uint64_t first, end;
};

/* Encodes a set in its shortest form.  @before is the set of the previous epoch
 * in the same block, or NULL.  Returns the number of bytes, or 0 if they do not
 * fit into @room. */
size_t wm_page_set_encode(uint8_t *out, size_t room,
			  const struct wm_page_run *set, size_t n,
			  const struct wm_page_run *before, size_t before_n);
/* Does the same for the places that the pages of @written have in @accessed.  A
 * page that is not in @accessed is left out. */
size_t wm_page_positions_encode(uint8_t *out, size_t room,
				const struct wm_page_run *written, size_t n,
				const struct wm_page_run *accessed,
				size_t accessed_n);
