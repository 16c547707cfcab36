/* SPDX-License-Identifier: Apache-2.0 */
/* The list of functions that hold memory, as people read it. */
#include "analyze/report/text.h"

#include <string.h>

#include "analyze/base/shorten.h"
#include "analyze/queries/path_frames.h"
#include "analyze/queries/wrappers.h"

/* Wrappers named behind a function at most. */
#define MAX_WRAPPERS 3

/* Wrappers that a function's paths have passed. */
struct passed {
	const struct wm_symbol *wrapper[MAX_WRAPPERS];
	size_t count;
	int more;
};

static void add_wrapper(struct passed *p, const struct wm_symbol *s)
{
	size_t i;

	for (i = 0; i < p->count; i++)
		if (p->wrapper[i]->function == s->function)
			return;
	if (p->count < MAX_WRAPPERS)
		p->wrapper[p->count++] = s;
	else
		p->more = 1;
}

/* "  (through grid_alloc, xmalloc)", or nothing. */
static void put_wrappers(const struct wm_analysis *a,
			 const struct wm_function *f, struct wm_doc *d)
{
	struct wm_path_frames stack = { .count = 0 };
	char name[WM_NAME_COLUMNS + 1];
	struct passed p = { .count = 0 };
	int direct = 0;
	size_t i, k;

	for (i = 0; i < f->held_count; i++) {
		const struct wm_held *h = &f->held[i];

		direct |= !h->passed;
		if (!h->passed || wm_path_frames_fill(&stack, a, h->path, NULL))
			continue;
		for (k = h->passed; k-- > 0 && k < stack.count;)
			add_wrapper(&p, stack.frame[k].symbol);
	}
	wm_path_frames_release(&stack);
	if (!p.count)
		return;
	wm_doc_print(d, "  (%sthrough ", direct ? "in part " : "");
	for (i = 0; i < p.count; i++)
		wm_doc_print(d, "%s%s", i ? ", " : "",
			     wm_shorten(p.wrapper[i]->name, WM_NAME_COLUMNS / 2,
					name));
	wm_doc_print(d, "%s)", p.more ? " ..." : "");
}

static void put_function(const struct wm_analysis *a,
			 const struct wm_function *f, uint64_t whole,
			 struct wm_doc *d)
{
	char name[WM_TEXT_NAME];
	struct wm_buf b, c;

	wm_text_share(f->bytes, whole, d);
	wm_doc_print(d, "  %11s  %10s  %s", wm_bytes(&b, f->bytes),
		     wm_count(&c, f->blocks),
		     wm_text_name(d, f->name, 35, name));
	wm_text_place(f->symbol, &a->paths.modules[f->module], d);
	put_wrappers(a, f, d);
	wm_doc_print(d, "\n");
}

static void put_functions(const struct wm_analysis *a,
			  const struct wm_functions *f, size_t top,
			  size_t paths, struct wm_doc *d)
{
	uint64_t bytes = 0, blocks = 0;
	struct wm_buf b, c;
	size_t i;

	if (!f->count) {
		wm_doc_print(d, "  nothing\n");
		return;
	}
	wm_doc_print(d, "%8s  %11s  %10s  %s\n", "share", "bytes", "blocks",
		     "function");
	for (i = 0; i < f->count && (!top || i < top); i++) {
		const struct wm_function *fn = &f->function[i];

		put_function(a, fn, f->bytes, d);
		bytes += fn->bytes;
		blocks += fn->blocks;
		if (paths)
			wm_text_paths(a, fn, f->moment, f->bytes,
				      top ? paths : 0, d);
	}
	if (i < f->count) {
		wm_text_share(f->bytes - bytes, f->bytes, d);
		wm_doc_print(d, "  %11s  %10s  %zu more function%s%s\n",
			     wm_bytes(&b, f->bytes - bytes),
			     wm_count(&c, f->blocks - blocks), f->count - i,
			     f->count - i == 1 ? "" : "s",
			     d->top_given ? "" : " (--top all)");
	}
}

void wm_text_functions(const struct wm_analysis *a,
		       const struct wm_functions *f, size_t top, size_t paths,
		       struct wm_doc *d)
{
	struct wm_functions folded;

	/* short of memory: what is there, as it is */
	if (wm_wrappers_fold(&folded, f, a, NULL))
		put_functions(a, f, top, paths, d);
	else
		put_functions(a, &folded, top, paths, d);
	wm_functions_release(&folded);
}
