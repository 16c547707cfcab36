/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/compare/compare.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "wm/search.h"

const char *wm_difference_status(const struct wm_difference *d)
{
	if (!d->blocks_a && !d->bytes_a)
		return "appeared";
	if (!d->blocks_b && !d->bytes_b)
		return "vanished";
	if (d->bytes_a == d->bytes_b)
		return "same";
	return d->bytes_b > d->bytes_a ? "grew" : "shrank";
}

/* Compares by key; within one key, rows of the second profile come first. */
static int by_key(const void *pa, const void *pb)
{
	const struct wm_difference *a = pa, *b = pb;

	return WM_KEYS(strcmp(a->key, b->key), WM_ORDER(b->bytes_b, a->bytes_b),
		       WM_ORDER(b->bytes_a, a->bytes_a),
		       WM_ORDER(b->blocks_b, a->blocks_b),
		       WM_ORDER(a->line, b->line));
}

static uint64_t byte_difference(const struct wm_difference *d)
{
	return d->bytes_a > d->bytes_b ? d->bytes_a - d->bytes_b :
					 d->bytes_b - d->bytes_a;
}

static int by_change(const void *pa, const void *pb)
{
	const struct wm_difference *a = pa, *b = pb;
	uint64_t x = byte_difference(a), y = byte_difference(b);

	return WM_KEYS(WM_ORDER(y, x), WM_ORDER(b->bytes_b, a->bytes_b),
		       strcmp(a->key, b->key));
}

static void row_release(struct wm_difference *d)
{
	free(d->name);
	free(d->key);
	free(d->file);
}

void wm_differences_release(struct wm_differences *d)
{
	for (size_t i = 0; i < d->count; i++)
		row_release(&d->row[i]);
	free(d->row);
	memset(d, 0, sizeof(*d));
}

struct side {
	const struct wm_profile *profile;
	const struct wm_renames *renames; /* NULL: names do not change */
	bool second;
};

static enum wm_status add_row(struct wm_differences *d, const struct side *side,
			      const struct wm_profile_row *r, bool paths,
			      enum wm_moment moment, struct wm_err *err)
{
	const struct wm_use *u = &r->use;
	bool end = moment == WM_AT_END;
	uint64_t bytes = end ? wm_use_unfreed_bytes(u) : u->peak_bytes;
	uint64_t blocks = end ? wm_use_unfreed_blocks(u) : u->peak_blocks;
	struct wm_difference *row = &d->row[d->count];
	const char *part, *name;

	if (!bytes && !blocks)
		return WM_OK;
	memset(row, 0, sizeof(*row));
	d->count++;
	part = strrchr(r->path, ';');
	part = part ? part + 1 : r->path;
	name = side->renames ? wm_rename(side->renames, part) : part;
	row->key = !paths	 ? strdup(name) :
		   side->renames ? wm_rename_path(side->renames, r->path) :
				   strdup(r->path);
	row->path = paths ? row->key : NULL;
	row->name = strdup(name == part ? r->site : name);
	if (r->file)
		row->file = strdup(r->file);
	row->line = r->line;
	*(side->second ? &row->bytes_b : &row->bytes_a) = bytes;
	*(side->second ? &row->blocks_b : &row->blocks_a) = blocks;
	return !row->name || !row->key || (r->file && !row->file) ?
		       wm_no_memory(err, "the comparison") :
		       WM_OK;
}

/* Joins rows with the same key into one, which has the place of the first. */
static void join_rows(struct wm_differences *d)
{
	size_t i, n = 0;

	for (i = 0; i < d->count; i++) {
		struct wm_difference *r = &d->row[i];
		struct wm_difference *last = n ? &d->row[n - 1] : NULL;

		if (!last || strcmp(last->key, r->key) != 0) {
			d->row[n++] = *r;
			continue;
		}
		last->bytes_a += r->bytes_a;
		last->bytes_b += r->bytes_b;
		last->blocks_a += r->blocks_a;
		last->blocks_b += r->blocks_b;
		row_release(r);
	}
	d->count = n;
}

enum wm_status wm_compare(struct wm_differences *d, const struct wm_profile *a,
			  const struct wm_profile *b,
			  const struct wm_renames *r, bool paths,
			  enum wm_moment moment, struct wm_err *err)
{
	const struct side sides[] = { { a, r, 0 }, { b, NULL, 1 } };
	enum wm_status s = WM_OK;

	memset(d, 0, sizeof(*d));
	d->row = calloc(a->count + b->count + 1, sizeof(*d->row));
	if (!d->row)
		return wm_no_memory(err, "the comparison");
	for (size_t k = 0; k < 2; k++)
		for (size_t i = 0; i < sides[k].profile->count && !s; i++)
			s = add_row(d, &sides[k], &sides[k].profile->row[i],
				    paths, moment, err);
	if (s) {
		wm_differences_release(d);
		return s;
	}
	WM_SORT(d->row, d->count, by_key);
	join_rows(d);
	WM_SORT(d->row, d->count, by_change);
	return WM_OK;
}
