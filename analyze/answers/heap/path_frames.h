/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call path as reports show it: the one place that decides which of its
 * frames count.
 *
 * From the allocation site outwards; frames of wmtools itself are left out, and
 * so are frames that start main(), a thread or a region of OpenMP, unless there
 * are no others.
 *
 * The array belongs to the wm_path_frames, which may be filled again and again;
 * one of zeros is empty.
 */
#ifndef WM_ANALYZE_PATH_FRAMES_H
#define WM_ANALYZE_PATH_FRAMES_H

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

/* Replaces the frames of @s by those of @path; none for the empty path. */
enum wm_status wm_path_frames_fill(struct wm_path_frames *s,
				   const struct wm_analysis *a, uint32_t path,
				   struct wm_err *err);
/* The same with the frames that are folded away, from the innermost on. */
enum wm_status wm_path_frames_fill_whole(struct wm_path_frames *s,
					 const struct wm_analysis *a,
					 uint32_t path, struct wm_err *err);
/*
 * The frames of @path before the first one whose node has a number in
 * @by_node, which is *@rest then; 0: there is none.  *@same: all paths that
 * have one of these frames, as the last one of its node, have the same ones
 * outside of it, so that it may get a number.
 */
enum wm_status wm_path_frames_fill_to(struct wm_path_frames *s,
				      const struct wm_analysis *a,
				      uint32_t path, const uint32_t *by_node,
				      uint32_t *rest, bool *same,
				      struct wm_err *err);
void wm_path_frames_release(struct wm_path_frames *s);

const struct wm_module *wm_frame_module(const struct wm_analysis *a,
					const struct wm_frame *f);

#endif
