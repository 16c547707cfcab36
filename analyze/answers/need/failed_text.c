/* SPDX-License-Identifier: Apache-2.0 */
/* Requests for memory that failed: text near the top of the summary, and key
 * failed_requests. */
#include "analyze/answers/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyze/lib/base/shorten.h"
#include "analyze/answers/need/failed_requests.h"
#include "analyze/answers/heap/path_frames.h"
#include "analyze/answers/heap/profile.h"
#include "input/path.h"

#define FRAMES_SHOWN 4
#define NAME_COLUMNS 40

void wm_path_in_words(const struct wm_path_frames *f, char buf[WM_PATH_TEXT])
{
	char name[NAME_COLUMNS + 1], file[NAME_COLUMNS + 1];
	size_t i, n = 0;

	snprintf(buf, WM_PATH_TEXT, "a place that is not known");
	for (i = 0; i < f->count && i < FRAMES_SHOWN; i++) {
		const struct wm_symbol *s = f->frame[i].symbol;

		n += (size_t)snprintf(buf + n, WM_PATH_TEXT - n, "%s%s",
				      i ? " < " : "",
				      wm_shorten(s->name, NAME_COLUMNS, name));
		if (!i && s->file && s->line)
			n += (size_t)snprintf(buf + n, WM_PATH_TEXT - n,
					      " (%s:%u)",
					      wm_shorten(wm_basename(s->file),
							 NAME_COLUMNS, file),
					      s->line);
	}
	if (i < f->count)
		snprintf(buf + n, WM_PATH_TEXT - n, " < ...");
}

static void tell_row(const struct wm_analysis *a, const struct wm_failed_row *r,
		     const struct wm_path_frames *frames, const char *holder,
		     uint64_t held, struct wm_doc *d)
{
	char path[WM_PATH_TEXT], times[64] = "", ranks[64] = "";
	struct wm_figure b[3];

	wm_path_in_words(frames, path);
	if (r->count > 1)
		snprintf(times, sizeof(times), ", the largest of %s",
			 wm_count(&b[0], r->count));
	if (r->ranks > 1)
		snprintf(ranks, sizeof(ranks), " in %s ranks",
			 wm_count(&b[0], r->ranks));
	wm_doc_print(d, "  %s failed in %s%s%s%s\n", wm_bytes(&b[0], r->bytes),
		     path, times, ranks,
		     r->group != WM_GROUP_none ?
			     "; a runtime made the request, and may do "
			     "without it" :
			     "");
	wm_doc_print(d, "    at %s of rank %" PRIu64 ", when %s were live",
		     wm_instant(&b[0], r->largest->seconds),
		     a->ranks[r->rank].rank,
		     wm_bytes(&b[1], r->largest->live_bytes));
	if (holder)
		wm_doc_print(d, ", of them %s in %s", wm_bytes(&b[2], held),
			     wm_shorten(holder, NAME_COLUMNS, path));
	wm_doc_print(d, "\n");
}

static enum wm_status put_row(const struct wm_analysis *a,
			      const struct wm_failed_row *r,
			      const struct wm_path_frames *frames,
			      const char *holder, uint64_t held,
			      struct wm_json *j, struct wm_err *err)
{
	const struct wm_symbol *site = frames->count ? frames->frame[0].symbol :
						       NULL;
	char *path = wm_profile_path(a, frames);

	if (!path)
		return wm_no_memory(err, "failed requests");
	wm_json_flat_object(j, NULL);
	WM_JSON_ADD(j, "name file path runtime holder",
		    site ? site->name : NULL, site ? site->file : NULL, path,
		    r->group != WM_GROUP_none ? wm_group_name[r->group] : NULL,
		    holder);
	WM_JSON_ADD(j, "line bytes count ranks rank live_bytes holder_bytes",
		    site ? site->line : 0, r->bytes, r->count, r->ranks,
		    a->ranks[r->rank].rank, r->largest->live_bytes, held);
	wm_json_real(j, "time_s", r->largest->seconds, 9);
	wm_json_end_object(j);
	free(path);
	return WM_OK;
}

static enum wm_status tell_rows(const struct wm_analysis *a,
				const struct wm_failed_rows *f, size_t rows,
				bool people, struct wm_doc *d,
				struct wm_err *err)
{
	struct wm_path_frames frames = { .count = 0 };
	enum wm_status s = WM_OK;

	for (size_t i = 0; i < rows && !s; i++) {
		const struct wm_failed_row *r = &f->row[i];
		const char *holder;
		uint64_t held;

		s = wm_path_frames_fill(&frames, a, r->path, err);
		if (!s)
			s = wm_failed_holder(a, r->largest, &holder, &held,
					     err);
		if (!s && people)
			tell_row(a, r, &frames, holder, held, d);
		else if (!s)
			s = put_row(a, r, &frames, holder, held, &d->data, err);
	}
	wm_path_frames_release(&frames);
	return s;
}

enum wm_status wm_tell_failed(const struct wm_analysis *a, size_t top,
			      unsigned audience, struct wm_doc *d,
			      struct wm_err *err)
{
	struct wm_failed_rows f;
	enum wm_status s;
	struct wm_figure b;
	size_t rows;

	if (!wm_doc_wants(d, audience))
		return WM_OK;
	s = wm_failed_rows_make(&f, a, err);
	rows = top && top < f.count ? top : f.count;
	if (!s && audience == WM_FOR_DATA) {
		wm_json_array(&d->data, "failed_requests");
		s = tell_rows(a, &f, rows, false, d, err);
		wm_json_end_array(&d->data);
	} else if (!s && f.count) {
		wm_doc_heading(d, "Requests for memory that failed: %s",
			       wm_count(&b, f.requests));
		s = tell_rows(a, &f, rows, true, d, err);
		if (rows < f.count)
			wm_doc_print(d, "  and those of %s more call paths\n",
				     wm_count(&b, f.count - rows));
	}
	wm_failed_rows_release(&f);
	return s;
}
