/* SPDX-License-Identifier: Apache-2.0 */
/* Epochs of the page filter (filter.h): at the end of each epoch the notes of
 * all threads become one block PAGES of the trace.  Only for the service
 * thread. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/pages/filter.h"
#include "runtime/trace/blocks.h"

void wm_filter_epochs_begin(uint64_t interval) wm_hidden;
uint64_t wm_filter_epochs_pause(void) wm_hidden;
/* After this nothing is noted.  @why is the reason if the process continues,
 * and NULL if the process ends. */
void wm_filter_epochs_end(const char *why) wm_hidden;

struct wm_filter_counts {
	uint64_t accessed, written;
};

/* Encodes the @n notes at @note, in any order, as the columns of @b, which must
 * be empty (docs/trace-format.md, 6.13): pages, threads, and one sample of each
 * page.  Returns -1 without memory; the memory for this is kept. */
int wm_filter_columns(struct wm_pages_block *b, const struct wm_page_note *note,
		      size_t n, struct wm_filter_counts *counts) wm_hidden;
