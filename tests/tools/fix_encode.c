/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/tools/fixture.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>

#include "wm/trace_format.h"

void fix_put(struct fix_bytes *b, const void *p, size_t n)
{
	if (b->n + n > b->cap) {
		b->cap = 2 * (b->n + n);
		b->p = fix_alloc(b->p, b->cap);
	}
	if (n)
		memcpy(b->p + b->n, p, n);
	b->n += n;
}

static void put_byte(struct fix_bytes *b, unsigned v)
{
	uint8_t c = (uint8_t)v;

	fix_put(b, &c, 1);
}

void fix_varint(struct fix_bytes *b, uint64_t v)
{
	for (; v > 127; v >>= 7)
		put_byte(b, (unsigned)(v & 127) | 128);
	put_byte(b, (unsigned)v);
}

void fix_zigzag(struct fix_bytes *b, int64_t v)
{
	fix_varint(b, v < 0 ? ~((uint64_t)v << 1) : (uint64_t)v << 1);
}

void fix_field_bytes(struct fix_block *b, unsigned tag, const void *p, size_t n)
{
	fix_varint(&b->fields, tag);
	fix_varint(&b->fields, n);
	fix_put(&b->fields, p, n);
}

void fix_field_text(struct fix_block *b, unsigned tag, const char *text)
{
	fix_field_bytes(b, tag, text, strlen(text));
}

static void field_numbers(struct fix_block *b, unsigned tag, const uint64_t *v,
			  int n)
{
	struct fix_bytes value = { 0 };

	while (n--)
		fix_varint(&value, *v++);
	fix_field_bytes(b, tag, value.p, value.n);
	free(value.p);
}

void fix_field_uint(struct fix_block *b, unsigned tag, uint64_t v)
{
	field_numbers(b, tag, &v, 1);
}

void fix_field_triple(struct fix_block *b, unsigned tag, const uint64_t v[3])
{
	field_numbers(b, tag, v, 3);
}

static void put_times(struct fix_bytes *out, const struct fix_event *e,
		      size_t n, unsigned shift)
{
	size_t i = 0, from;

	while (i < n) {
		uint64_t now = e[i].time >> shift;

		from = i;
		while (i < n && e[i].time >> shift == now)
			i++;
		if (from == 0) {
			fix_varint(out, i);
			continue;
		}
		fix_varint(out, now - (e[from - 1].time >> shift));
		fix_varint(out, i - from - 1);
	}
}

static void put_gaps(struct fix_bytes *out, const struct fix_event *e, size_t n,
		     unsigned shift)
{
	for (size_t i = 1; i < n; i++)
		fix_varint(out,
			   (e[i].time >> shift) - (e[i - 1].time >> shift));
}

void fix_address(struct fix_bytes *out, uint64_t addr, uint64_t before)
{
	int64_t d = (int64_t)(addr - before);
	int fine = addr % 16 || before % 16;

	if (!fine)
		d /= 16;
	fix_varint(out, (d < 0 ? ~((uint64_t)d << 1) : (uint64_t)d << 1) << 1 |
				(uint64_t)fine);
}

void fix_events(struct fix_block *b, const struct fix_event *e, size_t n,
		unsigned shift)
{
	fix_field_uint(b, WMT_F_EVENTS, n);
	fix_field_uint(b, WMT_F_TIME_FIRST, n ? e[0].time >> shift : 0);
	fix_field_uint(b, WMT_F_TIME_LAST, n ? e[n - 1].time >> shift : 0);
	fix_field_uint(b, WMT_F_TIME_SHIFT, shift);
	b->gaps &= n > 1;
	(b->gaps ? put_gaps : put_times)(&b->column[WMT_COL_TIME], e, n, shift);
	fix_ops(b, e, n);
}

#define X(name, number, code) [number] = WMT_ENC_##code,
static const uint8_t encoding[WMT_COL_LIMIT + 1] = { WMT_COLUMN_LIST(X) };
#undef X

/* One xz Block of @data. */
static void xz_block(struct fix_bytes *out, lzma_index *index,
		     const struct fix_bytes *data, int level)
{
	lzma_options_lzma opt;
	lzma_filter filters[] = {
		{ LZMA_FILTER_LZMA2, &opt },
		{ LZMA_VLI_UNKNOWN, NULL },
	};
	lzma_block block = {
		.check = LZMA_CHECK_CRC32,
		.filters = filters,
	};
	size_t n = 0, cap = lzma_block_buffer_bound(data->n);
	uint8_t *buf = fix_alloc(NULL, cap);
	lzma_ret r;

	lzma_lzma_preset(&opt, level < 0 ? 0 : (uint32_t)level);
	opt.dict_size = 1u << 16;
	r = level < 0 ? lzma_block_uncomp_encode(&block, data->p, data->n, buf,
						 &n, cap) :
			lzma_block_buffer_encode(&block, NULL, data->p, data->n,
						 buf, &n, cap);
	if (r != LZMA_OK ||
	    lzma_index_append(index, NULL, lzma_block_unpadded_size(&block),
			      data->n) != LZMA_OK)
		fix_die("liblzma: error %d", (int)r);
	fix_put(out, buf, n);
	free(buf);
}

static int is_packed(const struct fix_block *b, unsigned column)
{
	return b->packed &&
	       (column == WMT_COL_HANDLE ||
		(column >= WMT_COL_KIND && column <= WMT_COL_FREE_ADDR));
}

static unsigned plain_encoding(const struct fix_block *b, unsigned column)
{
	if (!b->plain && (column == WMT_COL_STACK || column == WMT_COL_SIZE))
		return WMT_ENC_SEEN;
	if (b->gaps && column == WMT_COL_TIME)
		return WMT_ENC_GAPS;
	if (b->lists && column == WMT_COL_LOADS)
		return WMT_ENC_LISTS;
	return encoding[column];
}

static unsigned encoding_of(const struct fix_block *b, unsigned column)
{
	if (b->coded[column])
		return b->coded[column];
	return plain_encoding(b, column) |
	       (is_packed(b, column) ? WMT_ENC_PACKED : 0u);
}

/* One plane: of the same byte, or of bytes as they are. */
static void pack(struct fix_bytes *column)
{
	struct fix_bytes out = { 0 };
	size_t same = 1;

	while (same < column->n && column->p[same] == column->p[0])
		same++;
	fix_varint(&out, column->n);
	put_byte(&out, same == column->n);
	fix_put(&out, column->p, same == column->n ? 1 : column->n);
	free(column->p);
	*column = out;
}

static void put_head(struct fix_bytes *head, const struct fix_block *b)
{
	unsigned i, n = 0;

	fix_put(head, WMT_MAGIC, WMT_MAGIC_SIZE);
	put_byte(head, b->major ? b->major : WMT_MAJOR);
	put_byte(head, b->minor);
	put_byte(head, b->type);
	put_byte(head, 0);
	fix_put(head, b->fields.p, b->fields.n);
	put_byte(head, 0);
	for (i = 0; i < WMT_COL_LIMIT + 1; i++)
		n += b->column[i].n != 0;
	fix_varint(head, n);
	for (i = 0; i < WMT_COL_LIMIT + 1; i++) {
		if (!b->column[i].n)
			continue;
		fix_varint(head, i);
		fix_varint(head, encoding_of(b, i));
		fix_varint(head, b->column[i].n);
	}
}

static void release(struct fix_bytes *b)
{
	free(b->p);
	memset(b, 0, sizeof(*b));
}

void fix_block_write(struct fix_block *b, int level, FILE *out)
{
	lzma_stream_flags flags = { .check = LZMA_CHECK_CRC32 };
	lzma_index *index = lzma_index_init(NULL);
	struct fix_bytes head = { 0 }, xz = { 0 };
	uint8_t frame[LZMA_STREAM_HEADER_SIZE], *buf;
	size_t n = 0;
	int i;

	for (i = 0; i < WMT_COL_LIMIT + 1; i++)
		if (b->column[i].n && is_packed(b, (unsigned)i))
			pack(&b->column[i]);
	put_head(&head, b);
	if (lzma_stream_header_encode(&flags, frame) != LZMA_OK)
		fix_die("liblzma: stream header");
	fix_put(&xz, frame, sizeof(frame));
	xz_block(&xz, index, &head, level);
	for (i = 0; i < WMT_COL_LIMIT + 1; i++)
		if (b->column[i].n)
			xz_block(&xz, index, &b->column[i], level);
	flags.backward_size = lzma_index_size(index);
	buf = fix_alloc(NULL, flags.backward_size);
	if (lzma_index_buffer_encode(index, buf, &n, flags.backward_size) !=
	    LZMA_OK)
		fix_die("liblzma: index");
	fix_put(&xz, buf, n);
	if (lzma_stream_footer_encode(&flags, frame) != LZMA_OK)
		fix_die("liblzma: stream footer");
	fix_put(&xz, frame, sizeof(frame));
	if (fwrite(xz.p, 1, xz.n, out) != xz.n)
		fix_die("write error");
	lzma_index_end(index, NULL);
	free(buf);
	free(head.p);
	free(xz.p);
	release(&b->fields);
	for (i = 0; i < WMT_COL_LIMIT + 1; i++)
		release(&b->column[i]);
}
