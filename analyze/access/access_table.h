/* SPDX-License-Identifier: Apache-2.0 */
/* The variables that code loads and stores: the result of pass accesses.  A
 * spot is a place in the program, a variable is the accessed memory, and a cell
 * is a pair of both.  Each has a number, which is its index in an array and is
 * never reused, so later passes can have arrays with the same indices.  Number
 * 0 is for those beyond the limits below.  The table owns its arrays. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/wire.h"

#define WM_MOST_CELLS (1u << 20)
#define WM_MOST_SPOTS (1u << 20)

struct wm_table_spot {
	uint32_t module; /* of wm_paths */
	uint64_t offset; /* return address of the hook's call, as linked */
	uint8_t kind, how; /* WMA_READ ..., WMA_PLAIN ... */
};

enum wm_access_where {
	WM_WHERE_OTHER,
	WM_WHERE_STACK, /* of the main thread */
	WM_WHERE_BLOCK, /* a block or a mapping: family and path */
	WM_WHERE_STATIC, /* a static variable: module, offset and name */
	WM_WHERE_MODULE, /* static memory without a name: module */
	/* a local variable of a function: module, offset, place, name; without
	 * a name: anything in a frame of the function */
	WM_WHERE_LOCAL,
	/* a region (wm_region()), or its part on a variable; has owner, called,
	 * name, element */
	WM_WHERE_REGION,
};

struct wm_access_variable {
	uint8_t where; /* enum wm_access_where */
	uint8_t family; /* enum wm_family */
	uint32_t path; /* call path that allocated it */
	uint32_t module;
	/* start, as linked; LOCAL: return address of the function's first
	 * hook */
	uint64_t offset;
	/* start; LOCAL: from the CFA; REGION: from a static owner's start, else
	 * 0 */
	int64_t place;
	uint64_t bytes; /* of a block; of the largest block or region */
	uint64_t blocks;
	uint64_t touched; /* blocks that were accessed */
	/* linkage name (static), plain name (local), the program's name, or
	 * NULL */
	char *name;
	uint32_t called; /* number of the program's name; 0: none */
	uint32_t owner; /* REGION: variable under the region */
	uint64_t element; /* REGION: bytes of an element; 0: unknown */
	/* heap blocks whose first access stored the address at the start of a
	 * static variable: their number, and the last such variable */
	uint64_t held;
	uint32_t holder;
	bool holders; /* there were several holders */
};

/* Offsets are from the start of the variable or block. */
struct wm_access_cell {
	uint32_t spot, variable;
	uint64_t accesses, bytes;
	/* accesses by the same thread at the spot: directly behind its last
	 * one, at the same distance as its last two, at the same address */
	uint64_t sequential, strided, same;
	int64_t stride; /* of the last strided access */
	uint64_t first_offset, lowest, highest;
	uint64_t step; /* divides all differences of offsets; 0: one offset */
	uint64_t first, last; /* numbers of accesses */
	/* times of the events before the first and last access: ns on the clock
	 * of the job; 0: none */
	uint64_t first_ns, last_ns;
	uint32_t threads;
	uint32_t first_thread; /* number of one of the threads */
};

struct wm_access_thread {
	uint64_t number, accesses;
};

/* A thread that accessed a cell. */
struct wm_access_pair {
	uint32_t cell, thread; /* indices */
};
/* Cells count too few threads beyond this number of pairs. */
#define WM_MOST_PAIRS (4u << 20)

struct wm_access_table {
	struct wm_access_cell *cell;
	size_t cells, cell_cap;
	struct wm_access_variable *variable;
	size_t variables, variable_cap;
	struct wm_table_spot *spot;
	size_t spots, spot_cap;
	struct wm_access_thread *thread; /* by first access */
	size_t threads, thread_cap;
	struct wm_access_pair *pair;
	size_t pairs, pair_cap;
	uint64_t gaps; /* places where accesses are missing or unwanted */
	uint64_t accesses, loads, stores; /* WMA_MODIFY counts as both */
	uint64_t bytes;
};

void wm_access_table_wire(struct wm_wire *w, struct wm_access_table *t);
void wm_access_table_release(struct wm_access_table *t);
