/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table as lines of text.
 *
 * Where they would be too long for @columns, in this order: titles take two
 * lines, bars get shorter, names are shortened to a third of a usual line,
 * columns without anything in them go, then the table's spare ones, then those
 * further right (a last line says which), and names are shortened to the room
 * that is left.  Numbers, words and the last column stay as they are.
 *
 * Writes to a stream that is the caller's; keeps nothing.
 */
#ifndef WM_ANALYZE_TEXT_TABLE_H
#define WM_ANALYZE_TEXT_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "analyze/render/table.h"

/* The @top first rows, false: all.  @top_given: who reads it knows how to see
 * more.  Returns false when memory is short. */
bool wm_text_table(const struct wm_table *t, size_t top, bool top_given,
		   size_t columns, FILE *out);

#endif
