/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/encode.h"

#include <string.h>

#include "wm/varint.h"

#include "runtime/callpath/frame_tree.h"
#include "runtime/callpath/pathdb.h"

/* Returns the most bytes that a path takes, also while it is encoded, if @own
 * of its frames are in no path before it. */
static size_t most_bytes(size_t own)
{
	return (own + 2) * WM_VARINT_MAX + own * sizeof(uint64_t);
}

/* @before is the number of frames of the paths before this one. */
static int encode_path(struct wm_buf *b, const struct wm_path *path,
		       uint32_t before)
{
	size_t own = wm_path_own(path, before);
	uint64_t last = 0, ip;
	uint8_t *p, *frames;
	uint32_t outer;

	if (wm_buf_reserve(b, most_bytes(own)))
		return -1;
	p = b->p + b->len;
	frames = p + (own + 2) * WM_VARINT_MAX;
	outer = wm_frame_tree_frames(path->node, own, frames);
	/* Nodes count from 1, frames in the trace from 0. */
	p = wm_varint_put(p, outer ? before + 1 - outer : 0);
	p = wm_varint_put(p, own);
	if (outer)
		last = wm_frame_node(outer)->ip;
	for (size_t i = 0; i < own; i++) {
		memcpy(&ip, frames + i * sizeof(ip), sizeof(ip));
		p = wm_varint_put(p, wm_zigzag((int64_t)(ip - last)));
		last = ip;
	}
	b->len = (size_t)(p - b->p);
	return 0;
}

int wm_encode_paths(struct wm_columns *c, const struct wm_path *first,
		    const struct wm_path *last, size_t limit,
		    const struct wm_path **next, uint32_t *count,
		    uint32_t *frames)
{
	struct wm_buf *b = &c->col[WMT_COL_DICT];
	const struct wm_path *p = first;

	*next = first;
	while (p && (p == first || !limit ||
		     b->len + most_bytes(wm_path_own(p, *frames)) <= limit)) {
		if (encode_path(b, p, *frames))
			return -1;
		++*count;
		*frames += wm_path_own(p, *frames);
		p = p == last ? NULL : p->next;
	}
	*next = p;
	return 0;
}
