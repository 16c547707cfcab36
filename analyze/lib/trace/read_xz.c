/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/read_xz.h"

#include <inttypes.h>
#include <lzma.h>
#include <string.h>

#include "analyze/lib/base/le.h"
#include "analyze/lib/base/vec.h"
#include "wm/varint.h"

#define XZ_HEADER 12 /* bytes of Stream Header and Stream Footer */
#define XZ_CHECK 4
#define XZ_MAX_DICT (1u << 20)
#define XZ_MAX_DICT_CODE 16
#define XZ_BOTH_SIZES 0xc0 /* flags of a header with one filter */
#define XZ_MAX_BLOCKS 256 /* of a Stream */

static enum wm_status fail_foreign(struct wm_xz *x, const char *why,
				   struct wm_err *err)
{
	x->foreign = true;
	return wm_err_set(err, WM_BAD_INPUT, "%s", why);
}

/* Returns whether a Stream, which may be cut off, begins at @offset. */
static bool is_stream(struct wm_source *src, uint64_t offset)
{
	uint64_t n = src->size - offset;
	const uint8_t *p;

	n = n < 6 ? n : 6;
	return wm_source_view(src, offset, (size_t)n, &p, NULL) ||
	       memcmp(p, "\3757zXZ", (size_t)n) == 0;
}

enum wm_status wm_xz_begin(struct wm_xz *x, struct wm_source *src,
			   uint64_t offset, struct wm_err *err)
{
	lzma_stream_flags flags;
	const uint8_t *p;
	enum wm_status r;

	x->src = src;
	x->start = offset;
	x->pos = offset + XZ_HEADER;
	x->count = 0;
	x->foreign = false;
	if (!is_stream(src, offset))
		return fail_foreign(x, "no .xz stream", err);
	r = wm_source_view(src, offset, XZ_HEADER, &p, err);
	if (r)
		return r;
	switch (lzma_stream_header_decode(&flags, p)) {
	case LZMA_OK:
		break;
	case LZMA_DATA_ERROR:
		return wm_err_set(err, WM_BAD_INPUT,
				  "stream header: CRC mismatch");
	default:
		return fail_foreign(x, "stream header with unknown flags", err);
	}
	if (flags.check != LZMA_CHECK_CRC32)
		return fail_foreign(x, "the stream's check is not CRC32", err);
	return WM_OK;
}

/* Reads the header of a Block in the form in which the runtime writes it: LZMA2
 * only, and both sizes.  Returns false for other or damaged headers, which
 * liblzma reads, but seven times as slowly. */
static bool read_header(const uint8_t *p, size_t size, struct wm_xz_block *b)
{
	const uint8_t *end = p + size - XZ_CHECK, *at;

	if (p[1] != XZ_BOTH_SIZES ||
	    wm_crc32(p, size - XZ_CHECK) != wm_load_le32(end))
		return false;
	at = wm_varint_get(p + 2, end, &b->packed);
	if (at)
		at = wm_varint_get(at, end, &b->size);
	if (!at || end - at < 3 || at[0] != LZMA_FILTER_LZMA2 || at[1] != 1 ||
	    at[2] > XZ_MAX_DICT_CODE || b->size > LZMA_VLI_MAX)
		return false;
	b->dict_size = (2u | (at[2] & 1)) << (at[2] / 2 + 11);
	for (at += 3; at < end; at++)
		if (*at)
			return false;
	return true;
}

/* liblzma has a function for this from 5.4 on. */
static void free_filters(lzma_filter *f)
{
	for (; f->id != LZMA_VLI_UNKNOWN; f++)
		free(f->options);
}

/* Reads any other header, and reports its error. */
static enum wm_status odd_header(struct wm_xz *x, const uint8_t *p,
				 struct wm_xz_block *b, struct wm_err *err)
{
	lzma_filter filters[LZMA_FILTERS_MAX + 1];
	lzma_block block = {
		.version = 1,
		.header_size = lzma_block_header_size_decode(p[0]),
		.check = LZMA_CHECK_CRC32,
		.filters = filters,
	};
	bool plain;

	switch (lzma_block_header_decode(&block, NULL, p)) {
	case LZMA_OK:
		break;
	case LZMA_MEM_ERROR:
		return wm_no_memory(err, NULL);
	case LZMA_DATA_ERROR:
		return wm_err_set(err, WM_BAD_INPUT,
				  "header of column: CRC mismatch");
	default:
		return wm_err_set(err, WM_BAD_INPUT,
				  "header of column: unknown options");
	}
	plain = filters[0].id == LZMA_FILTER_LZMA2 &&
		filters[1].id == LZMA_VLI_UNKNOWN;
	b->dict_size = 0;
	if (plain)
		b->dict_size =
			((lzma_options_lzma *)filters[0].options)->dict_size;
	free_filters(filters);
	if (!plain || b->dict_size > XZ_MAX_DICT)
		return fail_foreign(x,
				    "column with another filter than LZMA2 of "
				    "at most 1 MiB",
				    err);
	if (block.compressed_size == LZMA_VLI_UNKNOWN ||
	    block.uncompressed_size == LZMA_VLI_UNKNOWN)
		return fail_foreign(x, "header of column without sizes", err);
	b->packed = block.compressed_size;
	b->size = block.uncompressed_size;
	return WM_OK;
}

/* Fills @b from the Block header at x->pos, which is complete at @p. */
static enum wm_status xz_header(struct wm_xz *x, const uint8_t *p,
				struct wm_xz_block *b, struct wm_err *err)
{
	uint64_t unpadded, total;
	enum wm_status r;

	b->offset = x->pos;
	b->header_size = lzma_block_header_size_decode(p[0]);
	if (!read_header(p, b->header_size, b) &&
	    (r = odd_header(x, p, b, err)))
		return r;
	unpadded = b->header_size + b->packed + XZ_CHECK;
	total = (unpadded + 3) & ~(uint64_t)3;
	if (!b->packed || b->packed > x->src->size ||
	    total > x->src->size - x->pos)
		return wm_err_set(err, WM_BAD_INPUT,
				  "cut off: the file ends at 0x%" PRIx64,
				  x->src->size);
	x->done[x->count].unpadded = unpadded;
	x->done[x->count++].size = b->size;
	x->pos += total;
	return WM_OK;
}

/* Makes the Index that the walked Blocks must have; returns its size. */
static size_t xz_index(const struct wm_xz *x, uint8_t *out)
{
	uint8_t *p = out;
	size_t i, pos, cap = 4 + 20 * x->count + 16;
	uint32_t crc;

	*p++ = 0;
	pos = 1;
	lzma_vli_encode(x->count, NULL, out, &pos, cap);
	for (i = 0; i < x->count; i++) {
		lzma_vli_encode(x->done[i].unpadded, NULL, out, &pos, cap);
		lzma_vli_encode(x->done[i].size, NULL, out, &pos, cap);
	}
	while (pos % 4)
		out[pos++] = 0;
	crc = lzma_crc32(out, pos, 0);
	for (i = 0; i < 4; i++)
		out[pos++] = (uint8_t)(crc >> (8 * i));
	return pos;
}

static enum wm_status xz_finish(struct wm_xz *x, struct wm_err *err)
{
	uint8_t want[32 + 20 * XZ_MAX_BLOCKS];
	size_t n = xz_index(x, want);
	lzma_stream_flags flags;
	const uint8_t *p;
	enum wm_status r = wm_source_view(x->src, x->pos, n + XZ_HEADER, &p,
					  err);

	if (r)
		return r;
	if (memcmp(p, want, n) != 0)
		return wm_err_set(err, WM_BAD_INPUT,
				  "stream index does not match its columns");
	if (lzma_stream_footer_decode(&flags, p + n) != LZMA_OK ||
	    flags.backward_size != n || flags.check != LZMA_CHECK_CRC32)
		return wm_err_set(err, WM_BAD_INPUT,
				  "stream footer is damaged");
	x->pos += n + XZ_HEADER;
	return WM_END;
}

enum wm_status wm_xz_next(struct wm_xz *x, struct wm_xz_block *b,
			  struct wm_err *err)
{
	const uint8_t *p;
	enum wm_status r = wm_source_view(x->src, x->pos, 1, &p, err);

	if (r)
		return r;
	if (*p == 0)
		return xz_finish(x, err);
	if (x->count == XZ_MAX_BLOCKS)
		return wm_err_set(err, WM_BAD_INPUT, "too many columns");
	if (!WM_ROOM(x->done, x->cap, x->count + 1))
		return wm_no_memory(err, NULL);
	r = wm_source_view(x->src, x->pos, lzma_block_header_size_decode(*p),
			   &p, err);
	if (r)
		return r;
	return xz_header(x, p, b, err);
}

void wm_xz_release(struct wm_xz *x)
{
	free(x->done);
	memset(x, 0, sizeof(*x));
}

/* Unpacks LZMA2 that has only uncompressed chunks, as written when there is no
 * time to compress.  Returns false for other chunks. */
static bool xz_stored(const uint8_t *in, size_t in_size, uint8_t *out,
		      size_t out_size)
{
	const uint8_t *end = in + in_size;
	size_t n;

	while (end - in >= 3 && (*in == 1 || *in == 2)) {
		n = ((size_t)in[1] << 8 | in[2]) + 1;
		in += 3;
		if (n > (size_t)(end - in) || n > out_size)
			return false;
		memcpy(out, in, n);
		in += n;
		out += n;
		out_size -= n;
	}
	return end - in == 1 && *in == 0 && out_size == 0;
}

static bool xz_lzma2(const struct wm_xz_block *b, const uint8_t *in,
		     uint8_t *out)
{
	lzma_options_lzma opt = { .dict_size = b->dict_size };
	lzma_filter filters[] = {
		{ .id = LZMA_FILTER_LZMA2, .options = &opt },
		{ .id = LZMA_VLI_UNKNOWN },
	};
	size_t in_pos = 0, out_pos = 0;

	return lzma_raw_buffer_decode(filters, NULL, in, &in_pos,
				      (size_t)b->packed, out, &out_pos,
				      (size_t)b->size) == LZMA_OK &&
	       in_pos == b->packed && out_pos == b->size;
}

enum wm_status wm_xz_decode(struct wm_source *src, const struct wm_xz_block *b,
			    uint8_t *out, struct wm_err *err)
{
	size_t packed = (size_t)b->packed, pad = -packed & 3, i;
	const uint8_t *p;
	enum wm_status r = wm_source_view(src, b->offset + b->header_size,
					  packed + pad + XZ_CHECK, &p, err);

	if (r)
		return r;
	if (!xz_stored(p, packed, out, (size_t)b->size) && !xz_lzma2(b, p, out))
		return wm_err_set(err, WM_BAD_INPUT,
				  "compressed data is damaged");
	for (i = 0; i < pad; i++)
		if (p[packed + i])
			return wm_err_set(err, WM_BAD_INPUT,
					  "padding is damaged");
	if (wm_crc32(out, (size_t)b->size) != wm_load_le32(p + packed + pad))
		return wm_err_set(err, WM_BAD_INPUT, "CRC mismatch");
	return WM_OK;
}
