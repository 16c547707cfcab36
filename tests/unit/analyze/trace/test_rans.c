/* SPDX-License-Identifier: Apache-2.0 */
/* Packed columns: there and back, near their entropy, and with damage. */
#include "analyze/trace/rans.h"

#include <string.h>

#include "analyze/repack/repack_rans.h"
#include "tests/unit/tap.h"

#define MAX 70000

static uint64_t seed = 88172645463325252u;

static uint64_t rnd(uint64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % n;
}

/* @n bytes of one of several kinds. */
static void fill(uint8_t *p, size_t n, unsigned kind)
{
	size_t i;

	for (i = 0; i < n; i++)
		switch (kind) {
		case 0: /* all the same */
			p[i] = 77;
			break;
		case 1: /* incompressible */
			p[i] = (uint8_t)rnd(256);
			break;
		case 2:
			p[i] = (uint8_t)rnd(200);
			break;
		case 3: /* one is frequent, many are rare */
			p[i] = rnd(50) ? 3 : (uint8_t)rnd(256);
			break;
		case 4: /* a counter of four bytes */
			p[i] = (uint8_t)(i / 4 >> 8 * (i % 4));
			break;
		default:
			p[i] = rnd(2) ? 255 : 0;
		}
}

static int there_and_back(struct wm_octets *b, const uint8_t *in, size_t n,
			  size_t planes)
{
	static uint8_t out[MAX + 1];

	wm_rans_pack(b, in, n, planes);
	out[n] = 123;
	return !b->failed && wm_rans_length(b->p, b->len) == n &&
	       wm_rans_unpack(b->p, b->len, out) == 0 && out[n] == 123 &&
	       memcmp(in, out, n) == 0;
}

/* Flip bits, cut off: an error or something else, but no harm (SAN=address
 * sees more). */
static int damage(struct wm_octets *b, const uint8_t *in, size_t n)
{
	static uint8_t out[MAX + 1], bad[4 * MAX];
	unsigned i, found = 0;

	for (i = 0; i < 400; i++) {
		size_t len = i & 1 ? b->len : rnd(b->len);

		memcpy(bad, b->p, b->len);
		bad[rnd(b->len)] ^= (uint8_t)(1u << rnd(8));
		if (wm_rans_length(bad, len) > n ||
		    wm_rans_unpack(bad, len, out) ||
		    wm_rans_length(bad, len) != n || memcmp(in, out, n))
			found++;
	}
	return found > 380;
}

int main(void)
{
	static uint8_t in[MAX];
	struct wm_octets b = { 0 };
	unsigned kind, good = 1, planes;
	size_t n;

	tap_plan(25);
	for (kind = 0; kind < 6; kind++)
		for (n = 0; n < 40; n++)
			for (planes = 1; planes <= 4; planes++) {
				fill(in, n, kind);
				good &= (unsigned)there_and_back(&b, in, n,
								 planes);
			}
	ok(good, "short columns come back");
	for (kind = 0, good = 1; kind < 6; kind++)
		for (planes = 1; planes <= 4; planes++) {
			n = MAX - rnd(1000);
			fill(in, n, kind);
			good &= (unsigned)there_and_back(&b, in, n, planes);
			if (kind == 2 && planes == 1)
				ok(b.len < n * 7.66 / 8 + 700,
				   "200 values take 7.64 bits: %.3f",
				   8.0 * (double)b.len / (double)n);
			if (kind == 3 && planes == 1)
				ok(b.len < n / 6, "rare ones cost little");
			if (kind == 4 && planes == 4)
				ok(b.len < n * 0.55, "planes are apart");
			if (kind)
				ok(damage(&b, in, n), "damage is seen, %u %u",
				   kind, planes);
		}
	ok(good, "long columns come back");
	wm_octets_release(&b);
	return tap_done();
}
