/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides which frames of a call path reports show.
 *
 * Frames are in order from the allocation site outwards.  Frames of wmtools
 * itself are left out.  Frames that start main(), a thread or an OpenMP region
 * are left out, too, unless the path has no other frames.
 *
 * A struct wm_path_frames owns its array and may be filled repeatedly; a struct
 * of zeros is empty.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/symbols/symbols.h"

struct wm_analysis;

struct wm_path_frames {
	struct wm_frame *frame; /* [0] is the allocation site */
	size_t count, cap;
};

/* Replaces the frames of @s by those of @path: none for the empty path. */
enum wm_status wm_path_frames_fill(struct wm_path_frames *s,
				   const struct wm_analysis *a, uint32_t path,
				   struct wm_err *err);
/* Does the same with all frames from the innermost on, even folded ones. */
enum wm_status wm_path_frames_fill_whole(struct wm_path_frames *s,
					 const struct wm_analysis *a,
					 uint32_t path, struct wm_err *err);
/* Fills @s with the frames of @path that come before the first frame whose node
 * has a number in @by_node.  Stores that number in *@rest, or 0 if there is
 * none.  Sets *@same if the path may get numbers, too: all paths through one of
 * its nodes then have the same frames outside of that node. */
enum wm_status wm_path_frames_fill_to(struct wm_path_frames *s,
				      const struct wm_analysis *a,
				      uint32_t path, const uint32_t *by_node,
				      uint32_t *rest, bool *same,
				      struct wm_err *err);
void wm_path_frames_release(struct wm_path_frames *s);

const struct wm_module *wm_frame_module(const struct wm_analysis *a,
					const struct wm_frame *f);
