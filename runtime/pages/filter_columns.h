/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Encodes notes of the page filter as columns of a block PAGES
 * (docs/trace-format.md, 6.13): pages, threads, and one sample of each page.
 *
 * Only for the service thread.  The memory for this is kept, and grows with the
 * notes of an epoch.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/pages/filter.h"
#include "runtime/trace/blocks.h"

struct wm_filter_counts {
	uint64_t accessed, written;
};

/* Encodes the @n notes at @note, in any order, into the columns of @b, which
 * must be empty.  Returns -1 without memory. */
int wm_filter_columns(struct wm_pages_block *b, const struct wm_page_note *note,
		      size_t n, struct wm_filter_counts *counts) wm_hidden;
