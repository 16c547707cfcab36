/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call paths of one or several traces, as a tree.  A frame is (module,
 * offset from the module's load bias), so that paths of ranks with different
 * load addresses are equal.  A node of the tree is a frame below its caller;
 * node 0 is the root.  A call path is a node from which memory was allocated;
 * paths are numbered in order of appearance.  Path 0 is the empty path: an
 * allocation of unknown origin.
 *
 * All strings and arrays belong to the wm_paths.  One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/base/index.h"
#include "analyze/lib/base/wire.h"

#define WM_NO_PATH UINT32_MAX
#define WM_NO_MODULE 0 /* offset is an address in no module */

/* An executable or library; mapped again, it is the same module. */
struct wm_module {
	char *path;
	uint8_t *build_id;
	size_t build_id_size;
	bool main;
};

struct wm_path_node {
	uint64_t offset; /* return address minus load bias */
	uint32_t module;
	uint32_t parent; /* node of the caller */
	uint32_t path; /* WM_NO_PATH: only part of other paths */
};

/* The place where a module is mapped; used while a trace is read. */
struct wm_mapping {
	uint64_t bias, first, end;
	uint32_t module;
};

struct wm_paths {
	struct wm_module *modules; /* [0]: none */
	size_t module_count, module_cap;
	struct wm_index module_index;
	struct wm_path_node *nodes;
	size_t node_count, node_cap;
	size_t node_limit; /* of one file, by its size; 0: no limit */
	uint32_t *leaf;
	size_t path_count, path_cap;
	struct wm_index node_index;
	struct wm_mapping *map;
	size_t map_count, map_cap;
};

enum wm_status wm_paths_init(struct wm_paths *p, struct wm_err *err);
void wm_module_wire(struct wm_wire *w, struct wm_module *m);
void wm_paths_wire(struct wm_wire *w, struct wm_paths *p);
void wm_paths_release(struct wm_paths *p);

/* Stores in *@path the number of the path that ends in @node. */
enum wm_status wm_paths_path(struct wm_paths *p, uint32_t node, uint32_t *path,
			     struct wm_err *err);

/* Replaces the mappings by those in column MODULES.  An entry without a path
 * means the executable @exe. */
enum wm_status wm_paths_map(struct wm_paths *p, const struct wm_module *exe,
			    const uint8_t *data, size_t size,
			    struct wm_err *err);
/* Stores in *@node the node below @parent for the frame that returns to @addr,
 * by the current mappings. */
enum wm_status wm_paths_frame(struct wm_paths *p, uint32_t parent,
			      uint64_t addr, uint32_t *node,
			      struct wm_err *err);
/* Stores in *@path the path of the @shared outermost frames of path @base and,
 * below them, @count frames at @frames: outer frames first, 8 bytes each.
 * Returns WM_BAD_INPUT if @base has fewer frames. */
enum wm_status wm_paths_branch(struct wm_paths *p, uint32_t base,
			       uint64_t shared, const uint8_t *frames,
			       size_t count, uint32_t *path,
			       struct wm_err *err);
/* wm_paths_copy() adds path @path of @from to @to, and stores its number in
 * *@number.  wm_paths_merge() adds all paths of @from, and stores their numbers
 * in @number[], which has from->path_count elements. */
enum wm_status wm_paths_copy(struct wm_paths *to, const struct wm_paths *from,
			     uint32_t path, uint32_t *number,
			     struct wm_err *err);
enum wm_status wm_paths_merge(struct wm_paths *to, const struct wm_paths *from,
			      uint32_t *number, struct wm_err *err);
