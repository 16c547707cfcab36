/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The variables that code loads and stores: the result of pass accesses.
 *
 * A spot is a place in the program, a variable is the accessed memory, and a
 * cell is a pair of both.  The numbers of spots, variables and cells are
 * indices of the arrays.  They are never reused, so that a pass that runs after
 * pass accesses can have its own arrays with the same indices.  Number 0 of
 * each array is for spots, variables or cells beyond the limits below.
 *
 * The table owns its arrays (wm_access_table_wire()).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/wire.h"

/* Cells and spots beyond these limits count as number 0. */
#define WM_MOST_CELLS (1u << 20)
#define WM_MOST_SPOTS (1u << 20)

struct wm_table_spot {
	uint32_t module; /* of wm_paths */
	uint64_t offset; /* return address of the hook's call, less its bias */
	uint8_t kind, how; /* WMA_READ ..., WMA_PLAIN ... */
};

enum wm_access_where {
	WM_WHERE_OTHER, /* unknown memory */
	WM_WHERE_STACK, /* of the main thread */
	WM_WHERE_BLOCK, /* a block or a mapping: family and path */
	WM_WHERE_STATIC, /* a static variable: module, offset and name */
	WM_WHERE_MODULE, /* static memory without a name: module */
	/* a local variable, of all calls of its function: module, offset,
	 * place, name; if name is NULL: anything in such a frame */
	WM_WHERE_LOCAL,
	/* a region of the program (wm_region()), or the part of one that is on
	 * one other variable: owner, called, name, element */
	WM_WHERE_REGION,
};

struct wm_access_variable {
	uint8_t where; /* enum wm_access_where */
	uint8_t family; /* enum wm_family */
	uint32_t path; /* number of the call path that allocated it */
	uint32_t module;
	uint64_t offset; /* its start, as linked; LOCAL: the return address of
			  * the hook at the start of the function */
	/* its start: LOCAL: from the CFA; REGION: from the start of its owner,
	 * if the owner is static, else 0 */
	int64_t place;
	uint64_t bytes; /* of a block, and of a region: of the largest one */
	uint64_t blocks; /* the number of such blocks or regions */
	uint64_t touched; /* the number of blocks that were accessed */
	/* the linkage name of a static variable, the plain name of a local
	 * variable, or the program's name of blocks and regions; else NULL */
	char *name;
	uint32_t called; /* the number of the program's name; 0: none */
	uint32_t owner; /* REGION: the variable that it is on */
	uint64_t element; /* REGION: bytes of an element; 0: unknown */
	/* blocks of the heap for which the first access after the allocation
	 * stored the address at the start of a static variable: the number of
	 * such blocks, and the last such variable */
	uint64_t held;
	uint32_t holder;
	bool holders; /* there were several such variables */
};

/* One spot, one variable.  Offsets are within the variable or block. */
struct wm_access_cell {
	uint32_t spot, variable;
	uint64_t accesses, bytes;
	/* how often the same thread's next address at the spot was directly
	 * behind its last one, at the same distance as before, or the same */
	uint64_t sequential, strided, same;
	int64_t stride; /* the last of a strided access */
	uint64_t first_offset, lowest, highest;
	uint64_t step; /* divides all differences of offsets; 0: one offset */
	uint64_t first,
		last; /* numbers of accesses, in the order of the walk */
	/* times of the last events before the first and last access: ns on the
	 * clock of the job; 0: no event was replayed before */
	uint64_t first_ns, last_ns;
	uint32_t threads; /* the number of threads */
	uint32_t first_thread; /* the number of one of the threads */
};

struct wm_access_thread {
	uint64_t number, accesses;
};

/* A pair of a cell and a thread that has accessed it. */
struct wm_access_pair {
	uint32_t cell, thread; /* places in the table */
};
/* Without space for more pairs, cells count too few threads. */
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
	uint64_t gaps; /* places where accesses are missing, or not wanted */
	uint64_t accesses, loads, stores; /* WMA_MODIFY counts as both */
	uint64_t bytes;
};

void wm_access_table_wire(struct wm_wire *w, struct wm_access_table *t);
void wm_access_table_release(struct wm_access_table *t);
