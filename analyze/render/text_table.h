/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table as lines of text.
 *
 * If lines are longer than @columns, these steps shorten them, in this order,
 * until they fit: titles take two lines; bars get shorter; names are shortened
 * to a third of a usual line; empty columns are left out; the table's spare
 * columns are left out; other columns are left out from the right; names are
 * shortened further.  A last line lists the columns that were left out.
 * Numbers, words and the last column stay as they are.  The stream belongs to
 * the caller.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "analyze/render/table.h"

/* Writes the @top first rows; 0: all.  @top_given: the last line need not
 * mention --top.  Returns false without memory. */
bool wm_text_table(const struct wm_table *t, size_t top, bool top_given,
		   size_t columns, FILE *out);
