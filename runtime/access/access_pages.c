/* SPDX-License-Identifier: Apache-2.0 */
/* For WM_ACCESS=pages:MS, which records pages instead of single accesses. */
#include "runtime/access/access.h"

#include "wm/trace_format.h"

static unsigned did(uint32_t what)
{
	switch (what & WMA_KIND) {
	case WMA_READ:
		return WMT_WHO_READ;
	case WMA_WRITE:
		return WMT_WHO_WRITTEN;
	default:
		return WMT_WHO_READ | WMT_WHO_WRITTEN;
	}
}

static bool is_seen(const struct wm_page_filter *f, uint64_t addr,
		    uint64_t bytes, unsigned how)
{
	uintptr_t self = (uintptr_t)f + WM_FILTER_TAG;

	return (!(how & WMT_WHO_READ) ||
		wm_access_page_seen(self, 0, addr, bytes)) &&
	       (!(how & WMT_WHO_WRITTEN) ||
		wm_access_page_seen(self, 1, addr, bytes));
}

uint64_t wm_access_page_note(uint64_t addr, uint64_t bytes, uint64_t key,
			     uint32_t what)
{
	uintptr_t self = wm_access_self;
	struct wm_page_filter *f = (void *)(self - WM_FILTER_TAG);
	unsigned how = did(what);
	uint64_t n;

	if ((what & WMA_KIND) == WMA_FRAME)
		return 0;
	/* A handler has forked, and this is the child, which is recorded in
	 * another way or not at all. */
	if (wm_unlikely(!(self & WM_FILTER_TAG)))
		return bytes;
	for (; bytes; addr += n, bytes -= n) {
		n = WM_PAGE - addr % WM_PAGE;
		n = n < bytes ? n : bytes;
		if (is_seen(f, addr, n, how))
			continue;
		/* The filter may have ended or been wiped in a child, and the
		 * program's wish may have changed. */
		if (wm_unlikely(!wm_filter_is_on(f) || wm_access_asks()))
			return bytes;
		if (wm_unlikely(wm_access_only != NULL) &&
		    !wm_access_is_wanted(WM_ACCESS_PC(key)))
			return 0;
		wm_access_self = wm_stack_pointer();
		atomic_signal_fence(memory_order_seq_cst);
		wm_filter_note(f, addr, n,
			       WM_NOTE_WHERE(WM_ACCESS_PC(key), what, how));
		atomic_signal_fence(memory_order_seq_cst);
		wm_access_self = self;
	}
	return 0;
}

void wm_access_page_aside(struct wm_page_filter *f, uint64_t addr,
			  uint64_t bytes, uint64_t key, uint32_t what)
{
	unsigned how = did(what);
	uint64_t n;

	if ((what & WMA_KIND) == WMA_FRAME ||
	    (wm_access_only && !wm_access_is_wanted(WM_ACCESS_PC(key))))
		return;
	for (; bytes; addr += n, bytes -= n) {
		n = WM_PAGE - addr % WM_PAGE;
		n = n < bytes ? n : bytes;
		if (!is_seen(f, addr, n, how))
			wm_filter_note_aside(f, addr, n,
					     WM_NOTE_WHERE(WM_ACCESS_PC(key),
							   what, how));
	}
}
