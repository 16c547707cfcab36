/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A row for each call path, most bytes at the peak first.  Unlike in other
 * reports, paths with the same functions but other lines are separate rows.
 */
#include "analyze/answers/export/export.h"

#include <stdlib.h>

#include "analyze/answers/heap/profile.h"
#include "analyze/render/doc.h"
#include "wm/search.h"

static const struct wm_table_column columns[] = {
	{ "peak_bytes", NULL, WM_UNIT_BYTES },
	{ "peak_blocks", NULL, WM_UNIT_COUNT },
	{ "unfreed_bytes", NULL, WM_UNIT_BYTES },
	{ "unfreed_blocks", NULL, WM_UNIT_COUNT },
	{ "site", NULL, WM_UNIT_TEXT },
	{ "file", NULL, WM_UNIT_TEXT },
	{ "line", NULL, WM_UNIT_NUMBER },
	{ "library", NULL, WM_UNIT_TEXT },
	{ "path", NULL, WM_UNIT_TEXT },
};

struct row {
	const struct wm_use *use;
	uint64_t unfreed; /* bytes */
	uint32_t path;
};

static int by_bytes(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return WM_KEYS(WM_ORDER(y->use->peak_bytes, x->use->peak_bytes),
		       WM_ORDER(y->unfreed, x->unfreed),
		       WM_ORDER(x->path, y->path));
}

static enum wm_status put_row(struct wm_table *t,
			      struct wm_path_frames *callpath,
			      const struct wm_analysis *a, const struct row *r,
			      struct wm_err *err)
{
	enum wm_status s = wm_export_frames(callpath, a, r->path, err);
	const struct wm_symbol *site;
	char *path;

	if (s)
		return s;
	path = wm_profile_path(a, callpath);
	if (!path)
		return wm_no_memory(err, NULL);
	site = callpath->frame[0].symbol;
	WM_TABLE_ADD(t, r->use->peak_bytes, r->use->peak_blocks, r->unfreed,
		     wm_use_unfreed_blocks(r->use), site->name, site->file,
		     wm_nonzero(site->line),
		     wm_frame_module(a, &callpath->frame[0])->path, path);
	free(path);
	return WM_OK;
}

enum wm_status wm_export_csv(const struct wm_analysis *a,
			     const struct wm_opts *o, FILE *out,
			     struct wm_err *err)
{
	struct row *row = calloc(a->paths.path_count + 1, sizeof(*row));
	struct wm_path_frames callpath = { .count = 0 };
	enum wm_status s = WM_OK;
	struct wm_table t;
	struct wm_doc d;
	size_t i, n = 0;

	(void)o;
	if (!row)
		return wm_no_memory(err, NULL);
	for (i = 0; i < a->paths.path_count; i++)
		if (a->use[i].peak_blocks || wm_use_unfreed_blocks(&a->use[i]))
			row[n++] = (struct row){
				&a->use[i], wm_use_unfreed_bytes(&a->use[i]),
				(uint32_t)i
			};
	WM_SORT(row, n, by_bytes);
	WM_TABLE_INIT(&t, columns);
	for (i = 0; i < n && !s; i++)
		s = put_row(&t, &callpath, a, &row[i], err);
	wm_doc_init(&d, &wm_csv_form, out, err);
	if (s)
		wm_table_release(&t);
	else
		wm_doc_table(&d, &t, NULL, 0, WM_FOR_CSV);
	wm_path_frames_release(&callpath);
	free(row);
	return wm_doc_end(&d, s);
}
