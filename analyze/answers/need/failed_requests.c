/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/need/failed_requests.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/answers/heap/forwarders.h"
#include "analyze/answers/heap/functions.h"
#include "analyze/answers/leaks/runtime_retained.h"
#include "wm/search.h"

static int by_path(const void *a, const void *b)
{
	const struct wm_failed_row *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->path, y->path), WM_ORDER(x->rank, y->rank));
}

static int by_size(const void *a, const void *b)
{
	const struct wm_failed_row *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->group != WM_GROUP_none,
				y->group != WM_GROUP_none),
		       WM_ORDER(y->bytes, x->bytes),
		       WM_ORDER(x->path, y->path));
}

static void put_together(struct wm_failed_rows *f)
{
	size_t i, n = 0;

	WM_SORT(f->row, f->count, by_path);
	for (i = 0; i < f->count; i++) {
		const struct wm_failed_row *from = &f->row[i];
		struct wm_failed_row *to = n ? &f->row[n - 1] : NULL;

		if (!to || to->path != from->path) {
			f->row[n++] = *from;
			continue;
		}
		to->count += from->count;
		to->ranks++;
		if (from->bytes > to->bytes) {
			to->bytes = from->bytes;
			to->rank = from->rank;
			to->largest = from->largest;
		}
	}
	f->count = n;
}

enum wm_status wm_failed_rows_make(struct wm_failed_rows *f,
				   const struct wm_analysis *a,
				   struct wm_err *err)
{
	size_t i, k, n = 0;

	memset(f, 0, sizeof(*f));
	for (i = 0; i < a->rank_count; i++)
		n += a->ranks[i].failures.count;
	f->row = calloc(n + 1, sizeof(*f->row));
	if (!f->row)
		return wm_no_memory(err, "failed requests");
	for (i = 0; i < a->rank_count; i++) {
		const struct wm_failures *of = &a->ranks[i].failures;

		f->left_out += of->left_out;
		for (k = 0; k < of->count; k++) {
			const struct wm_failed *s = &of->site[k];

			f->requests += s->count;
			f->row[f->count++] = (struct wm_failed_row){
				.path = s->path,
				.group = wm_runtime_retained_group(a->symbols,
								   &a->paths,
								   s->path),
				.count = s->count,
				.ranks = 1,
				.bytes = s->bytes,
				.rank = i,
				.largest = s,
			};
		}
	}
	f->requests += f->left_out;
	put_together(f);
	WM_SORT(f->row, f->count, by_size);
	return WM_OK;
}

void wm_failed_rows_release(struct wm_failed_rows *f)
{
	free(f->row);
	memset(f, 0, sizeof(*f));
}

const struct wm_failed *wm_failed_largest(const struct wm_analysis *a,
					  size_t index, uint64_t most)
{
	const struct wm_failures *f = &a->ranks[index].failures;
	const struct wm_failed *largest = NULL;
	size_t i;

	for (i = 0; i < f->count; i++)
		if (f->site[i].bytes <= most &&
		    (!largest || f->site[i].bytes > largest->bytes) &&
		    wm_runtime_retained_group(a->symbols, &a->paths,
					      f->site[i].path) == WM_GROUP_none)
			largest = &f->site[i];
	return largest;
}

enum wm_status wm_failed_holder(const struct wm_analysis *a,
				const struct wm_failed *f, const char **name,
				uint64_t *bytes, struct wm_err *err)
{
	struct wm_holding list[WM_FAILED_HELD];
	struct wm_snapshot held = { .path = list, .path_count = f->held_count };
	struct wm_functions by;
	enum wm_status s;

	*name = NULL;
	*bytes = 0;
	memcpy(list, f->held, sizeof(list));
	s = wm_functions_snapshot(&by, a, &held, err);
	if (s)
		return s;
	s = wm_forwarders_apply(&by, a, err);
	if (!s && by.count) {
		*name = by.function[0].name;
		*bytes = by.function[0].bytes;
	}
	wm_functions_release(&by);
	return s;
}
