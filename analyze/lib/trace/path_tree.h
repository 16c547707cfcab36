/* SPDX-License-Identifier: Apache-2.0 */
/* Column DICT in the encoding TREE: a call path names a frame of an earlier
 * path, and its own frames are below that frame (docs/trace-format.md, 6.2).
 * Used while a trace is opened.  The frames of one generation are kept.  One
 * thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/trace/generation.h"
#include "analyze/lib/trace/paths.h"

struct wm_path_tree_frame {
	uint64_t addr;
	uint32_t node; /* WM_NO_PATH: below a lost frame */
};

struct wm_path_tree {
	uint64_t id;
	struct wm_generation place; /* index of .frame by the trace's number */
	struct wm_path_tree_frame *frame;
	size_t count, cap;
};

/* The column, and fields of its block's head. */
struct wm_path_tree_column {
	const uint8_t *data;
	size_t size;
	uint64_t generation, paths, first, frames;
	bool lossy; /* blocks before it may be lost */
};

void wm_path_tree_release(struct wm_path_tree *t);
/* Stores in @path the numbers in @p of the column's paths, or WM_NO_PATH for a
 * path with frames in a lost block. */
enum wm_status wm_path_tree_read(struct wm_path_tree *t, struct wm_paths *p,
				 const struct wm_path_tree_column *c,
				 uint32_t *path, struct wm_err *err);
