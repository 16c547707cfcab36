/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that formats share (export.h). */
#include "analyze/answers/export/export.h"

#include <stdio.h>

#include "analyze/lib/base/vec.h"
#include "analyze/answers/summary/provenance.h"
#include "analyze/answers/text.h"
#include "analyze/symbols/site.h"

enum wm_status wm_export_frames(struct wm_path_frames *s,
				const struct wm_analysis *a, uint32_t path,
				struct wm_err *err)
{
	enum wm_status status = wm_path_frames_fill(s, a, path, err);
	struct wm_frame site, *frame;

	if (status || s->count)
		return status;
	site = wm_site_find(a->symbols, &a->paths, path);
	frame = WM_MORE(s->frame, s->cap, s->count);
	if (!frame || !site.symbol)
		return wm_no_memory(err, "symbols");
	*frame = site;
	s->count++;
	return WM_OK;
}

void wm_export_origin(const struct wm_analysis *a, size_t index,
		      const char *before, FILE *out)
{
	const struct wm_origin *o = wm_analysis_origin(a, index);
	char more[WM_PROVENANCE_TEXT];
	struct wm_provenance p;

	fprintf(out, "%s%s run %s", before, a->name, a->id);
	if (o->command)
		fprintf(out, ": %s%s", o->command,
			o->command_cut ? " ..." : "");
	putc('\n', out);
	wm_provenance_make(&p, a);
	if (*wm_provenance_text(&p, more))
		fprintf(out, "%s%s\n", before, more);
}

const char *wm_export_moment(const struct wm_analysis *a,
			     struct wm_export_title *t)
{
	char text[WM_WHEN_TEXT];
	struct wm_figure c;

	if (a->at_time)
		snprintf(t->s, sizeof(t->s), "at %.*s of %s",
			 (int)(sizeof(t->s) / 2), wm_moment_text(a, text),
			 wm_chosen(&c, a));
	else if (a->chosen == WM_ALL_RANKS)
		snprintf(t->s, sizeof(t->s), "all ranks, each at its own peak");
	else
		snprintf(t->s, sizeof(t->s), "at the peak of %s",
			 wm_chosen(&c, a));
	return t->s;
}
