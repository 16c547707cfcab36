/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table as lines of text.
 *
 * If lines are too long for @columns, in this order: titles take two lines, bars get
 * shorter, names are shortened to a third of a usual line, empty columns are left out,
 * then the table's spare ones, then others from the right (a last line lists them),
 * and names are shortened further.  Numbers, words and the last column stay as they
 * are.
 *
 * The stream is the caller's.
 */
#ifndef WM_ANALYZE_TEXT_TABLE_H
#define WM_ANALYZE_TEXT_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "analyze/render/table.h"

/* Write the @top first rows, 0: all.  @top_given: the last line need not mention
 * --top.  False: no memory. */
bool wm_text_table(const struct wm_table *t, size_t top, bool top_given,
		   size_t columns, FILE *out);

#endif
