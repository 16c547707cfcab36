/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call paths of a function, as people read them: those that look the same,
 * because what differs is folded, are one.
 */
#include "analyze/report/text.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/base/shorten.h"
#include "analyze/queries/path_frames.h"

/* Frames shown of one call path unless everything is asked for. */
#define MAX_FRAMES 20

/* Call paths that look the same. */
struct alike {
	struct wm_path_frames stack; /* what is seen of them */
	uint64_t bytes, blocks;
	uint32_t path; /* of the one that holds most */
	int named; /* its blocks have names: never put together */
};

static int order_of_text(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return a == b ? 0 : strcmp(a, b);
}

static int order_of_frames(const struct wm_symbol *x, const struct wm_symbol *y)
{
	int r = order_of_text(x->name, y->name);

	if (!r)
		r = (x->line > y->line) - (x->line < y->line);
	if (!r)
		r = order_of_text(x->file, y->file);
	return r ? r : order_of_text(x->object, y->object);
}

static int by_look(const void *a, const void *b)
{
	const struct alike *x = a, *y = b;
	size_t i;
	int r = x->named - y->named;

	if (!r && x->named)
		r = (x->path > y->path) - (x->path < y->path);
	for (i = 0; !r && i < x->stack.count && i < y->stack.count; i++)
		r = order_of_frames(x->stack.frame[i].symbol,
				    y->stack.frame[i].symbol);
	if (!r)
		r = (x->stack.count > y->stack.count) -
		    (x->stack.count < y->stack.count);
	return r;
}

static int by_bytes(const void *a, const void *b)
{
	const struct alike *x = a, *y = b;
	int r = (x->bytes < y->bytes) - (x->bytes > y->bytes);

	if (!r)
		r = (x->blocks < y->blocks) - (x->blocks > y->blocks);
	return r ? r : (x->path > y->path) - (x->path < y->path);
}

static void release(struct alike *k, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		wm_path_frames_release(&k[i].stack);
	free(k);
}

/* Put those that look the same together; the number that is left. */
static size_t put_together(struct alike *k, size_t count)
{
	size_t i, n = 0;

	qsort(k, count, sizeof(*k), by_look);
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
	qsort(k, n, sizeof(*k), by_bytes);
	return n;
}

/* NULL: no memory. */
static struct alike *collect(const struct wm_analysis *a,
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
		if (a->told.tag_count)
			wm_notes_tags(&a->told, h->path, &tags);
		k[i].named = tags != 0;
		if (wm_path_frames_fill(&k[i].stack, a, h->path, NULL)) {
			release(k, i + 1);
			return NULL;
		}
	}
	if (k)
		*count = put_together(k, f->held_count);
	return k;
}

static void put_frames(const struct wm_analysis *a,
		       const struct wm_path_frames *s, size_t max,
		       struct wm_doc *d)
{
	char name[WM_TEXT_NAME];
	size_t i;

	for (i = 0; i < s->count && (!max || i < max); i++) {
		wm_doc_print(d, "%31s%s", "",
			     wm_text_name(d, s->frame[i].symbol->name, 31,
					  name));
		wm_text_place(s->frame[i].symbol,
			      wm_frame_module(a, &s->frame[i]), d);
		wm_doc_print(d, "\n");
	}
	if (i < s->count)
		wm_doc_print(d, "%31s... %zu more frames\n", "", s->count - i);
}

void wm_text_paths(const struct wm_analysis *a, const struct wm_function *f,
		   enum wm_moment moment, uint64_t whole, size_t paths,
		   struct wm_doc *d)
{
	size_t i, count = 0;
	struct alike *k = collect(a, f, &count);
	uint64_t bytes = 0;
	struct wm_buf b, c;

	if (!k)
		wm_doc_print(d, "%31s(no memory)\n", "");
	for (i = 0; i < count && (!paths || i < paths); i++) {
		wm_doc_print(d, "    ");
		wm_text_share(k[i].bytes, whole, d);
		wm_doc_print(d, "  %11s  %s block%s", wm_bytes(&b, k[i].bytes),
			     wm_count(&c, k[i].blocks),
			     k[i].blocks == 1 ? "" : "s");
		wm_text_tags(a, k[i].path, moment, d);
		wm_doc_print(d, "\n");
		put_frames(a, &k[i].stack, paths ? MAX_FRAMES : 0, d);
		bytes += k[i].bytes;
	}
	if (i < count) {
		wm_doc_print(d, "    ");
		wm_text_share(f->bytes - bytes, whole, d);
		wm_doc_print(d, "  %11s  on %zu more call path%s\n",
			     wm_bytes(&b, f->bytes - bytes), count - i,
			     count - i == 1 ? "" : "s");
	}
	wm_doc_print(d, "\n");
	if (k)
		release(k, count);
}
