/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables: filled once, handed to a document (doc.h), which writes them.
 *
 *   static const struct wm_table_column columns[] = {
 *           { "bytes", "bytes", WM_UNIT_BYTES },
 *           { "function", "function", WM_UNIT_TEXT } };
 *   struct wm_table t;
 *
 *   WM_TABLE_INIT(&t, columns);
 *   for (...)
 *           WM_TABLE_ADD(&t, bytes, name);
 *   wm_doc_table(d, &t, "libraries", wm_top(o, 20), WM_FOR_ALL);
 *
 * Cells are added row by row, one for each column.  Text is copied.  Without
 * memory, cells are lost, and the document has an error.
 *
 * Rows may have rows below them, as in a tree.  wm_table_level() describes each
 * level, and wm_table_row() begins each row; cells that a level lacks are
 * ABSENT.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/base/units.h"
#include "analyze/render/cell.h"

/* The values of a column, and their form for people. */
enum wm_unit {
	WM_UNIT_TEXT, /* a name: shortened where a line is too long */
	WM_UNIT_WORDS, /* text that is never shortened */
	WM_UNIT_BYTES, /* integer: 1.5 MiB */
	WM_UNIT_SOME, /* integer, bytes, a dash for 0 */
	WM_UNIT_CHANGE, /* integer with sign, bytes: +1.5 MiB */
	WM_UNIT_COUNT, /* integer: 1,234 */
	WM_UNIT_GAIN, /* integer with sign: +1,234 */
	WM_UNIT_BLOCKS, /* integer: 1,234 blocks */
	WM_UNIT_NUMBER, /* integer as it is: a rank, a line */
	WM_UNIT_FLAG, /* integer: true or false in JSON, else 1 or 0 */
	WM_UNIT_SECONDS, /* real */
	WM_UNIT_INSTANT, /* the same to the microsecond */
	WM_UNIT_NS, /* integer, nanoseconds: 263 ms */
	WM_UNIT_MOMENT, /* real, seconds, with four decimals */
	WM_UNIT_PERCENT, /* real, 0 to 100 */
	WM_UNIT_REAL, /* real with three decimals */
	WM_UNIT_EXACT, /* integer as it is, or real as short as possible */
	WM_UNIT_BAR, /* real, 0 to 1: a bar of that length */
};

/* @key is the name in JSON and CSV; a key that begins with a dot is only for
 * people, and NULL ends the list.  @title is above the column for people, who
 * do not see a column without title.  The column is at least as wide as its
 * title, with blanks around it.  If all titles are blank, there is no line of
 * titles. */
struct wm_table_column {
	const char *key;
	const char *title;
	enum wm_unit unit;
};

#define WM_TABLE_LEVELS 3

struct wm_table {
	const struct wm_table_column *column;
	size_t columns;
	/* for people: noun for rows that are left out; NULL: "... 3 more" */
	const char *noun;
	/* for people: keys of the columns to leave out first, in this order, if
	 * lines are too long; then columns from the right, but never the last
	 * one */
	const char *spare;
	bool airy; /* text: a blank line between rows with others below */
	bool deep; /* a tree: deeper rows are like the last level */
	/* keys of the columns of JSON and CSV in order; NULL: all */
	const char *data_view, *csv_view;
	struct {
		const char *view, *key;
		unsigned indent;
	} level[WM_TABLE_LEVELS];
	size_t levels;
	struct wm_cell *cell; /* row by row */
	size_t cells, cap;
	uint16_t *depth; /* of each row; NULL: no row is below another */
	size_t rows, depth_cap;
	bool short_of_memory;
};

void wm_table_init(struct wm_table *t, const struct wm_table_column *columns,
		   size_t count);
#define WM_TABLE_INIT(t, columns)                                              \
	wm_table_init((t), (columns), sizeof(columns) / sizeof(*(columns)))
void wm_table_release(struct wm_table *t);

/* Describes the next level; the first call describes the rows themselves.
 * @view has the keys of the columns for people, separated by blanks; NULL: all
 * columns with a title.  @indent is the number of blanks before rows in text.
 * @key names the array of this level in JSON; NULL for the first level. */
void wm_table_level(struct wm_table *t, const char *view, unsigned indent,
		    const char *key);
/* Begins a row; @depth 0 is below no other row. */
void wm_table_row(struct wm_table *t, size_t depth);
/* Makes the next cell belong to @key (NULL: the first); others are ABSENT. */
void wm_table_at(struct wm_table *t, const char *key);

static inline size_t wm_table_rows(const struct wm_table *t)
{
	return t->columns ? (t->cells + t->columns - 1) / t->columns : 0;
}

static inline size_t wm_table_depth(const struct wm_table *t, size_t row)
{
	return t->depth && row < t->rows ? t->depth[row] : 0;
}

/* NULL text and WM_NONE are null in JSON, else empty. */
void wm_table_text(struct wm_table *t, const char *text);
/* In the last column, people also read all of @more after it (or NULL). */
void wm_table_name(struct wm_table *t, const char *text, const char *more);
/* Like wm_table_text(), but if @text is NULL, people read @shown. */
void wm_table_text_or(struct wm_table *t, const char *text, const char *shown);
void wm_table_format(struct wm_table *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void wm_table_uint(struct wm_table *t, uint64_t v);
/* Adds several cells: WM_TABLE_ADD(&t, name, bytes, seconds). */
void wm_table_add(struct wm_table *t, size_t count, const struct wm_cell *c);
#define WM_TABLE_ADD(t, ...) wm_table_add((t), WM_CELLS(__VA_ARGS__))
/* Adds an integer if @v is whole, for WM_UNIT_EXACT. */
void wm_table_exact(struct wm_table *t, double v);
/* Adds borrowed numbers, only for JSON. */
void wm_table_numbers(struct wm_table *t, const uint64_t *list, size_t count);
/* Gives the last cell a unit other than its column's. */
void wm_table_as(struct wm_table *t, enum wm_unit unit);

/* Returns an ABSENT cell if the last row ends before it. */
const struct wm_cell *wm_table_cell(const struct wm_table *t, size_t row,
				    size_t column);
enum wm_unit wm_table_unit(const struct wm_table *t, size_t row, size_t column);

/* Writes the indices of the columns of @view, in order, to @list, which has
 * room for t->columns; returns their number.  @view NULL: all for programs. */
size_t wm_table_list(const struct wm_table *t, const char *view, size_t *list);
/* Likewise for the columns that people see in rows at @depth. */
size_t wm_table_people(const struct wm_table *t, size_t depth, size_t *list);
size_t wm_table_level_of(const struct wm_table *t, size_t depth);
static inline bool wm_unit_is_text(enum wm_unit unit)
{
	return unit == WM_UNIT_TEXT || unit == WM_UNIT_WORDS;
}

/* Returns the digits after the point in numbers for programs. */
int wm_unit_digits(enum wm_unit unit);

/* Returns a cell for people: its own text, or a number in @buf. */
const char *wm_cell_show(const struct wm_cell *c, enum wm_unit unit,
			 struct wm_figure *buf);
/* Returns the text after the cell for people, or "". */
const char *wm_cell_more(const struct wm_cell *c);
/* Returns a number for programs in @buf, or "" if the cell is no number. */
#define WM_CELL_NUMBER 340
const char *wm_cell_number(const struct wm_cell *c, enum wm_unit unit,
			   char buf[WM_CELL_NUMBER]);
