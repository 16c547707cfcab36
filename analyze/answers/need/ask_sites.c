/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/need/ask_sites.h"

#include <string.h>

#include "analyze/lib/base/shorten.h"
#include "analyze/answers/heap/path_frames.h"
#include "analyze/answers/need/failed_requests.h"

static enum wm_status name_site(const struct wm_analysis *a, uint32_t path,
				char name[WM_ASK_SITE + 1], struct wm_err *err)
{
	struct wm_path_frames f = { .count = 0 };
	enum wm_status s = wm_path_frames_fill(&f, a, path, err);

	if (!s && f.count && f.frame[0].symbol)
		wm_shorten(f.frame[0].symbol->name, WM_ASK_SITE, name);
	wm_path_frames_release(&f);
	return s;
}

static enum wm_status name_failed(const struct wm_analysis *a, size_t index,
				  uint64_t bytes, char name[WM_ASK_SITE + 1],
				  struct wm_err *err)
{
	const struct wm_failed *f = bytes ? wm_failed_largest(a, index, bytes) :
					    NULL;

	return f ? name_site(a, f->path, name, err) : WM_OK;
}

enum wm_status wm_ask_sites_find(struct wm_ask_sites *sites,
				 const struct wm_ask *ask,
				 const struct wm_analysis *a,
				 struct wm_err *err)
{
	const struct wm_rank *r = &a->ranks[ask->death.grew];
	enum wm_status s = WM_OK;

	memset(sites, 0, sizeof(*sites));
	if (!ask->death.died)
		return WM_OK;
	if (ask->death.growing && r->last_path.path_count)
		s = name_site(a, r->growth_number, sites->grew, err);
	if (!s)
		s = name_failed(a, ask->rank, ask->need.failed, sites->failed,
				err);
	if (!s)
		s = name_failed(a, ask->refused_rank, ask->refused,
				sites->refused, err);
	return s;
}
