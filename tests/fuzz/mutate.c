/* SPDX-License-Identifier: Apache-2.0 */
/* Changes that know what cases are made of. */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "wm/trace_format.h"
#include "wm/window_format.h"

static uint64_t state;

void fuzz_seed(unsigned seed)
{
	state = seed * 0x9e3779b97f4a7c15ull + 88172645463325252ull;
	fuzz_below(2);
}

static uint64_t any(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

uint64_t fuzz_below(uint64_t n)
{
	return (any() >> 11) % n;
}

uint64_t fuzz_number(void)
{
	/* clang-format off */
	static const uint64_t edge[] = {
		0, 1, 2, 15, 16, 127, 128, 239, 240, 255, 256, 4095, 4096,
		65534, 65535, 65536, 1u << 20, (1u << 20) + 1, 1u << 24,
		(1u << 24) + 1, 1u << 30, INT32_MAX, 1u << 31, UINT32_MAX - 1,
		UINT32_MAX, 1ull << 32, 1ull << 40, (1ull << 50) - 1,
		1ull << 50, 1ull << 60, INT64_MAX, 1ull << 63, UINT64_MAX - 1,
		UINT64_MAX,
	};
	/* clang-format on */

	if (fuzz_below(4))
		return edge[fuzz_below(sizeof(edge) / sizeof(*edge))];
	return any() >> fuzz_below(64);
}

static uint64_t near(uint64_t v)
{
	return fuzz_below(2) ? fuzz_number() : v + fuzz_below(9) - 4;
}

/* ---- parts ---- */

/* One number somewhere in @part is another one, as long as it was if that is
 * possible. */
static void change_varint(const struct fuzz_part *part, struct fuzz_bytes *b)
{
	const uint8_t *p = part->p, *end = p + part->n, *after;
	size_t at = fuzz_below(part->n), before;
	uint64_t v;

	while (at && p[at - 1] & 128)
		at--;
	fuzz_put(b, p, at);
	after = fuzz_get_varint(p + at, end, &v);
	if (!after) {
		fuzz_put(b, p + at, part->n - at);
		return;
	}
	before = b->n;
	fuzz_put_varint(b, near(v));
	for (; b->n - before < (size_t)(after - p) - at; fuzz_put(b, "", 1))
		b->p[b->n - 1] |= 128;
	fuzz_put(b, after, (size_t)(end - after));
}

static void change_bytes(const struct fuzz_part *part, size_t room,
			 struct fuzz_bytes *b)
{
	uint8_t *copy = malloc(part->n + room);

	if (!copy)
		abort();
	memcpy(copy, part->p, part->n);
	fuzz_put(b, copy, LLVMFuzzerMutate(copy, part->n, part->n + room));
	free(copy);
}

/* The value of a field: one number, or three, of which one changes. */
static void change_value(uint64_t tag, const uint8_t *p, const uint8_t *end,
			 struct fuzz_bytes *b)
{
	unsigned n = tag == WMT_F_NOW || tag == WMT_F_START_TIME ? 3 : 1, i;
	unsigned which = (unsigned)fuzz_below(n);
	struct fuzz_bytes value = { 0 };

	for (i = 0; i < n; i++) {
		uint64_t v = 0;

		p = fuzz_get_varint(p, end, &v);
		fuzz_put_varint(&value, i == which ? near(v) : v);
	}
	fuzz_put_varint(b, value.n);
	fuzz_put(b, value.p, value.n);
	free(value.p);
}

static void change_field(uint64_t tag, const uint8_t *p, uint64_t n,
			 struct fuzz_bytes *b)
{
	switch (fuzz_below(6)) {
	case 0:
		return;
	case 1:
		fuzz_put_varint(b, fuzz_below(128));
		break;
	default:
		fuzz_put_varint(b, tag);
		change_value(tag, p, p + n, b);
		return;
	}
	fuzz_put_varint(b, n);
	fuzz_put(b, p, n);
}

/* Fields of the head at @p up to @end; number @which of them changes, or there
 * is one more. */
static size_t copy_fields(const uint8_t *p, const uint8_t *end, size_t which,
			  struct fuzz_bytes *b)
{
	uint64_t tag, n;
	size_t i;

	for (i = 0; (p = fuzz_get_varint(p, end, &tag)) && tag; i++) {
		p = fuzz_get_varint(p, end, &n);
		if (i == which) {
			change_field(tag, p, n, b);
		} else {
			fuzz_put_varint(b, tag);
			fuzz_put_varint(b, n);
			fuzz_put(b, p, n);
		}
		p += n;
	}
	if (i == which) {
		fuzz_put_varint(b, 1 + fuzz_below(124));
		change_value(0, NULL, NULL, b);
	}
	fuzz_put(b, "", 1);
	return i;
}

static void copy_columns(const uint8_t *p, const uint8_t *end, uint64_t which,
			 struct fuzz_bytes *b)
{
	uint64_t count, v[3], i;

	p = fuzz_get_varint(p, end, &count);
	if (!p)
		return;
	fuzz_put_varint(b, which == UINT64_MAX ? near(count) : count);
	for (i = 0; i < count && p < end; i++) {
		p = fuzz_get_varint(p, end, &v[0]);
		p = fuzz_get_varint(p, end, &v[1]);
		p = fuzz_get_varint(p, end, &v[2]);
		if (!p)
			return;
		if (i == which && !fuzz_below(3))
			v[1] ^= WMT_ENC_PACKED;
		else if (i == which && fuzz_below(3))
			v[1] = fuzz_below(WMT_ENC_LIMIT);
		else if (i == which)
			v[fuzz_below(3)] = fuzz_number();
		fuzz_put_varint(b, v[0]);
		fuzz_put_varint(b, v[1]);
		fuzz_put_varint(b, v[2]);
	}
	fuzz_put(b, p, (size_t)(end - p));
}

static void change_head(const struct fuzz_part *part, struct fuzz_bytes *b)
{
	size_t at = fuzz_head_columns(part->p, part->n), fields;
	const uint8_t *end = part->p + part->n;

	if (!at || !fuzz_below(12)) {
		change_varint(part, b);
		return;
	}
	fuzz_put(b, part->p, 8);
	if (!fuzz_below(12))
		b->p[6] = (uint8_t)fuzz_below(5);
	if (fuzz_below(3)) {
		/* most heads have about twenty fields */
		fields = copy_fields(part->p + 8, part->p + at, fuzz_below(22),
				     b);
		(void)fields;
		fuzz_put(b, part->p + at, part->n - at);
	} else {
		copy_fields(part->p + 8, part->p + at, SIZE_MAX, b);
		copy_columns(part->p + at, end,
			     fuzz_below(16) ? fuzz_below(12) : UINT64_MAX, b);
	}
}

/* A crash buffer is mostly zeros: change words where something is. */
static void change_crash_buffer(const struct fuzz_part *part,
				struct fuzz_bytes *b)
{
	static const uint64_t zero;
	uint64_t v, at, tries = 0;
	size_t width = fuzz_below(2) ? 8 : 4;

	fuzz_put(b, part->p, part->n);
	if (part->n < sizeof(struct wmw_head))
		return;
	do {
		at = fuzz_below(3) ? fuzz_below(part->n / 8) * 8 :
				     fuzz_below(24) * 8;
		if (at + 8 > part->n)
			return;
	} while (!memcmp(b->p + at, &zero, 8) && ++tries < 200);
	at += width == 4 && fuzz_below(2) ? 4 : 0;
	memcpy(&v, b->p + at, 8 < part->n - at ? 8 : 4);
	switch (fuzz_below(4)) {
	case 0:
		b->p[at + fuzz_below(width)] ^= (uint8_t)(1u << fuzz_below(8));
		return;
	case 1:
		if (!fuzz_below(8))
			b->n = at;
		return;
	default:
		v = near(v);
		memcpy(b->p + at, &v, width);
	}
}

static void change_part(const struct fuzz_case *c, size_t i, size_t room,
			struct fuzz_bytes *b)
{
	const struct fuzz_part *part = &c->part[i];

	if (part->tag == FUZZ_HEAD && fuzz_below(8))
		change_head(part, b);
	else if (part->tag == FUZZ_CRASH_BUFFER && fuzz_below(8))
		change_crash_buffer(part, b);
	else if (part->n && fuzz_below(2))
		change_varint(part, b);
	else if (part->tag == FUZZ_COLUMN && !fuzz_below(6))
		fuzz_put(b, c->part[fuzz_below(c->parts)].p, 0);
	else
		change_bytes(part, room, b);
}

/* ---- cases ---- */

/* A Stream of the trace comes twice, or goes. */
static void change_streams(struct fuzz_case *c)
{
	size_t first = fuzz_below(c->parts), last, n;
	struct fuzz_part *p = c->part;

	while (first && p[first].tag != FUZZ_HEAD)
		first--;
	for (last = first + 1; last < c->parts && p[last].tag == FUZZ_COLUMN;)
		last++;
	n = last - first;
	if (fuzz_below(2) && c->parts + n <= FUZZ_MAX_PARTS) {
		memmove(p + last + n, p + last, (c->parts - last) * sizeof(*p));
		memcpy(p + last, p + first, n * sizeof(*p));
		c->parts += n;
	} else if (n < c->parts) {
		memmove(p + first, p + last, (c->parts - last) * sizeof(*p));
		c->parts -= n;
	}
}

static int pick(const struct fuzz_case *c, unsigned tags, size_t *which)
{
	unsigned tries;

	for (tries = 0; tries < 100; tries++) {
		*which = fuzz_below(c->parts);
		if (tags >> c->part[*which].tag & 1)
			return 1;
	}
	return 0;
}

size_t fuzz_mutate_case(uint8_t *data, size_t size, size_t room, unsigned seed,
			unsigned tags)
{
	static struct fuzz_case c;
	struct fuzz_bytes made[3] = { 0 };
	uint8_t *copy;
	size_t i, which, n;

	fuzz_seed(seed);
	if (!fuzz_below(60) || !fuzz_case_read(&c, data, size))
		return LLVMFuzzerMutate(data, size, room);
	copy = malloc(size);
	if (!copy)
		abort();
	memcpy(copy, data, size);
	fuzz_case_read(&c, copy, size);
	if (!fuzz_below(6))
		c.report = (uint8_t)any();
	if (!fuzz_below(6))
		c.options = (uint8_t)(any() & (fuzz_below(20) ? 0xfe : 0xff));
	if (tags >> FUZZ_HEAD & 1 && !fuzz_below(12))
		change_streams(&c);
	for (i = 0; i < 3 && (!i || !fuzz_below(3)); i++) {
		if (!pick(&c, tags, &which))
			break;
		change_part(&c, which, room > size ? room - size : 0, &made[i]);
		c.part[which].p = made[i].p ? made[i].p : copy;
		c.part[which].n = made[i].n;
	}
	n = fuzz_case_write(&c, data, room);
	for (i = 0; i < 3; i++)
		free(made[i].p);
	free(copy);
	return n;
}
