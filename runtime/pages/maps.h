/* SPDX-License-Identifier: Apache-2.0 */
/* The mappings of this process, from the kernel. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"
#include "runtime/base/pool.h"

enum wm_map_name {
	WM_MAP_NAMELESS,
	WM_MAP_BREAK,
	WM_MAP_STACK, /* the main thread's */
	WM_MAP_KERNEL, /* [vdso] and the like */
	WM_MAP_FILE,
};

struct wm_map {
	uint64_t start, end, offset;
	uint64_t inode; /* 0: of no file */
	int prot;
	bool shared;
	enum wm_map_name name;
};

/* Calls f() for each mapping, in order, until its result is not 0, and returns
 * that or a negated errno.  f() may replace the mapping.  Only for the service
 * thread.  The descriptor stays open, because a later open may fail. */
int wm_maps_each(int (*f)(const struct wm_map *, void *), void *arg) wm_hidden;
/* Returns the number of mappings; 0 if it is unknown. */
size_t wm_maps_count(void) wm_hidden;
/* Stores all mappings, in order, in @list as an array of struct wm_map.
 * Returns 0, or a negated errno. */
int wm_maps_read(struct wm_buf *list) wm_hidden;

/* Stores the number of pages in the page table, by the kernel's approximate
 * count: of all, and of files, shared memory and followed memory. */
void wm_maps_resident(uint64_t *all, uint64_t *of_files) wm_hidden;
