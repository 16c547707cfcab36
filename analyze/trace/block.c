/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/trace/block.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyze/base/vec.h"

/* Decode @b into *@buf, which grows. */
enum wm_status wm_block_decode(struct wm_source *src,
			       const struct wm_xz_block *b, uint8_t **buf,
			       size_t *cap, struct wm_err *err)
{
	uint8_t *p;

	if (b->size > WMT_MAX_COLUMN)
		return wm_err_set(err, WM_BAD_INPUT,
				  "column of %" PRIu64 " bytes", b->size);
	p = WM_ROOM(*buf, *cap, (size_t)b->size + 1);
	if (!p)
		return wm_no_memory(err, NULL);
	return wm_xz_decode(src, b, p, err);
}

/* Begin the block at @offset: its Stream and its head. */
enum wm_status wm_block_head(struct wm_source *src, struct wm_xz *xz,
			     uint64_t offset, struct wm_head *head,
			     uint8_t **buf, size_t *cap, struct wm_err *err)
{
	struct wm_xz_block b;
	enum wm_status r;

	r = wm_xz_begin(xz, src, offset, err);
	if (r)
		return r;
	r = wm_xz_next(xz, &b, err);
	if (r && r != WM_END)
		return r;
	if (r == WM_END || b.size > WMT_MAX_HEAD) {
		xz->foreign = 1;
		return wm_err_set(err, WM_BAD_INPUT, "another .xz file");
	}
	r = wm_block_decode(src, &b, buf, cap, err);
	if (r)
		return r;
	xz->foreign = b.size < WMT_MAGIC_SIZE ||
		      memcmp(*buf, WMT_MAGIC, WMT_MAGIC_SIZE) != 0;
	return wm_head_parse(head, *buf, (size_t)b.size, err);
}

bool wm_block_is_event_column(uint64_t id)
{
	return id == WMT_COL_KIND || id == WMT_COL_TIME ||
	       id == WMT_COL_STACK || id == WMT_COL_SIZE ||
	       id == WMT_COL_ALLOC_ADDR || id == WMT_COL_FREE_ADDR ||
	       id == WMT_COL_EXTRA || id == WMT_COL_HANDLE ||
	       id == WMT_COL_PLACE || id == WMT_COL_KNOWN;
}

/* What each column that this reader knows has to look like. */
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
	if (c->id == WMT_COL_KIND)
		return e == WMT_ENC_OPS_NEAR || e == WMT_ENC_OPS_KNOWN;
	if (c->id == WMT_COL_TIME)
		return e == WMT_ENC_GAPS;
	if (c->id == WMT_COL_KNOWN)
		return e == WMT_ENC_STEPS;
	if (c->id == WMT_COL_LOADS)
		return e == WMT_ENC_LISTS;
	if (c->id == WMT_COL_DICT)
		return e == WMT_ENC_PATHS;
	return (c->id == WMT_COL_STACK || c->id == WMT_COL_SIZE) &&
	       e == WMT_ENC_SEEN;
}

static bool column_is_plausible(const struct wm_head *h,
				const struct wm_head_column *c)
{
	return !wm_block_is_event_column(c->id) || c->size <= wm_block_most(h);
}

/* In a block of a version that came after this reader it is no damage. */
static enum wm_status unknown_encoding(const struct wm_head *h,
				       const struct wm_head_column *c,
				       struct wm_err *err)
{
	char version[128] = "";

	if (h->minor > WMT_MINOR_NEWEST)
		snprintf(version, sizeof(version),
			 " (trace format %d.%u, it knows %d.%d: use the "
			 "wm-analyze of the wmtools that traced it, or a newer "
			 "one)",
			 WMT_MAJOR, h->minor, WMT_MAJOR, WMT_MINOR_NEWEST);
	return wm_err_set(err, WM_BAD_INPUT,
			  "column %" PRIu64 " has encoding %" PRIu64
			  ", which this reader does not know%s",
			  c->id, c->encoding, version);
}

static enum wm_status check_columns(const struct wm_head *h, struct wm_err *err)
{
	uint64_t seen = 0;
	size_t i;

	for (i = 0; i < h->columns; i++) {
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

/* The xz Block of column @c, which the head announced. */
static enum wm_status find_column(struct wm_xz *xz,
				  const struct wm_head_column *c,
				  struct wm_xz_block *b, struct wm_err *err)
{
	enum wm_status r = wm_xz_next(xz, b, err);

	if (r == WM_END)
		return wm_err_set(err, WM_BAD_INPUT, "a column is missing");
	if (r)
		return r;
	if (b->size != c->size)
		return wm_err_set(err, WM_BAD_INPUT,
				  "column %" PRIu64 " has %" PRIu64
				  " bytes instead of %" PRIu64,
				  c->id, b->size, c->size);
	return WM_OK;
}

enum wm_status wm_block_columns(struct wm_xz *xz, const struct wm_head *h,
				struct wm_xz_block at[WMT_COL_LIMIT],
				struct wm_err *err)
{
	enum wm_status r = check_columns(h, err);
	struct wm_xz_block b;
	size_t i;

	memset(at, 0, WMT_COL_LIMIT * sizeof(*at));
	for (i = 0; i < h->columns && !r; i++) {
		const struct wm_head_column *c = &h->column[i];

		if (c->size == 0)
			continue;
		r = find_column(xz, c, &b, err);
		if (!r && c->id < WMT_COL_LIMIT)
			at[c->id] = b;
	}
	return r;
}
