/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/head.h"

#include <inttypes.h>
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
