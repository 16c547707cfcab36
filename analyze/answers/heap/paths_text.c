/* SPDX-License-Identifier: Apache-2.0 */
/* The call paths of a function, for people.  Paths that differ only in folded
 * frames look the same and become one row. */
#include "analyze/answers/text.h"

#include <stdbool.h>
#include <stdlib.h>

#include "analyze/lib/base/order.h"
#include "analyze/answers/heap/path_frames.h"

/* the most frames of a path that are shown, unless all are asked for */
#define MAX_FRAMES 20

struct alike {
	struct wm_path_frames stack; /* the frames that are shown */
	uint64_t bytes, blocks;
	uint32_t path; /* the lowest number of these paths */
	bool named; /* its blocks have names, so it is not joined */
};

static int order_of_frames(const struct wm_symbol *x, const struct wm_symbol *y)
{
	return WM_KEYS(wm_text_order(x->name, y->name),
		       WM_ORDER(x->line, y->line),
		       wm_text_order(x->file, y->file),
		       wm_text_order(x->object, y->object));
}

static int by_look(const void *a, const void *b)
{
	const struct alike *x = a, *y = b;
	int r = WM_ORDER(x->named, y->named);

	if (!r && x->named)
		r = WM_ORDER(x->path, y->path);
	for (size_t i = 0; !r && i < x->stack.count && i < y->stack.count; i++)
		r = order_of_frames(x->stack.frame[i].symbol,
				    y->stack.frame[i].symbol);
	return WM_KEYS(r, WM_ORDER(x->stack.count, y->stack.count));
}

static int by_bytes(const void *a, const void *b)
{
	const struct alike *x = a, *y = b;

	return WM_KEYS(WM_ORDER(y->bytes, x->bytes),
		       WM_ORDER(y->blocks, x->blocks),
		       WM_ORDER(x->path, y->path));
}

static void release_alike(struct alike *k, size_t count)
{
	for (size_t i = 0; i < count; i++)
		wm_path_frames_release(&k[i].stack);
	free(k);
}

/* Returns the number of rows left. */
static size_t join_alike(struct alike *k, size_t count)
{
	size_t i, n = 0;

	WM_SORT(k, count, by_look);
	for (i = 0; i < count; i++) {
		struct alike *last = n ? &k[n - 1] : NULL;

		if (!last || by_look(last, &k[i]) != 0) {
			k[n++] = k[i];
			continue;
		}
		last->bytes += k[i].bytes;
		last->blocks += k[i].blocks;
		if (k[i].path < last->path)
			last->path = k[i].path;
		wm_path_frames_release(&k[i].stack);
	}
	WM_SORT(k, n, by_bytes);
	return n;
}

/* Returns NULL if memory is short. */
static struct alike *collect_alike(const struct wm_analysis *a,
				   const struct wm_function *f, size_t *count)
{
	struct alike *k = calloc(f->held_count + 1, sizeof(*k));
	size_t i, tags;

	for (i = 0; k && i < f->held_count; i++) {
		const struct wm_held *h = &f->held[i];

		k[i].bytes = h->bytes;
		k[i].blocks = h->blocks;
		k[i].path = h->path;
		tags = 0;
		if (a->annotations.tag_count)
			wm_annotations_tags(&a->annotations, h->path, &tags);
		k[i].named = tags != 0;
		if (wm_path_frames_fill(&k[i].stack, a, h->path, NULL)) {
			release_alike(k, i + 1);
			return NULL;
		}
	}
	if (k)
		*count = join_alike(k, f->held_count);
	return k;
}

static void add_frames(struct wm_table *t, const struct wm_analysis *a,
		       const struct wm_path_frames *s, size_t max)
{
	size_t i;

	for (i = 0; i < s->count && (!max || i < max); i++) {
		const struct wm_frame *f = &s->frame[i];

		wm_table_row(t, 2);
		wm_add_place(t, f->symbol, wm_frame_module(a, f));
	}
	if (i == s->count)
		return;
	wm_table_row(t, 2);
	wm_table_format(t, "... %zu more frame%s (--top all)", s->count - i,
			s->count - i == 1 ? "" : "s");
}

void wm_add_paths(struct wm_table *t, const struct wm_analysis *a,
		  const struct wm_function *f, enum wm_moment moment,
		  uint64_t whole, size_t paths)
{
	size_t i, count = 0;
	struct alike *k = collect_alike(a, f, &count);
	uint64_t bytes = 0;

	t->short_of_memory |= !k;
	for (i = 0; i < count && (!paths || i < paths); i++) {
		wm_table_row(t, 1);
		wm_table_at(t, "bytes");
		wm_table_uint(t, k[i].bytes);
		wm_table_at(t, ".share");
		WM_TABLE_ADD(t, wm_share(k[i].bytes, whole), k[i].blocks);
		wm_add_tags(t, a, k[i].path, moment, k[i].bytes);
		add_frames(t, a, &k[i].stack, paths ? MAX_FRAMES : 0);
		bytes += k[i].bytes;
	}
	if (i < count) {
		wm_table_row(t, 1);
		wm_table_at(t, "bytes");
		wm_table_uint(t, f->bytes - bytes);
		wm_table_at(t, ".share");
		WM_TABLE_ADD(t, wm_share(f->bytes - bytes, whole));
		wm_table_at(t, ".tags");
		wm_table_format(t, "on %zu more call path%s", count - i,
				count - i == 1 ? "" : "s");
	}
	if (k)
		release_alike(k, count);
}
