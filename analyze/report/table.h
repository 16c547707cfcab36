/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables: filled once, written as text for people, as CSV, or as JSON.
 *
 *   static const struct wm_table_column columns[] = {
 *           { "bytes", "bytes", WM_UNIT_BYTES },
 *           { "function", "function", WM_UNIT_TEXT }, { NULL } };
 *   struct wm_table t;
 *
 *   wm_table_init(&t, columns);
 *   for (...) {
 *           wm_table_uint(&t, bytes);
 *           wm_table_text(&t, name);
 *   }
 *   status = wm_table_put(&t, "libraries", WM_TABLE_CSV ..., o, out, err);
 *
 * Cells come row by row, as many as there are columns.  Text is copied.  When
 * memory is short, cells are lost and the functions that write say so.
 */
#ifndef WM_ANALYZE_TABLE_H
#define WM_ANALYZE_TABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analyze/error.h"
#include "analyze/report/json.h"

/* What a column holds, and how people read it. */
enum wm_unit {
	WM_UNIT_TEXT,
	WM_UNIT_BYTES, /* integer: 1.5 MiB */
	WM_UNIT_CHANGE, /* integer with sign, bytes: +1.5 MiB */
	WM_UNIT_COUNT, /* integer: 1,234 */
	WM_UNIT_NUMBER, /* integer as it is: a rank, a line */
	WM_UNIT_SECONDS, /* real */
	WM_UNIT_PERCENT, /* real, 0 to 100 */
	WM_UNIT_REAL, /* real with three decimals */
};

struct wm_table_column {
	const char *key; /* in JSON and CSV; NULL ends the columns */
	const char *title; /* in text; NULL: not there */
	enum wm_unit unit;
};

struct wm_table {
	const struct wm_table_column *column;
	size_t columns;
	uint64_t hidden; /* bits of columns */
	struct wm_cell *cell; /* row by row */
	size_t cells, cap;
	int short_of_memory;
};

void wm_table_init(struct wm_table *t, const struct wm_table_column *columns);
void wm_table_release(struct wm_table *t);
/* The column of that key is not in text. */
void wm_table_hide(struct wm_table *t, const char *key);
static inline size_t wm_table_rows(const struct wm_table *t)
{
	return t->columns ? t->cells / t->columns : 0;
}

/* The next cell; NULL text and wm_table_none() are null in JSON, empty else. */
void wm_table_text(struct wm_table *t, const char *text);
void wm_table_uint(struct wm_table *t, uint64_t v);
void wm_table_int(struct wm_table *t, int64_t v);
void wm_table_real(struct wm_table *t, double v);
void wm_table_none(struct wm_table *t);

/* At most @top rows, 0: all; then how many more there are, and with @hint which
 * option shows them. */
enum wm_status wm_table_print(const struct wm_table *t, size_t top, int hint,
			      FILE *out, struct wm_err *err);
/* RFC 4180: a line of keys, then a line for each row; LF ends lines. */
enum wm_status wm_table_csv(const struct wm_table *t, FILE *out,
			    struct wm_err *err);
/* "key": [ { "column": value, ... }, ... ] */
enum wm_status wm_table_json(const struct wm_table *t, const char *key,
			     struct wm_json *j, struct wm_err *err);

#endif
