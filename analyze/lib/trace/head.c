/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/head.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum field_type {
	FIELD_UNKNOWN,
	FIELD_UINT,
	FIELD_STR,
	FIELD_BYTES,
	FIELD_TRIPLE
};

#define X(name, number, type) [number] = FIELD_##type,
static const uint8_t field_type[WMT_F_LIMIT] = { WMT_FIELD_LIST(X) };
#undef X

#define X(name, number, type) [number] = #name,
static const char *const field_name[WMT_F_LIMIT] = { WMT_FIELD_LIST(X) };
#undef X

#define X(name, number, s, a, f, x) [number] = { 1, s, a, f, x },
const struct wm_operands wm_operands[WMT_EV_LIMIT] = { WMT_EVENT_LIST(X) };
#undef X

static enum wm_status bad_head(struct wm_err *err)
{
	return wm_err_set(err, WM_BAD_INPUT, "head ends within a field");
}

enum wm_status wm_head_field(struct wm_head *head, uint64_t tag,
			     const uint8_t *p, size_t len, struct wm_err *err)
{
	struct wm_column in = { p, p + len };
	struct wm_head_field *f;
	size_t numbers = 0;
	bool good = true;

	if (tag >= WMT_F_LIMIT || field_type[tag] == FIELD_UNKNOWN)
		return WM_OK;
	f = &head->field[tag];
	if (f->data)
		return wm_err_set(err, WM_BAD_INPUT, "field %s comes twice",
				  field_name[tag]);
	f->data = p;
	f->size = len;
	if (field_type[tag] == FIELD_UINT)
		numbers = 1;
	else if (field_type[tag] == FIELD_TRIPLE)
		numbers = 3;
	for (size_t i = 0; i < numbers; i++)
		good &= wm_take(&in, &f->v[i]);
	return !numbers || (good && in.p == in.end) ?
		       WM_OK :
		       wm_err_set(err, WM_BAD_INPUT, "field %s is malformed",
				  field_name[tag]);
}

static enum wm_status read_columns(struct wm_head *head, struct wm_column in,
				   struct wm_err *err)
{
	uint64_t n, i;

	head->list = in.p;
	if (!wm_take(&in, &n))
		return bad_head(err);
	if (n > WM_MAX_COLUMNS)
		return wm_err_set(err, WM_BAD_INPUT, "%" PRIu64 " columns", n);
	for (i = 0; i < n; i++) {
		struct wm_head_column *c = &head->column[i];

		if (!wm_take(&in, &c->id) || !wm_take(&in, &c->encoding) ||
		    !wm_take(&in, &c->size))
			return bad_head(err);
		if (c->size > WMT_MAX_COLUMN)
			return wm_err_set(err, WM_BAD_INPUT,
					  "column %" PRIu64 " of %" PRIu64
					  " bytes",
					  c->id, c->size);
	}
	head->columns = (size_t)n;
	head->end = in.p;
	return WM_OK;
}

enum wm_status wm_head_parse(struct wm_head *head, const uint8_t *data,
			     size_t size, struct wm_err *err)
{
	struct wm_column in = { data + WMT_PREFIX_SIZE, data + size };
	uint64_t tag, len;
	enum wm_status r;

	memset(head, 0, offsetof(struct wm_head, column));
	head->columns = 0;
	if (size < WMT_PREFIX_SIZE ||
	    memcmp(data, WMT_MAGIC, WMT_MAGIC_SIZE) != 0)
		return wm_err_set(err, WM_BAD_INPUT, "another .xz file");
	if (data[4] != WMT_MAJOR)
		return wm_err_set(err, WM_BAD_INPUT,
				  "trace format %u.%u, this reader knows %u.x: "
				  "use the wm-analyze of the wmtools that "
				  "traced it, or a newer one",
				  data[4], data[5], WMT_MAJOR);
	head->minor = data[5];
	head->type = data[6];
	for (;;) {
		if (!wm_take(&in, &tag))
			return bad_head(err);
		if (tag == 0)
			return read_columns(head, in, err);
		if (!wm_take(&in, &len) || len > (size_t)(in.end - in.p))
			return bad_head(err);
		r = wm_head_field(head, tag, in.p, (size_t)len, err);
		if (r)
			return r;
		in.p += len;
	}
}

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
