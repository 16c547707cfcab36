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
 * Cells come row by row, as many as there are columns.  Text is copied.  When
 * memory is short, cells are lost and the document says so.
 *
 * Rows may have rows below them: call paths of a function, their frames, lines
 * of a file, nodes of a tree.  wm_table_level() describes each level, and
 * wm_table_row() begins each row; cells that a level has not are left out.
 */
#ifndef WM_ANALYZE_TABLE_H
#define WM_ANALYZE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/base/units.h"
#include "analyze/render/cell.h"

/* The values of a column, and how people read them. */
enum wm_unit {
	WM_UNIT_TEXT, /* a name: shortened where a line is too long */
	WM_UNIT_WORDS, /* text that is never shortened */
	WM_UNIT_BYTES, /* integer: 1.5 MiB */
	WM_UNIT_SOME, /* integer, bytes, a dash for none */
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
	WM_UNIT_EXACT, /* integer as it is, or real as short as it can be */
	WM_UNIT_BAR, /* real, 0 to 1: a bar of that length */
};

/*
 * @key: in JSON and CSV; one that begins with a dot is only for people; NULL
 * ends the columns.  @title: over the column, for people; NULL: it is not there
 * for them.  The column is at least as wide as its title, so blanks around that
 * make room; where all are blank there is no line of titles.
 */
struct wm_table_column {
	const char *key;
	const char *title;
	enum wm_unit unit;
};

#define WM_TABLE_LEVELS 3

struct wm_table {
	const struct wm_table_column *column;
	size_t columns;
	/* for people: what a row that is left out is; NULL: ... 3 more */
	const char *noun;
	/* for people: keys of columns that a narrow line has not, the first to
	 * go first; after these from the right, but never the last one */
	const char *spare;
	bool airy; /* text: a blank line between rows that have others below */
	bool deep; /* rows below the last level are like it: a tree */
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

/*
 * Describe the next level, the first time the rows themselves.  @view: keys of
 * the columns that people see, in order, with blanks between them; NULL: those
 * with a title.  @indent: blanks before them in text.  @key: of the array in
 * JSON that has the rows below one; NULL: the rows themselves.
 */
void wm_table_level(struct wm_table *t, const char *view, unsigned indent,
		    const char *key);
/* Begin a row, @depth rows below one without another above it. */
void wm_table_row(struct wm_table *t, size_t depth);
/* The next cell is of the column @key, NULL: the first; those between are
 * ABSENT. */
void wm_table_at(struct wm_table *t, const char *key);

static inline size_t wm_table_rows(const struct wm_table *t)
{
	return t->columns ? (t->cells + t->columns - 1) / t->columns : 0;
}

static inline size_t wm_table_depth(const struct wm_table *t, size_t row)
{
	return t->depth && row < t->rows ? t->depth[row] : 0;
}

/* The next cell; NULL text and wm_table_none() are null in JSON, empty else. */
void wm_table_text(struct wm_table *t, const char *text);
/* People read @more behind it, whole, where it is in the last column; NULL. */
void wm_table_name(struct wm_table *t, const char *text, const char *more);
/* The same of @text; where it is NULL people read @shown. */
void wm_table_text_or(struct wm_table *t, const char *text, const char *shown);
void wm_table_format(struct wm_table *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void wm_table_uint(struct wm_table *t, uint64_t v);
/* Several cells: WM_TABLE_ADD(&t, name, bytes, seconds). */
void wm_table_add(struct wm_table *t, size_t count, const struct wm_cell *c);
#define WM_TABLE_ADD(t, ...) wm_table_add((t), WM_CELLS(__VA_ARGS__))
void wm_table_int(struct wm_table *t, int64_t v);
void wm_table_real(struct wm_table *t, double v);
/* An integer where it is one: for WM_UNIT_EXACT. */
void wm_table_exact(struct wm_table *t, double v);
void wm_table_none(struct wm_table *t);
/* none where it is not known */
void wm_table_known(struct wm_table *t, bool known, uint64_t v);
/* Numbers for JSON alone, which are not copied. */
void wm_table_numbers(struct wm_table *t, const uint64_t *list, size_t count);
/* The cell that came last is of another unit than its column. */
void wm_table_as(struct wm_table *t, enum wm_unit unit);
/* @part of @whole as a percentage; none when that is 0. */
void wm_table_share(struct wm_table *t, uint64_t part, uint64_t whole);

/* The cell, ABSENT where the last row ends before it. */
const struct wm_cell *wm_table_cell(const struct wm_table *t, size_t row,
				    size_t column);
enum wm_unit wm_table_unit(const struct wm_table *t, size_t row, size_t column);

/*
 * Numbers of the columns that @view names, in order, into @list, which has room
 * for as many as @t has; the number of them.  NULL: all for programs.
 */
size_t wm_table_list(const struct wm_table *t, const char *view, size_t *list);
/* The same of those that people see of rows @depth deep. */
size_t wm_table_people(const struct wm_table *t, size_t depth, size_t *list);
/* The level that rows of that depth are of. */
size_t wm_table_level_of(const struct wm_table *t, size_t depth);
static inline bool wm_unit_is_text(enum wm_unit unit)
{
	return unit == WM_UNIT_TEXT || unit == WM_UNIT_WORDS;
}

/* Digits after the point of numbers for programs. */
int wm_unit_digits(enum wm_unit unit);

/* A cell for people: its own text, or a number in @buf. */
const char *wm_cell_show(const struct wm_cell *c, enum wm_unit unit,
			 struct wm_figure *buf);
/* The text behind it for people; "" */
const char *wm_cell_more(const struct wm_cell *c);
/* A number for programs, in @buf; "" when it is none. */
#define WM_CELL_NUMBER 340
const char *wm_cell_number(const struct wm_cell *c, enum wm_unit unit,
			   char buf[WM_CELL_NUMBER]);

#endif
