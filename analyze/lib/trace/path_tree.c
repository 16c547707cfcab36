/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/path_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/lib/trace/head.h"

/* The rest of the column, and the number of its next frame. */
struct reading {
	struct wm_column in;
	uint64_t next, after; /* after: first frame behind the column */
	uint32_t *place;
};

void wm_path_tree_release(struct wm_path_tree *t)
{
	wm_generation_release(&t->place);
	free(t->frame);
	memset(t, 0, sizeof(*t));
}

/* Stores in *@top the frame @back numbers before @next, or, if @back is 0, the
 * top of all paths.  The node of a lost frame is WM_NO_PATH. */
static enum wm_status find_frame(const struct wm_path_tree *t, uint64_t next,
				 uint64_t back, bool lossy,
				 struct wm_path_tree_frame *top,
				 struct wm_err *err)
{
	uint32_t place;

	*top = (struct wm_path_tree_frame){ 0 };
	if (!back)
		return WM_OK;
	if (back > next)
		return wm_malformed("DICT", err);
	place = wm_generation_find(&t->place, next - back);
	if (place == WM_NO_PATH && !lossy)
		return wm_err_set(err, WM_BAD_INPUT,
				  "frame %" PRIu64
				  " of call paths is not defined",
				  next - back);
	if (place == WM_NO_PATH)
		top->node = WM_NO_PATH;
	else
		*top = t->frame[place];
	return WM_OK;
}

/* Replaces *@f by the next frame of the column, which is below *@f. */
static enum wm_status read_frame(struct wm_path_tree *t, struct wm_paths *p,
				 struct reading *r,
				 struct wm_path_tree_frame *f,
				 struct wm_err *err)
{
	enum wm_status s = WM_OK;
	uint64_t code;

	if (!wm_take(&r->in, &code) || r->next == r->after)
		return wm_malformed("DICT", err);
	f->addr += (uint64_t)wm_unzigzag(code);
	if (f->node != WM_NO_PATH)
		s = wm_paths_frame(p, f->node, f->addr, &f->node, err);
	if (s)
		return s;
	*r->place++ = (uint32_t)t->count;
	if (!WM_APPEND(t->frame, t->cap, t->count, *f))
		return wm_no_memory(err, "call paths");
	r->next++;
	return WM_OK;
}

static enum wm_status read_path(struct wm_path_tree *t, struct wm_paths *p,
				struct reading *r, bool lossy, uint32_t *path,
				struct wm_err *err)
{
	struct wm_path_tree_frame f;
	uint64_t back, own;
	enum wm_status s;

	if (!wm_take(&r->in, &back) || !wm_take(&r->in, &own))
		return wm_malformed("DICT", err);
	s = find_frame(t, r->next, back, lossy, &f, err);
	while (!s && own--)
		s = read_frame(t, p, r, &f, err);
	*path = WM_NO_PATH;
	return s || f.node == WM_NO_PATH ? s :
					   wm_paths_path(p, f.node, path, err);
}

/* Checks the column's head and makes entries for its frames. */
static enum wm_status begin(struct wm_path_tree *t,
			    const struct wm_path_tree_column *c,
			    struct reading *r, struct wm_err *err)
{
	uint64_t known;

	if (t->id != c->generation)
		wm_path_tree_release(t);
	t->id = c->generation;
	known = wm_generation_end(&t->place);
	if (c->frames > c->size || c->first < known ||
	    (c->first > known && !c->lossy) || c->first >= WM_NO_PATH ||
	    t->count + c->frames >= WM_NO_PATH)
		return wm_err_set(err, WM_BAD_INPUT,
				  "frames %" PRIu64 " to %" PRIu64
				  " of call paths after %" PRIu64,
				  c->first, c->first + c->frames, known);
	*r = (struct reading){ { c->data, c->data + c->size },
			       c->first,
			       c->first + c->frames,
			       NULL };
	if (!c->frames)
		return WM_OK;
	r->place = wm_generation_add(&t->place, c->first, (size_t)c->frames);
	return r->place ? WM_OK : wm_no_memory(err, "call paths");
}

enum wm_status wm_path_tree_read(struct wm_path_tree *t, struct wm_paths *p,
				 const struct wm_path_tree_column *c,
				 uint32_t *path, struct wm_err *err)
{
	struct reading r = { 0 };
	enum wm_status s = begin(t, c, &r, err);

	for (uint64_t i = 0; i < c->paths && !s; i++)
		s = read_path(t, p, &r, c->lossy, &path[i], err);
	if (!s && (r.in.p != r.in.end || r.next != r.after))
		s = wm_err_set(err, WM_BAD_INPUT,
			       "column DICT has other frames than its head");
	return s;
}
