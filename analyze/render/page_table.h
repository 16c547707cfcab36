/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table on a page for the browser.  One for people has their columns and
 * numbers, and data-v is what it is sorted by (html.c has the script); rows
 * with others below them are folds.  One for spreadsheets has all columns, as
 * they are, behind a fold.
 *
 * Writes to a stream that is the caller's; keeps nothing.
 */
#ifndef WM_ANALYZE_PAGE_TABLE_H
#define WM_ANALYZE_PAGE_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "analyze/render/table.h"

/* Returns false when memory is short. */
bool wm_page_table(const struct wm_table *t, bool people, FILE *out);

#endif
