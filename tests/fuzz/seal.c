/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts become files with checks that are right: .xz Streams of stored Blocks,
 * each with its CRC32, and an index.
 */
#include "tests/fuzz/fuzz.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK 65536u /* of LZMA2, stored */

struct stream {
	struct fuzz_bytes *out;
	lzma_index *index;
};

static void stop_unless(int good)
{
	if (!good)
		abort();
}

static void begin(struct stream *s, struct fuzz_bytes *out)
{
	lzma_stream_flags flags = { .check = LZMA_CHECK_CRC32 };
	uint8_t frame[LZMA_STREAM_HEADER_SIZE];

	s->out = out;
	s->index = lzma_index_init(NULL);
	stop_unless(s->index &&
		    lzma_stream_header_encode(&flags, frame) == LZMA_OK);
	fuzz_put(out, frame, sizeof(frame));
}

static void put_stored(struct fuzz_bytes *out, const uint8_t *p, size_t n)
{
	size_t at, size;

	for (at = 0; at < n; at += size) {
		uint8_t head[3];

		size = n - at < CHUNK ? n - at : CHUNK;
		head[0] = at ? 2 : 1;
		head[1] = (uint8_t)((size - 1) >> 8);
		head[2] = (uint8_t)(size - 1);
		fuzz_put(out, head, 3);
		fuzz_put(out, p + at, size);
	}
	fuzz_put(out, "", 1);
}

static void add_block(struct stream *s, const uint8_t *p, size_t n)
{
	lzma_options_lzma options = { .dict_size = CHUNK };
	lzma_filter filters[] = {
		{ LZMA_FILTER_LZMA2, &options },
		{ LZMA_VLI_UNKNOWN, NULL },
	};
	lzma_block block = {
		.version = 1,
		.check = LZMA_CHECK_CRC32,
		.filters = filters,
		.compressed_size = n + 3 * ((n + CHUNK - 1) / CHUNK) + 1,
		.uncompressed_size = n,
	};
	uint8_t head[LZMA_BLOCK_HEADER_SIZE_MAX];
	uint32_t crc = lzma_crc32(p, n, 0);
	uint8_t check[4] = { (uint8_t)crc, (uint8_t)(crc >> 8),
			     (uint8_t)(crc >> 16), (uint8_t)(crc >> 24) };

	stop_unless(lzma_block_header_size(&block) == LZMA_OK &&
		    lzma_block_header_encode(&block, head) == LZMA_OK);
	fuzz_put(s->out, head, block.header_size);
	put_stored(s->out, p, n);
	fuzz_put(s->out, "\0\0", -block.compressed_size & 3);
	fuzz_put(s->out, check, 4);
	stop_unless(lzma_index_append(s->index, NULL,
				      lzma_block_unpadded_size(&block),
				      n) == LZMA_OK);
}

static void end(struct stream *s)
{
	lzma_stream_flags flags = { .check = LZMA_CHECK_CRC32 };
	uint8_t frame[LZMA_STREAM_HEADER_SIZE], *index;
	size_t n = 0;

	flags.backward_size = lzma_index_size(s->index);
	index = malloc(flags.backward_size);
	stop_unless(index &&
		    lzma_index_buffer_encode(s->index, index, &n,
					     flags.backward_size) == LZMA_OK &&
		    lzma_stream_footer_encode(&flags, frame) == LZMA_OK);
	fuzz_put(s->out, index, n);
	fuzz_put(s->out, frame, sizeof(frame));
	lzma_index_end(s->index, NULL);
	free(index);
}

size_t fuzz_head_columns(const uint8_t *head, size_t size)
{
	const uint8_t *p = head + 8, *last = head + size;
	uint64_t tag, n;

	if (size < 8)
		return 0;
	while ((p = fuzz_get_varint(p, last, &tag))) {
		if (!tag)
			return (size_t)(p - head);
		p = fuzz_get_varint(p, last, &n);
		if (!p || n > (uint64_t)(last - p))
			return 0;
		p += n;
	}
	return 0;
}

/* The head at @part with the lengths of the columns behind it. */
static void correct(const struct fuzz_part *part, const struct fuzz_part *last,
		    struct fuzz_bytes *head)
{
	const struct fuzz_part *column = part + 1;
	size_t at = fuzz_head_columns(part->p, part->n);
	const uint8_t *p = part->p + at, *stop = part->p + part->n;
	uint64_t count, id, encoding, size;

	fuzz_put(head, part->p, at ? at : part->n);
	p = fuzz_get_varint(p, stop, &count);
	if (!at || !p)
		return;
	fuzz_put_varint(head, count);
	while (p && count-- && p < stop) {
		p = fuzz_get_varint(p, stop, &id);
		p = fuzz_get_varint(p, stop, &encoding);
		p = fuzz_get_varint(p, stop, &size);
		if (!p)
			return;
		if (size && column < last && column->tag == FUZZ_COLUMN)
			size = column++->n;
		fuzz_put_varint(head, id);
		fuzz_put_varint(head, encoding);
		fuzz_put_varint(head, size);
	}
	if (p)
		fuzz_put(head, p, (size_t)(stop - p));
}

void fuzz_seal_trace(const struct fuzz_case *c, int keep,
		     struct fuzz_bytes *out)
{
	const struct fuzz_part *part = c->part, *last = part + c->parts;
	struct stream s = { 0 };

	for (; part < last; part++) {
		struct fuzz_bytes head = { 0 };

		if (part->tag != FUZZ_HEAD &&
		    (part->tag != FUZZ_COLUMN || !s.index))
			continue;
		if (part->tag == FUZZ_COLUMN) {
			add_block(&s, part->p, part->n);
			continue;
		}
		if (s.index)
			end(&s);
		begin(&s, out);
		if (keep)
			fuzz_put(&head, part->p, part->n);
		else
			correct(part, last, &head);
		add_block(&s, head.p ? head.p : part->p, head.n);
		free(head.p);
	}
	if (s.index)
		end(&s);
}

void fuzz_seal_file(const struct fuzz_part *part, struct fuzz_bytes *out)
{
	struct stream s;

	begin(&s, out);
	add_block(&s, part->p, part->n);
	end(&s);
}
