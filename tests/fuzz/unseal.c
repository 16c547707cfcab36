/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz-unseal REPORT OPTIONS RUN: the case (tests/fuzz/fuzz.h) that stands for
 * a run directory: rank-000000.wmt.xz, and if they are there
 * rank-000000.wmw and program.wmc.xz.
 */
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

static void fail(const char *what)
{
	fprintf(stderr, "fuzz-unseal: %s\n", what);
	exit(1);
}

static uint8_t *read_file(const char *dir, const char *name, size_t *size)
{
	char path[4096];
	uint8_t *p = malloc(1u << 24);
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "r");
	if (!f || !p) {
		free(p);
		return NULL;
	}
	*size = fread(p, 1, 1u << 24, f);
	fclose(f);
	return p;
}

static void add(struct fuzz_case *c, unsigned tag, const uint8_t *p, size_t n)
{
	if (c->parts == FUZZ_MAX_PARTS || n >> 24)
		fail("too large");
	c->part[c->parts++] = (struct fuzz_part){ tag, p, n };
}

/* The xz Block at *@at of @in; it moves on. */
static void add_block(struct fuzz_case *c, unsigned tag, const uint8_t *in,
		      size_t size, size_t *at)
{
	lzma_filter filters[LZMA_FILTERS_MAX + 1];
	lzma_block block = { .check = LZMA_CHECK_CRC32, .filters = filters };
	size_t n = 0, room = 1u << 22;
	uint8_t *out = malloc(room);

	block.header_size = lzma_block_header_size_decode(in[*at]);
	if (!out || lzma_block_header_decode(&block, NULL, in + *at))
		fail("no xz Block");
	*at += block.header_size;
	if (lzma_block_buffer_decode(&block, NULL, in, at, size, out, &n, room))
		fail("a damaged xz Block");
	add(c, tag, out, n);
}

static void add_xz(struct fuzz_case *c, unsigned first, const uint8_t *in,
		   size_t size)
{
	size_t at = 0;

	while (at < size) {
		unsigned tag = first;
		uint64_t limit = UINT64_MAX;
		lzma_index *index = NULL;

		at += LZMA_STREAM_HEADER_SIZE;
		for (; at < size && in[at]; tag = FUZZ_COLUMN)
			add_block(c, tag, in, size, &at);
		if (lzma_index_buffer_decode(&index, &limit, NULL, in, &at,
					     size))
			fail("no xz Index");
		lzma_index_end(index, NULL);
		at += LZMA_STREAM_HEADER_SIZE;
	}
}

int main(int argc, char **argv)
{
	static struct fuzz_case c;
	static uint8_t out[1u << 25];
	uint8_t *trace, *crash_buffer, *bundle;
	size_t n;

	if (argc != 4)
		fail("usage: fuzz-unseal REPORT OPTIONS RUN");
	c.report = (uint8_t)atoi(argv[1]);
	c.options = (uint8_t)atoi(argv[2]);
	trace = read_file(argv[3], "rank-000000.wmt.xz", &n);
	if (!trace)
		fail("no trace");
	add_xz(&c, FUZZ_HEAD, trace, n);
	crash_buffer = read_file(argv[3], "rank-000000.wmw", &n);
	if (crash_buffer)
		add(&c, FUZZ_CRASH_BUFFER, crash_buffer, n);
	bundle = read_file(argv[3], "program.wmc.xz", &n);
	if (bundle)
		add_xz(&c, FUZZ_BUNDLE, bundle, n);
	n = fuzz_case_write(&c, out, sizeof(out));
	return fwrite(out, 1, n, stdout) != n;
}
