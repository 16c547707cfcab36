/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables: filled once, handed to a document (doc.h), which writes them.
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
 *   wm_doc_table(d, &t, "libraries", wm_top(o, 20), WM_FOR_ALL);
 *
 * Cells come row by row, as many as there are columns.  Text is copied.  When
 * memory is short, cells are lost and the document says so.
 */
#ifndef WM_ANALYZE_TABLE_H
#define WM_ANALYZE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/base/error.h"
#include "analyze/base/units.h"

/* What a column holds, and how people read it. */
enum wm_unit {
	WM_UNIT_TEXT, /* a name: shortened where a line is too long */
	WM_UNIT_WORDS, /* text that is never shortened */
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

struct wm_cell {
	enum {
		WM_CELL_NONE,
		WM_CELL_TEXT,
		WM_CELL_UINT,
		WM_CELL_INT,
		WM_CELL_REAL
	} kind;
	union {
		char *text;
		uint64_t u;
		int64_t i;
		double real;
	};
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

static inline const struct wm_cell *wm_table_cell(const struct wm_table *t,
						  size_t row, size_t column)
{
	return &t->cell[row * t->columns + column];
}

/* Whether people see the column; of the first WM_TEXT_COLUMNS. */
#define WM_TEXT_COLUMNS 64
int wm_table_in_text(const struct wm_table *t, size_t column);

static inline int wm_unit_is_text(enum wm_unit unit)
{
	return unit == WM_UNIT_TEXT || unit == WM_UNIT_WORDS;
}

/* Digits after the point of numbers for programs. */
int wm_unit_digits(enum wm_unit unit);

/* A cell for people: its own text, or a number in @buf. */
const char *wm_cell_show(const struct wm_cell *c, enum wm_unit unit,
			 struct wm_buf *buf);
/* A number for programs, in @buf; "" when it is none. */
#define WM_CELL_NUMBER 340
const char *wm_cell_number(const struct wm_cell *c, enum wm_unit unit,
			   char buf[WM_CELL_NUMBER]);

#endif
