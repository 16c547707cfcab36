/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An allocator whose next address cannot be foreseen: a place in a cell of a
 * million, sometimes no multiple of 16; or, @reuse times of a hundred, the
 * block that was freed last; or, @in_row times of a hundred, behind the one of
 * which that was said last, as in a fresh heap of glibc.  At most 2,000 bytes.
 * One thread.  Used by t3055 with random_events.c.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define CELLS (1u << 20)
#define CELL 4096u
#define MOST 2000u
#define FREED 64u
#define ROW (UINT64_C(4) << 30) /* bytes behind the cells */

uint64_t next_random(void);
extern unsigned reuse, in_row;

uint64_t seed = 1;
unsigned reuse = 60, in_row;
static char *cells, *top;
static unsigned char used[CELLS];
static char *freed[FREED];
static unsigned n_freed;

uint64_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* CELLS or more: it lies in the row, where nothing is used again. */
static size_t cell_of(const char *p)
{
	return (size_t)(p - cells) / CELL;
}

void *malloc(size_t size)
{
	size_t cell;
	char *p;

	if (!cells)
		top = cells = mmap(NULL, (size_t)CELLS * CELL + ROW,
				   PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
				   -1, 0);
	if (cells == MAP_FAILED || size > MOST) {
		errno = ENOMEM;
		return NULL;
	}
	if (top == cells)
		top += (size_t)CELLS * CELL;
	if (n_freed && next_random() % 100 < reuse) {
		p = freed[--n_freed];
		if (!used[cell_of(p)]) {
			used[cell_of(p)] = 1;
			return p;
		}
	}
	if (next_random() % 100 < in_row) {
		p = top;
		top += size < 24 ? 32 : (size + 23) / 16 * 16;
		return p;
	}
	do
		cell = next_random() % CELLS;
	while (used[cell]);
	used[cell] = 1;
	p = cells + cell * CELL + next_random() % 120 * 16;
	return next_random() % 16 ? p : p + 8;
}

void free(void *p)
{
	if (!p || cell_of(p) >= CELLS)
		return;
	used[cell_of(p)] = 0;
	if (n_freed < FREED)
		freed[n_freed++] = p;
}

void *calloc(size_t n, size_t size)
{
	void *p = malloc(n * size);

	return p ? memset(p, 0, n * size) : NULL;
}

void *realloc(void *old, size_t size)
{
	void *p = malloc(size);

	if (p && old) {
		/* a cell has so many behind any block */
		memcpy(p, old, size);
		free(old);
	}
	return p;
}
