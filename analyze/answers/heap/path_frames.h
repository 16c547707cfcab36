/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call path as reports show it: the one place that decides which of its
 * frames count.
 *
 * Frames are in order from the allocation site outwards.  Frames of wmtools
 * itself are left out.  Frames that start main(), a thread or a region of
 * OpenMP are left out, too, unless the path has no other frames.
 *
 * The array belongs to the struct wm_path_frames, which may be filled again and
 * again; a struct of zeros is empty.
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

/* Replaces the frames of @s by those of @path.  The empty path has no
 * frames. */
enum wm_status wm_path_frames_fill(struct wm_path_frames *s,
				   const struct wm_analysis *a, uint32_t path,
				   struct wm_err *err);
/* Does the same, but also with frames that are folded away, from the innermost
 * on. */
enum wm_status wm_path_frames_fill_whole(struct wm_path_frames *s,
					 const struct wm_analysis *a,
					 uint32_t path, struct wm_err *err);
/*
 * Fills @s with the frames of @path up to the first frame whose node has a
 * number in @by_node, and stores that number in *@rest, or 0 if no node has
 * one.  *@same says whether the path may get a number itself: all paths that
 * have one of these frames, as the last frame of its node, have the same frames
 * outside of it.
 */
enum wm_status wm_path_frames_fill_to(struct wm_path_frames *s,
				      const struct wm_analysis *a,
				      uint32_t path, const uint32_t *by_node,
				      uint32_t *rest, bool *same,
				      struct wm_err *err);
void wm_path_frames_release(struct wm_path_frames *s);

const struct wm_module *wm_frame_module(const struct wm_analysis *a,
					const struct wm_frame *f);
