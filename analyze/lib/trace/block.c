/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/block.h"

#include <inttypes.h>
#include <stdio.h>

enum wm_status wm_malformed(const char *column, struct wm_err *err)
{
	return wm_err_set(err, WM_BAD_INPUT, "column %s is malformed", column);
}

bool wm_block_is_event_column(uint64_t id)
{
	return id == WMT_COL_KIND || id == WMT_COL_TIME ||
	       id == WMT_COL_STACK || id == WMT_COL_SIZE ||
	       id == WMT_COL_ALLOC_ADDR || id == WMT_COL_FREE_ADDR ||
	       id == WMT_COL_EXTRA || id == WMT_COL_HANDLE;
}

/* Returns whether the column, if known, has an encoding that it may have. */
static bool known_encoding(const struct wm_head_column *c)
{
#define X(name, number, encoding) [number] = WMT_ENC_##encoding,
	static const uint8_t want[WMT_COL_LIMIT] = { WMT_COLUMN_LIST(X) };
#undef X

	uint64_t e = wm_block_encoding(c);

	if (c->id >= WMT_COL_LIMIT || !want[c->id])
		return true;
	if (wm_block_is_packed(c) && !wm_block_is_event_column(c->id))
		return false;
	if (e == want[c->id])
		return true;
	if (c->id == WMT_COL_TIME)
		return e == WMT_ENC_GAPS;
	if (c->id == WMT_COL_LOADS)
		return e == WMT_ENC_LISTS;
	return (c->id == WMT_COL_STACK || c->id == WMT_COL_SIZE) &&
	       e == WMT_ENC_SEEN;
}

static bool column_is_plausible(const struct wm_head *h,
				const struct wm_head_column *c)
{
	return !wm_block_is_event_column(c->id) || c->size <= wm_block_most(h);
}

/* In a block of a newer version, an unknown encoding is not damage. */
static enum wm_status unknown_encoding(const struct wm_head *h,
				       const struct wm_head_column *c,
				       struct wm_err *err)
{
	char version[128] = "";

	if (h->minor > WMT_MINOR)
		snprintf(version, sizeof(version),
			 " (trace format %d.%u, it knows %d.%d: use the "
			 "wm-analyze of the wmtools that traced it, or a newer "
			 "one)",
			 WMT_MAJOR, h->minor, WMT_MAJOR, WMT_MINOR);
	return wm_err_set(err, WM_BAD_INPUT,
			  "column %" PRIu64 " has encoding %" PRIu64
			  ", which this reader does not know%s",
			  c->id, c->encoding, version);
}

enum wm_status wm_block_check(const struct wm_head *h, struct wm_err *err)
{
	uint64_t seen = 0;

	for (size_t i = 0; i < h->columns; i++) {
		const struct wm_head_column *c = &h->column[i];
		uint64_t bit = c->id < WMT_COL_LIMIT ? 1ull << c->id : 0;

		if (seen & bit)
			return wm_err_set(err, WM_BAD_INPUT,
					  "column %" PRIu64 " comes twice",
					  c->id);
		seen |= bit;
		if (!known_encoding(c))
			return unknown_encoding(h, c, err);
		if (!column_is_plausible(h, c))
			return wm_err_set(err, WM_BAD_INPUT,
					  "column %" PRIu64 " of %" PRIu64
					  " bytes",
					  c->id, c->size);
	}
	return WM_OK;
}
