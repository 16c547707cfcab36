/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"

static enum wm_status malformed(struct wm_err *err)
{
	return wm_malformed("HEADS", err);
}

bool wm_stream_is_common(uint64_t id)
{
	return id == WMT_COL_DICT || id == WMT_COL_MODULES ||
	       id == WMT_COL_NAMES;
}

static uint64_t thread_of(const struct wm_stream *s, uint64_t column)
{
	return wm_stream_is_common(column) ?
		       0 :
		       wm_head_uint(&s->head, WMT_F_THREAD);
}

/* Returns the lane's index, or s->lanes if there is none. */
static size_t find_lane(const struct wm_stream *s, uint64_t column)
{
	uint64_t thread = thread_of(s, column);
	size_t i = 0;

	while (i < s->lanes &&
	       (s->lane[i].column != column || s->lane[i].thread != thread))
		i++;
	return i;
}

/* Adds an empty lane, which may reuse the memory of an older one. */
static struct wm_stream_lane *add_lane(struct wm_stream *s, uint64_t column)
{
	struct wm_stream_lane *l = WM_ROOM(s->lane, s->lane_cap, s->lanes + 1);

	if (!l)
		return NULL;
	l += s->lanes++;
	if (s->lanes > s->lanes_made) {
		*l = (struct wm_stream_lane){ .data = NULL };
		s->lanes_made = s->lanes;
	}
	l->column = column;
	l->thread = thread_of(s, column);
	l->size = l->begun = 0;
	l->decoded = false;
	return l;
}

static enum wm_status count_columns(struct wm_stream *s, struct wm_err *err)
{
	enum wm_status r = wm_block_check(&s->head, err);

	for (size_t i = 0; i < s->head.columns && !r; i++) {
		const struct wm_head_column *c = &s->head.column[i];
		size_t k = find_lane(s, c->id);

		if (!c->size)
			continue;
		if (k == s->lanes && !add_lane(s, c->id))
			return wm_no_memory(err, NULL);
		s->lane[k].size += c->size;
	}
	return r;
}

static void place_columns(struct wm_stream *s)
{
	for (size_t i = 0; i < s->head.columns; i++) {
		const struct wm_head_column *c = &s->head.column[i];
		size_t k = find_lane(s, c->id);

		if (!c->size)
			continue;
		s->place[i] = (struct wm_stream_place){ (uint32_t)k,
							s->lane[k].begun };
		s->lane[k].begun += c->size;
	}
}

/* Finds the xz Blocks of all lanes, and checks that no Block follows. */
static enum wm_status find_lanes(struct wm_stream *s, struct wm_err *err)
{
	struct wm_xz_block more;
	enum wm_status r;

	for (size_t i = 0; i < s->lanes; i++) {
		struct wm_stream_lane *l = &s->lane[i];

		r = wm_xz_next(&s->xz, &l->at, err);
		if (r == WM_END)
			return wm_err_set(err, WM_BAD_INPUT,
					  "a column is missing");
		if (r)
			return r;
		if (l->at.size != l->size)
			return wm_err_set(err, WM_BAD_INPUT,
					  "column %" PRIu64 " has %" PRIu64
					  " bytes instead of %" PRIu64,
					  l->column, l->at.size, l->size);
	}
	r = wm_xz_next(&s->xz, &more, err);
	if (!r)
		return wm_err_set(err, WM_BAD_INPUT,
				  "more columns than announced");
	return r == WM_END ? WM_OK : r;
}

static enum wm_status decode_all(struct wm_stream *s,
				 const struct wm_xz_block *b,
				 struct wm_octets *to, struct wm_err *err)
{
	uint8_t *p;

	to->len = 0;
	p = wm_octets_room(to, (size_t)b->size + 1);
	if (!p)
		return wm_no_memory(err, NULL);
	to->len = (size_t)b->size;
	return wm_xz_decode(s->src, b, p, err);
}

static enum wm_status next_head(struct wm_stream *s, struct wm_err *err)
{
	s->bytes = s->heads.p + s->heads_at;
	if (wm_head_parse(&s->head, s->bytes, s->heads.len - s->heads_at,
			  err) ||
	    s->head.type == WMT_BLOCK_JOINED)
		return malformed(err);
	s->heads_at = (size_t)(s->head.end - s->heads.p);
	return WM_OK;
}

static enum wm_status read_heads(struct wm_stream *s, struct wm_err *err)
{
	const struct wm_head_column *c = &s->head.column[0];
	struct wm_xz_block b;
	enum wm_status r;

	if (s->head.columns != 1 || c->id != WMT_COL_HEADS ||
	    c->encoding != WMT_ENC_HEADS || c->size > WMT_MAX_HEAD)
		return malformed(err);
	r = wm_xz_next(&s->xz, &b, err);
	if (r == WM_END || (!r && b.size != c->size))
		return malformed(err);
	return r ? r : decode_all(s, &b, &s->heads, err);
}

/* s->head is the Stream's own; the heads of its blocks are in HEADS. */
static enum wm_status open_joined(struct wm_stream *s, struct wm_err *err)
{
	enum wm_status r = read_heads(s, err);

	if (r)
		return r;
	s->joined = true;
	for (s->blocks = 0; !r && s->heads_at < s->heads.len; s->blocks++) {
		if (s->blocks == WMT_MAX_JOINED)
			return malformed(err);
		r = next_head(s, err);
		if (!r)
			r = count_columns(s, err);
	}
	if (!s->blocks)
		return malformed(err);
	for (size_t i = 0; i < s->lanes && !r; i++)
		if (s->lane[i].size > WMT_MAX_LANE)
			return malformed(err);
	s->heads_at = 0;
	return r;
}

static enum wm_status open_head(struct wm_stream *s, uint64_t offset,
				struct wm_err *err)
{
	struct wm_xz_block b;
	enum wm_status r = wm_xz_begin(&s->xz, s->src, offset, err);

	if (r)
		return r;
	r = wm_xz_next(&s->xz, &b, err);
	if (r && r != WM_END)
		return r;
	if (r == WM_END || b.size > WMT_MAX_HEAD) {
		s->xz.foreign = true;
		return wm_err_set(err, WM_BAD_INPUT, "another .xz file");
	}
	r = decode_all(s, &b, &s->own, err);
	if (r)
		return r;
	s->xz.foreign = b.size < WMT_MAGIC_SIZE ||
			memcmp(s->own.p, WMT_MAGIC, WMT_MAGIC_SIZE) != 0;
	s->bytes = s->own.p;
	return wm_head_parse(&s->head, s->bytes, s->own.len, err);
}

enum wm_status wm_stream_open(struct wm_stream *s, struct wm_source *src,
			      uint64_t offset, struct wm_err *err)
{
	enum wm_status r;

	s->open = s->joined = false;
	s->src = src;
	s->offset = offset;
	s->blocks = 1;
	s->next = 0;
	s->heads_at = 0;
	s->lanes = 0;
	r = open_head(s, offset, err);
	if (!r)
		r = s->head.type == WMT_BLOCK_JOINED ? open_joined(s, err) :
						       count_columns(s, err);
	if (!r)
		r = find_lanes(s, err);
	s->end = s->xz.pos;
	s->open = !r;
	return r;
}

enum wm_status wm_stream_next(struct wm_stream *s, struct wm_err *err)
{
	enum wm_status r = WM_OK;

	if (s->next == s->blocks)
		return WM_END;
	if (s->joined)
		r = next_head(s, err);
	if (r)
		return r;
	place_columns(s);
	s->next++;
	return WM_OK;
}

enum wm_status wm_stream_seek(struct wm_stream *s, struct wm_source *src,
			      uint64_t offset, uint32_t part,
			      struct wm_err *err)
{
	enum wm_status r = WM_OK;

	if (!s->open || s->offset != offset || part < s->next)
		r = wm_stream_open(s, src, offset, err);
	while (!r && s->next <= part)
		r = wm_stream_next(s, err);
	/* another file has replaced this one */
	return r == WM_END ? malformed(err) : r;
}

/* Allocates just @need bytes, as each thread has lanes; loses old data. */
static bool lane_room(struct wm_stream_lane *l, size_t need)
{
	if (need <= l->cap)
		return true;
	free(l->data);
	l->data = malloc(need);
	l->cap = l->data ? need : 0;
	return l->data;
}

enum wm_status wm_stream_column(struct wm_stream *s, size_t i,
				struct wm_column *c, struct wm_err *err)
{
	size_t size = (size_t)s->head.column[i].size;
	struct wm_stream_lane *l;

	*c = (struct wm_column){ NULL, NULL };
	if (!size)
		return WM_OK;
	l = &s->lane[s->place[i].lane];
	if (!l->decoded) {
		size_t all = (size_t)l->size;
		enum wm_status r;

		if (!lane_room(l, all + WM_COLUMN_SLACK))
			return wm_no_memory(err, NULL);
		r = wm_xz_decode(s->src, &l->at, l->data, err);
		if (r)
			return r;
		memset(l->data + all, 0, WM_COLUMN_SLACK);
		l->decoded = true;
	}
	c->p = l->data + s->place[i].at;
	c->end = c->p + size;
	return WM_OK;
}

enum wm_status wm_stream_find(struct wm_stream *s, uint64_t id,
			      struct wm_column *c, struct wm_err *err)
{
	*c = (struct wm_column){ NULL, NULL };
	for (size_t i = 0; i < s->head.columns; i++)
		if (s->head.column[i].id == id)
			return wm_stream_column(s, i, c, err);
	return WM_OK;
}

size_t wm_stream_memory(const struct wm_stream *s)
{
	size_t n = s->own.cap + s->heads.cap + s->lane_cap * sizeof(*s->lane);

	for (size_t i = 0; i < s->lanes_made; i++)
		n += s->lane[i].cap;
	return n;
}

void wm_stream_release(struct wm_stream *s)
{
	for (size_t i = 0; i < s->lanes_made; i++)
		free(s->lane[i].data);
	free(s->lane);
	wm_octets_release(&s->own);
	wm_octets_release(&s->heads);
	wm_xz_release(&s->xz);
	memset(s, 0, sizeof(*s));
}
