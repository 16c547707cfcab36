/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/access/frames.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "wm/access_format.h"
#include "wm/search.h"

#define MOST_FRAMES (1u << 20)

void wm_frames_release(struct wm_frames *f)
{
	free(f->frame);
	memset(f, 0, sizeof(*f));
}

static uint64_t find_cfa(const struct wm_scope *f, uint64_t sp, uint64_t value)
{
	uint64_t above = value >> WMA_FRAME_SHIFT, cfa;

	if (!f || !f->known || (f->by_fp && !above))
		return 0;
	cfa = sp + (f->by_fp ? above - 1 : 0) + (uint64_t)f->cfa;
	return cfa > sp ? cfa : 0;
}

bool wm_frames_enter(struct wm_frames *f, const struct wm_scope *function,
		     uint64_t pc, uint64_t sp, uint64_t value)
{
	uint64_t ended = value & WMA_FRAME_MOST_ENDED;
	uint64_t cfa = find_cfa(function, sp, value);
	struct wm_live_frame *to;

	if (ended >= f->count || ended == WMA_FRAME_MOST_ENDED ||
	    f->count == MOST_FRAMES)
		f->count = 0;
	else
		f->count -= ended;
	while (f->count && f->frame[f->count - 1].sp < (cfa ? cfa : sp + 1))
		f->count--;
	to = WM_MORE(f->frame, f->cap, f->count);
	if (!to)
		return false;
	*to = (struct wm_live_frame){ sp, cfa, pc, function };
	f->count++;
	return true;
}

const struct wm_live_frame *wm_frames_find(const struct wm_frames *f,
					   uint64_t addr)
{
	/* inner frames are lower */
	size_t at = WM_FIRST(i, f->count, f->frame[i].sp <= addr);

	return at < f->count && addr < f->frame[at].cfa ? &f->frame[at] : NULL;
}
