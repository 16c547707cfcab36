/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is mapped in this process, as the kernel tells it.
 */
#ifndef WM_RUNTIME_MAPS_H
#define WM_RUNTIME_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/pool.h"
#include "runtime/hooks.h"

enum wm_map_name {
	WM_MAP_NAMELESS, /* anonymous */
	WM_MAP_BREAK, /* [heap] */
	WM_MAP_STACK, /* the main thread's */
	WM_MAP_KERNEL, /* [vdso] and the like */
	WM_MAP_FILE,
};

struct wm_map {
	uint64_t start, end, offset;
	uint64_t inode; /* 0: of no file */
	int prot; /* PROT_* */
	bool shared;
	enum wm_map_name name;
};

/* f() for each, in order, until it returns anything but 0, and that; or a
 * negated errno.  f() may put other memory in the place of what it gets.  For
 * the service thread alone: the descriptor stays open, for later none may be
 * had. */
int wm_maps_each(int (*f)(const struct wm_map *, void *), void *arg) wm_hidden;
/* How many; 0: not known. */
size_t wm_maps_count(void) wm_hidden;
/* All of them, in order, into @list, an array of struct wm_map whose bytes
 * are counted by len; 0, or a negated errno. */
int wm_maps_read(struct wm_buf *list) wm_hidden;

/* Pages in the page table: all, and those of files, shared memory and what is
 * followed included; about, as the kernel counts them. */
void wm_maps_resident(uint64_t *all, uint64_t *of_files) wm_hidden;

#endif
