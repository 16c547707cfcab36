/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

void fuzz_put(struct fuzz_bytes *b, const void *p, size_t n)
{
	if (b->n + n > b->cap) {
		b->cap = 2 * (b->n + n) + 64;
		b->p = realloc(b->p, b->cap);
		if (!b->p)
			abort();
	}
	if (n)
		memcpy(b->p + b->n, p, n);
	b->n += n;
}

void fuzz_put_varint(struct fuzz_bytes *b, uint64_t v)
{
	uint8_t byte;

	for (; v > 127; v >>= 7) {
		byte = (uint8_t)(v | 128);
		fuzz_put(b, &byte, 1);
	}
	byte = (uint8_t)v;
	fuzz_put(b, &byte, 1);
}

const uint8_t *fuzz_get_varint(const uint8_t *p, const uint8_t *end,
			       uint64_t *v)
{
	unsigned shift;

	*v = 0;
	for (shift = 0; p && p < end && shift < 64; shift += 7) {
		*v |= (uint64_t)(*p & 127) << shift;
		if (!(*p++ & 128))
			return p;
	}
	return NULL;
}

int fuzz_case_read(struct fuzz_case *c, const uint8_t *data, size_t size)
{
	const uint8_t *p = data + 2, *end = data + size;

	c->parts = 0;
	if (size < 2)
		return 0;
	c->report = data[0];
	c->options = data[1];
	while (c->parts < FUZZ_MAX_PARTS && end - p >= 4) {
		struct fuzz_part *part = &c->part[c->parts++];

		part->tag = p[0] % FUZZ_TAGS;
		part->n = p[1] | (size_t)p[2] << 8 | (size_t)p[3] << 16;
		part->p = p += 4;
		if (part->n > (size_t)(end - p))
			part->n = (size_t)(end - p);
		p += part->n;
	}
	return c->parts != 0;
}

size_t fuzz_case_write(const struct fuzz_case *c, uint8_t *data, size_t room)
{
	struct fuzz_bytes b = { 0 };
	size_t i, n;

	fuzz_put(&b, &c->report, 1);
	fuzz_put(&b, &c->options, 1);
	for (i = 0; i < c->parts; i++) {
		const struct fuzz_part *part = &c->part[i];
		uint8_t head[4] = { (uint8_t)part->tag, (uint8_t)part->n,
				    (uint8_t)(part->n >> 8),
				    (uint8_t)(part->n >> 16) };

		if (b.n + 4 + part->n > room)
			continue;
		fuzz_put(&b, head, 4);
		fuzz_put(&b, part->p, part->n);
	}
	n = b.n < room ? b.n : room;
	memcpy(data, b.p, n);
	free(b.p);
	return n;
}
