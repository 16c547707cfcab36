/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/repack/repack_stream.h"

#include <lzma.h>
#include <stdbool.h>

#define DICT_BYTES (1u << 20)
/* So many bytes from the middle of a longer column decide on the setting. */
#define SAMPLE (64u << 10)

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

/* The smallest dictionary that all of @n bytes fit in: less memory to clear. */
static uint32_t dictionary(size_t n)
{
	uint32_t size = LZMA_DICT_SIZE_MIN;

	while (size < n && size < DICT_BYTES)
		size *= 2;
	return size;
}

/* @data as a Block; @s: NULL: stored. */
static lzma_ret make_block(struct wm_packed *to, const struct setting *s,
			   const uint8_t *data, size_t n)
{
	lzma_options_lzma opt = { .dict_size = dictionary(n) };
	lzma_filter filters[2] = {
		{ .id = LZMA_FILTER_LZMA2, .options = &opt },
		{ .id = LZMA_VLI_UNKNOWN },
	};
	lzma_block block = {
		.check = LZMA_CHECK_CRC32,
		.compressed_size = LZMA_VLI_UNKNOWN,
		.uncompressed_size = LZMA_VLI_UNKNOWN,
		.filters = filters,
	};
	size_t bound = lzma_block_buffer_bound(n), at = 0;
	lzma_ret r;
	uint8_t *p;

	if (s) {
		lzma_lzma_preset(&opt, 6);
		opt.dict_size = dictionary(n);
		opt.lc = s->lc;
		opt.lp = s->lp;
		opt.pb = s->pb;
	}
	to->block.len = 0;
	p = wm_octets_room(&to->block, bound);
	if (!p)
		return LZMA_MEM_ERROR;
	r = s ? lzma_block_buffer_encode(&block, NULL, data, n, p, &at, bound) :
		lzma_block_uncomp_encode(&block, data, n, p, &at, bound);
	to->block.len = at;
	to->unpadded = lzma_block_unpadded_size(&block);
	to->size = n;
	return r;
}

/* The setting that makes least of @data; *@least: how many bytes. */
static lzma_ret choose_setting(struct wm_packed *room, const uint8_t *data,
			       size_t n, const struct setting **best,
			       size_t *least)
{
	lzma_ret r = LZMA_OK;

	*least = SIZE_MAX;
	for (size_t i = 0; i < SETTINGS && r == LZMA_OK; i++) {
		r = make_block(room, &settings[i], data, n);
		if (room->block.len < *least) {
			*least = room->block.len;
			*best = &settings[i];
		}
	}
	return r;
}

enum wm_status wm_pack_column(struct wm_packed *to,
			      const struct wm_octets *plain,
			      const struct wm_octets *was, bool far,
			      bool *stays, struct wm_err *err)
{
	size_t n = plain->len < SAMPLE ? plain->len : SAMPLE, least;
	const struct setting *best = settings;
	double all;
	lzma_ret r = choose_setting(to, plain->p + (plain->len - n) / 2, n,
				    &best, &least);

	all = (double)least / (double)n * (double)plain->len;
	*stays = !far && all > 0.95 * (double)was->len;
	if (r == LZMA_OK && !*stays) {
		r = make_block(to, best, plain->p, plain->len);
		*stays = to->block.len + to->block.len / 10 > was->len;
	}
	if (r == LZMA_OK && *stays)
		r = make_block(to, NULL, was->p, was->len);
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

	out->len = 0;
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
