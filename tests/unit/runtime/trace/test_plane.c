/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes by their frequencies, made by the runtime's own code and read by the
 * reader's: bytes of all kinds come back, and none takes more than it may.
 */
#include "runtime/trace/plane.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "analyze/lib/trace/rans.h"
#include "tests/unit/random.h"
#include "tests/unit/tap.h"
#include "wm/varint.h"

#define MOST 300000
#define BEYOND 512 /* bytes that must stay as they are */

/* One of @n, the first ones more often: as often as 1 to the number. */
static unsigned uneven(unsigned n)
{
	return (unsigned)pow(n, (double)below(1 << 20) / (1 << 20)) - 1;
}

enum {
	ALL_SAME,
	ONE_OTHER, /* the last byte */
	TWO,
	EVEN, /* each byte as often as any */
	RANDOM,
	TEXT, /* 100 values, some often */
	HOLES, /* every other value, some often */
	RARE, /* one often, all others once in a while */
	FEW_HOLES,
	KINDS
};

static void fill(uint8_t *p, size_t n, unsigned kind, unsigned values)
{
	for (size_t i = 0; i < n; i++)
		switch (kind) {
		case ALL_SAME:
			p[i] = 255;
			break;
		case ONE_OTHER:
			p[i] = i + 1 == n ? 255 : 0;
			break;
		case TWO:
			p[i] = below(2) ? 255 : 254;
			break;
		case EVEN:
			p[i] = (uint8_t)i;
			break;
		case RANDOM:
			p[i] = (uint8_t)below(256);
			break;
		case TEXT:
			p[i] = (uint8_t)(uneven(100) + 27);
			break;
		case HOLES:
			p[i] = (uint8_t)(2 * uneven(128) + 1);
			break;
		case RARE:
			p[i] = below(5000) ? 0 : (uint8_t)below(256);
			break;
		default:
			p[i] = (uint8_t)(256 / values * uneven(values));
		}
}

static uint8_t in[MOST], packed[MOST + 1 + BEYOND], out[MOST + 1];
static uint8_t words[2 * MOST + 2];

/* They come back, and nothing lies beyond the most that they may take. */
static bool is_right(size_t n, size_t *size)
{
	static struct wm_plane_room room;
	const size_t most = WM_PLANE_MOST(n);
	const uint8_t *end;

	memset(packed, 0xa5, sizeof(packed));
	room.words = words;
	*size = (size_t)(wm_plane_put(packed, in, n, &room) - packed);
	if (*size > most) {
		printf("# %zu bytes became %zu\n", n, *size);
		return false;
	}
	for (size_t i = most; i < most + BEYOND; i++)
		if (packed[i] != 0xa5)
			return false;
	out[n] = 123;
	end = wm_rans_plane(packed, packed + *size, out, n);
	return end == packed + *size && out[n] == 123 && !memcmp(in, out, n);
}

static void test_short(void)
{
	for (unsigned kind = 0; kind < KINDS; kind++) {
		bool right = true;
		size_t size;

		for (size_t n = 1; n < 6000 && right; n += 1 + n / 50) {
			fill(in, n, kind, 1 + (unsigned)below(256));
			right = is_right(n, &size);
		}
		ok(right, "short ones of kind %u", kind);
	}
}

static void test_long(void)
{
	for (unsigned kind = 0; kind < KINDS; kind++) {
		size_t n = MOST - (size_t)below(10), size;
		bool right;

		fill(in, n, kind, 1 + (unsigned)below(256));
		right = is_right(n, &size);
		ok(right, "%zu bytes of kind %u became %zu", n, kind, size);
	}
}

/* Whatever the number of values is: a table costs, and must be thought of. */
static void test_tables(void)
{
	bool right = true;
	size_t size;

	for (unsigned values = 2; values <= 256 && right; values++)
		for (size_t n = 256; n < 5000 && right; n += 97) {
			fill(in, n, FEW_HOLES, values);
			right = is_right(n, &size);
		}
	ok(right, "tables with holes");
}

/* 4 bits a byte take half the bytes, and little more. */
static void test_size(void)
{
	size_t size;
	bool right;

	for (size_t i = 0; i < MOST; i++)
		in[i] = (uint8_t)(below(16) * 16);
	right = is_right(MOST, &size);
	ok(right && size < MOST / 2 + MOST / 500, "16 values take 4 bits: %zu",
	   size);
}

/* Bits flip, and ends are cut off: it is seen, and harms nothing. */
static void test_damage(void)
{
	static uint8_t bad[sizeof(packed) + WM_VARINT_MAX];

	for (unsigned kind = ONE_OTHER; kind < KINDS; kind++) {
		size_t n = 60000 - (size_t)below(10), size, found = 0;
		uint8_t *at = wm_varint_put(bad, n);

		fill(in, n, kind, 1 + (unsigned)below(256));
		is_right(n, &size);
		memcpy(at, packed, size);
		size += (size_t)(at - bad);
		for (unsigned i = 0; i < 400; i++) {
			size_t where = (size_t)below(size);
			size_t left = i & 1 ? size : (size_t)below(size);
			uint8_t bit = (uint8_t)(1u << below(8));

			bad[where] ^= bit;
			found += wm_rans_length(bad, left) != n ||
				 wm_rans_unpack(bad, left, out) ||
				 memcmp(in, out, n) != 0;
			bad[where] ^= bit;
		}
		ok(found > 380, "damage of kind %u is seen: %zu", kind, found);
	}
}

int main(void)
{
	tap_plan(3 * KINDS + 1);
	test_damage();
	test_short();
	test_long();
	test_tables();
	test_size();
	return tap_done();
}
