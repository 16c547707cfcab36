/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/read_epochs.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analyze/lib/base/plain.h"
#include "analyze/lib/base/vec.h"

/* Bounds of docs/trace-format.md, 6.9. */
#define MOST_EPOCHS (1u << 16) /* of a block */
#define LEAST_EPOCHS (UINT64_C(1) << 20) /* of a file */

enum wm_status wm_epochs_note(struct wm_trace *t, const struct wm_head *h,
			      const struct wm_page_block *where,
			      struct wm_err *err)
{
	const struct wm_head_field *end = &h->field[WMT_F_PAGES_END];
	uint64_t shift = wm_head_uint(h, WMT_F_PAGE_SHIFT);

	if (where->epochs > MOST_EPOCHS || where->first > UINT32_MAX ||
	    where->first < t->epochs_end || shift < 12 || shift > 16 ||
	    (t->page_shift && shift != t->page_shift) ||
	    t->epochs + where->epochs > LEAST_EPOCHS + t->src.size / 4)
		return wm_err_set(err, WM_BAD_INPUT,
				  "epochs %" PRIu64 " to %" PRIu64
				  " of pages of %" PRIu64
				  " bits after %" PRIu64,
				  where->first, where->first + where->epochs,
				  shift, t->epochs_end);
	if (!WM_APPEND(t->page_blocks, t->page_block_cap, t->page_block_count,
		       *where))
		return wm_no_memory(err, NULL);
	t->page_shift = (unsigned)shift;
	t->epochs += where->epochs;
	t->epochs_end = where->first + where->epochs;
	t->interval_ns = wm_head_uint(h, WMT_F_INTERVAL);
	t->watch = (struct wm_watch_cost){
		wm_head_uint(h, WMT_F_WATCH_THREAD),
		wm_head_uint(h, WMT_F_WATCH_FAULTS),
		wm_head_uint(h, WMT_F_WATCH_FAULTS_NS), t->epochs_end
	};
	if (!end->data)
		return WM_OK;
	free(t->pages_end);
	t->pages_end = wm_plain((const char *)end->data, end->size);
	return t->pages_end ? WM_OK : wm_no_memory(err, NULL);
}
