/* SPDX-License-Identifier: Apache-2.0 */
/* Values of any kind, for rows of tables (table.h) and objects of JSON
 * (json.h).  WM_CELLS(...) expands to two arguments of a function: a number and
 * an array of cells.  The type of a value decides the kind of its cell: a
 * borrowed text (NULL: none), a real number, an integer with sign (int64_t),
 * the cell itself, or else an integer. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wm_cell {
	/* ABSENT: the row lacks the column, and JSON has no null there */
	enum {
		WM_CELL_ABSENT,
		WM_CELL_NONE,
		WM_CELL_TEXT,
		WM_CELL_UINT,
		WM_CELL_INT,
		WM_CELL_REAL,
		WM_CELL_LIST,
	} kind : 8;
	unsigned unit : 8; /* enum wm_unit + 1; 0: the column's */
	unsigned has_more : 1; /* after the 0 of .text */
	uint32_t count; /* of a list */
	union {
		char *text; /* NONE: the text for people, or NULL */
		const char *borrowed; /* a text that is not owned */
		uint64_t u;
		int64_t i;
		double real;
		const uint64_t *list; /* not owned */
	};
};

#define WM_NONE ((struct wm_cell){ .kind = WM_CELL_NONE })

static inline struct wm_cell wm_cell_same(struct wm_cell c)
{
	return c;
}

static inline struct wm_cell wm_cell_text(const char *text)
{
	return (struct wm_cell){ .kind = text ? WM_CELL_TEXT : WM_CELL_NONE,
				 .borrowed = text };
}

static inline struct wm_cell wm_cell_uint(uint64_t v)
{
	return (struct wm_cell){ .kind = WM_CELL_UINT, .u = v };
}

static inline struct wm_cell wm_cell_int(int64_t v)
{
	return (struct wm_cell){ .kind = WM_CELL_INT, .i = v };
}

static inline struct wm_cell wm_cell_real(double v)
{
	return (struct wm_cell){ .kind = WM_CELL_REAL, .real = v };
}

static inline struct wm_cell wm_known(bool known, uint64_t v)
{
	return known ? wm_cell_uint(v) : WM_NONE;
}

static inline struct wm_cell wm_nonzero(uint64_t v)
{
	return wm_known(v != 0, v);
}

static inline struct wm_cell wm_known_real(bool known, double v)
{
	return known ? wm_cell_real(v) : WM_NONE;
}

/* Returns a percentage, or WM_NONE if @whole is 0. */
static inline struct wm_cell wm_share(uint64_t part, uint64_t whole)
{
	return wm_known_real(whole != 0, 100.0 * (double)part / (double)whole);
}

#define WM_CELL(v)                                                             \
	_Generic((v),                                                          \
		struct wm_cell: wm_cell_same,                                  \
		char *: wm_cell_text,                                          \
		const char *: wm_cell_text,                                    \
		double: wm_cell_real,                                          \
		int64_t: wm_cell_int,                                          \
		default: wm_cell_uint)(v)

/* clang-format off */
#define WM_CELLS(...) \
	WM_CELLS_COUNT(__VA_ARGS__), (const struct wm_cell[]){ \
		WM_CELLS_JOIN(WM_CELLS_, WM_CELLS_COUNT(__VA_ARGS__))(__VA_ARGS__) }
#define WM_CELLS_COUNT(...) \
	WM_CELLS_25TH(__VA_ARGS__, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, \
		      12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
#define WM_CELLS_25TH(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, \
		      t, u, v, w, x, count, ...) count
#define WM_CELLS_JOIN(a, b) WM_CELLS_JOINED(a, b)
#define WM_CELLS_JOINED(a, b) a##b
#define WM_CELLS_1(v) WM_CELL(v)
#define WM_CELLS_2(v, ...) WM_CELL(v), WM_CELLS_1(__VA_ARGS__)
#define WM_CELLS_3(v, ...) WM_CELL(v), WM_CELLS_2(__VA_ARGS__)
#define WM_CELLS_4(v, ...) WM_CELL(v), WM_CELLS_3(__VA_ARGS__)
#define WM_CELLS_5(v, ...) WM_CELL(v), WM_CELLS_4(__VA_ARGS__)
#define WM_CELLS_6(v, ...) WM_CELL(v), WM_CELLS_5(__VA_ARGS__)
#define WM_CELLS_7(v, ...) WM_CELL(v), WM_CELLS_6(__VA_ARGS__)
#define WM_CELLS_8(v, ...) WM_CELL(v), WM_CELLS_7(__VA_ARGS__)
#define WM_CELLS_9(v, ...) WM_CELL(v), WM_CELLS_8(__VA_ARGS__)
#define WM_CELLS_10(v, ...) WM_CELL(v), WM_CELLS_9(__VA_ARGS__)
#define WM_CELLS_11(v, ...) WM_CELL(v), WM_CELLS_10(__VA_ARGS__)
#define WM_CELLS_12(v, ...) WM_CELL(v), WM_CELLS_11(__VA_ARGS__)
#define WM_CELLS_13(v, ...) WM_CELL(v), WM_CELLS_12(__VA_ARGS__)
#define WM_CELLS_14(v, ...) WM_CELL(v), WM_CELLS_13(__VA_ARGS__)
#define WM_CELLS_15(v, ...) WM_CELL(v), WM_CELLS_14(__VA_ARGS__)
#define WM_CELLS_16(v, ...) WM_CELL(v), WM_CELLS_15(__VA_ARGS__)
#define WM_CELLS_17(v, ...) WM_CELL(v), WM_CELLS_16(__VA_ARGS__)
#define WM_CELLS_18(v, ...) WM_CELL(v), WM_CELLS_17(__VA_ARGS__)
#define WM_CELLS_19(v, ...) WM_CELL(v), WM_CELLS_18(__VA_ARGS__)
#define WM_CELLS_20(v, ...) WM_CELL(v), WM_CELLS_19(__VA_ARGS__)
#define WM_CELLS_21(v, ...) WM_CELL(v), WM_CELLS_20(__VA_ARGS__)
#define WM_CELLS_22(v, ...) WM_CELL(v), WM_CELLS_21(__VA_ARGS__)
#define WM_CELLS_23(v, ...) WM_CELL(v), WM_CELLS_22(__VA_ARGS__)
#define WM_CELLS_24(v, ...) WM_CELL(v), WM_CELLS_23(__VA_ARGS__)
/* clang-format on */
