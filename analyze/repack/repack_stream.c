/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/repack/repack_stream.h"

#include <lzma.h>
#include <stdbool.h>

#define DICT_BYTES (1u << 20)
#define AGAIN 15 /* columns with one setting, then all are tried */

/* Contexts of a literal: high bits of the byte before it, low bits of its
 * place; and low bits of the place for all else. */
struct setting {
	uint8_t lc, lp, pb;
};

/* For text and mixtures; for bytes that do not depend on each other; for
 * those that depend on the one before. */
static const struct setting settings[] = {
	{ 3, 0, 2 },
	{ 0, 0, 0 },
	{ 4, 0, 0 },
};
#define SETTINGS (sizeof(settings) / sizeof(*settings))

static enum wm_status lzma_failed(lzma_ret r, struct wm_err *err)
{
	if (r == LZMA_MEM_ERROR)
		return wm_no_memory(err, NULL);
	return wm_err_set(err, WM_BAD_INPUT, "liblzma: error %d", (int)r);
}

/* One Block after the other into @to: the smallest stays. */
static lzma_ret try_one(struct wm_packed *to, struct wm_octets *room,
			lzma_options_lzma *opt, bool store, const uint8_t *data,
			size_t n)
{
	lzma_filter filters[2] = {
		{ .id = LZMA_FILTER_LZMA2, .options = opt },
		{ .id = LZMA_VLI_UNKNOWN },
	};
	lzma_block block = {
		.check = LZMA_CHECK_CRC32,
		.compressed_size = LZMA_VLI_UNKNOWN,
		.uncompressed_size = LZMA_VLI_UNKNOWN,
		.filters = filters,
	};
	size_t bound = lzma_block_buffer_bound(n), at = 0;
	struct wm_octets swap;
	uint8_t *p;
	lzma_ret r;

	room->len = 0;
	p = wm_octets_room(room, bound);
	if (!p)
		return LZMA_MEM_ERROR;
	r = store ? lzma_block_uncomp_encode(&block, data, n, p, &at, bound) :
		    lzma_block_buffer_encode(&block, NULL, data, n, p, &at,
					     bound);
	if (r != LZMA_OK || (to->block.len && at >= to->block.len))
		return r;
	room->len = at;
	swap = to->block;
	to->block = *room;
	*room = swap;
	to->unpadded = lzma_block_unpadded_size(&block);
	to->size = n;
	return LZMA_OK;
}

/* The smallest dictionary that all of @n bytes fit in: less memory to clear. */
static uint32_t dictionary(size_t n)
{
	uint32_t size = LZMA_DICT_SIZE_MIN;

	while (size < n && size < DICT_BYTES)
		size *= 2;
	return size;
}

static lzma_ret try_setting(struct wm_packed *to, struct wm_octets *room,
			    const struct setting *s, const uint8_t *data,
			    size_t n)
{
	lzma_options_lzma opt;

	lzma_lzma_preset(&opt, 6);
	opt.dict_size = dictionary(n);
	opt.lc = s->lc;
	opt.lp = s->lp;
	opt.pb = s->pb;
	return try_one(to, room, &opt, false, data, n);
}

enum wm_status wm_pack_like(struct wm_packed *to, struct wm_like *like,
			    const uint8_t *data, size_t n, struct wm_err *err)
{
	lzma_options_lzma opt = { .dict_size = dictionary(n) };
	struct wm_octets room = { 0 };
	size_t i, least;
	lzma_ret r;

	to->block.len = 0;
	r = try_one(to, &room, &opt, true, data, n);
	if (like->again) {
		like->again--;
		if (r == LZMA_OK)
			r = try_setting(to, &room, &settings[like->setting],
					data, n);
	} else {
		like->again = AGAIN;
		for (i = 0; i < SETTINGS && r == LZMA_OK; i++) {
			least = to->block.len;
			r = try_setting(to, &room, &settings[i], data, n);
			if (to->block.len < least)
				like->setting = (uint8_t)i;
		}
	}
	wm_octets_release(&room);
	return r == LZMA_OK ? WM_OK : lzma_failed(r, err);
}

enum wm_status wm_pack_column(struct wm_packed *to, const uint8_t *data,
			      size_t n, struct wm_err *err)
{
	struct wm_like like = { 0 };

	return wm_pack_like(to, &like, data, n, err);
}

enum wm_status wm_pack_quickly(struct wm_packed *to, const uint8_t *data,
			       size_t n, struct wm_err *err)
{
	/* each bit of a literal takes time: matches are what is looked for */
	lzma_options_lzma opt = {
		.dict_size = dictionary(n),
		.lc = 4,
		.mode = LZMA_MODE_FAST,
		.mf = LZMA_MF_HC4,
		.nice_len = 64,
		.depth = 8,
	};
	struct wm_octets room = { 0 };
	lzma_ret r;

	to->block.len = 0;
	r = try_one(to, &room, &opt, false, data, n);
	wm_octets_release(&room);
	return r == LZMA_OK ? WM_OK : lzma_failed(r, err);
}

enum wm_status wm_pack_stored(struct wm_packed *to, const uint8_t *data,
			      size_t n, struct wm_err *err)
{
	struct wm_octets room = { 0 };
	lzma_options_lzma opt = { .dict_size = dictionary(n) };
	lzma_ret r;

	to->block.len = 0;
	r = try_one(to, &room, &opt, true, data, n);
	wm_octets_release(&room);
	return r == LZMA_OK ? WM_OK : lzma_failed(r, err);
}

enum wm_status wm_pack_stream(struct wm_octets *out,
			      const struct wm_packed *const *block, size_t n,
			      struct wm_err *err)
{
	lzma_stream_flags flags = { .check = LZMA_CHECK_CRC32 };
	lzma_index *index = lzma_index_init(NULL);
	lzma_ret r = index ? LZMA_OK : LZMA_MEM_ERROR;
	size_t i, at = 0;
	uint8_t *p;

	p = wm_octets_room(out, LZMA_STREAM_HEADER_SIZE);
	if (p && r == LZMA_OK)
		r = lzma_stream_header_encode(&flags, p);
	if (p)
		out->len += LZMA_STREAM_HEADER_SIZE;
	for (i = 0; i < n && r == LZMA_OK; i++) {
		wm_octets_add(out, block[i]->block.p, block[i]->block.len);
		r = lzma_index_append(index, NULL, block[i]->unpadded,
				      block[i]->size);
	}
	if (r == LZMA_OK) {
		flags.backward_size = lzma_index_size(index);
		p = wm_octets_room(out, flags.backward_size +
						LZMA_STREAM_HEADER_SIZE);
		r = p ? lzma_index_buffer_encode(index, p, &at,
						 flags.backward_size) :
			LZMA_MEM_ERROR;
	}
	if (r == LZMA_OK)
		r = lzma_stream_footer_encode(&flags, p + at);
	if (r == LZMA_OK)
		out->len += at + LZMA_STREAM_HEADER_SIZE;
	lzma_index_end(index, NULL);
	return r == LZMA_OK ? WM_OK : lzma_failed(r, err);
}

void wm_packed_release(struct wm_packed *p)
{
	wm_octets_release(&p->block);
	memset(p, 0, sizeof(*p));
}
