/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/heap/path_frames.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/job/analysis.h"
#include "analyze/symbols/site.h"

/* Returns whether @f is an alias or a binding of the MPI function it calls. */
static bool is_shim(const struct wm_frame *f, const struct wm_frame *inner)
{
	return f->symbol->site == WM_SITE_MPI &&
	       inner->symbol->site == WM_SITE_MPI &&
	       strcmp(f->symbol->name, inner->symbol->name) == 0;
}

/* Returns whether @f, the caller of the last frame of @s, starts an OpenMP
 * region or calls the body of one: the region is below the program's own
 * functions. */
static bool starts_region(const struct wm_frame *f,
			  const struct wm_path_frames *s)
{
	const struct wm_symbol *inner = s->frame[s->count - 1].symbol;

	return inner->region &&
	       (f->symbol->site == WM_SITE_OPENMP ||
		(inner->body && f->symbol->region && !f->symbol->body));
}

/* Arguments and results of wm_path_frames_fill_to(). */
struct known {
	const uint32_t *by_node; /* NULL: no node has a number */
	uint32_t rest;
	bool same;
};

/* Fills in frames from the site or, if @whole, the innermost frame on. */
static enum wm_status fill_frames(struct wm_path_frames *s,
				  const struct wm_analysis *a, uint32_t path,
				  bool whole, struct known *known,
				  struct wm_err *err)
{
	struct wm_frame site = wm_site_find(a->symbols, &a->paths, path), f;
	struct wm_frame *frame;
	size_t user = 0;

	f = site;
	if (whole)
		f = wm_frame_first(a->symbols, &a->paths, a->paths.leaf[path]);
	s->count = 0;
	if (!f.node)
		return WM_OK;
	/* whether frames of wmtools are shown depends on the site of this path,
	 * so such a path shares no frames */
	known->same = f.symbol && f.symbol->site != WM_SITE_OWN;
	do {
		if (!f.symbol)
			return wm_no_memory(err, "symbols");
		if ((f.symbol->site == WM_SITE_OWN &&
		     f.symbol != site.symbol) ||
		    (!whole && s->count &&
		     (is_shim(&f, &s->frame[s->count - 1]) ||
		      starts_region(&f, s))))
			continue;
		if (known->by_node && known->same && !f.symbol->outer &&
		    known->by_node[f.node]) {
			known->rest = known->by_node[f.node];
			return WM_OK;
		}
		frame = WM_MORE(s->frame, s->cap, s->count);
		if (!frame)
			return wm_no_memory(err, NULL);
		*frame = f;
		s->count++;
		if (wm_site_may_be(f.symbol))
			user = s->count;
	} while (wm_frame_next(a->symbols, &a->paths, &f));
	known->same &= user != 0;
	if (user)
		s->count = user;
	return WM_OK;
}

enum wm_status wm_path_frames_fill(struct wm_path_frames *s,
				   const struct wm_analysis *a, uint32_t path,
				   struct wm_err *err)
{
	struct known none = { NULL, 0, false };

	return fill_frames(s, a, path, false, &none, err);
}

enum wm_status wm_path_frames_fill_to(struct wm_path_frames *s,
				      const struct wm_analysis *a,
				      uint32_t path, const uint32_t *by_node,
				      uint32_t *rest, bool *same,
				      struct wm_err *err)
{
	struct known known = { by_node, 0, false };
	enum wm_status r = fill_frames(s, a, path, false, &known, err);

	*rest = known.rest;
	*same = known.same;
	return r;
}

enum wm_status wm_path_frames_fill_whole(struct wm_path_frames *s,
					 const struct wm_analysis *a,
					 uint32_t path, struct wm_err *err)
{
	struct known none = { NULL, 0, false };

	return fill_frames(s, a, path, true, &none, err);
}

void wm_path_frames_release(struct wm_path_frames *s)
{
	free(s->frame);
	memset(s, 0, sizeof(*s));
}

const struct wm_module *wm_frame_module(const struct wm_analysis *a,
					const struct wm_frame *f)
{
	return &a->paths.modules[a->paths.nodes[f->node].module];
}
