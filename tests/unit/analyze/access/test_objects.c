/* SPDX-License-Identifier: Apache-2.0 */
/* The object at an address, against a plain array of bytes, on random blocks,
 * mappings and static memory. */
#include "analyze/access/objects.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/random.h"
#include "tests/unit/tap.h"

#define BASE UINT64_C(0x10000000)
#define BYTES (1u << 21)
#define MOST 3000

/* By byte: the owner of the block, of the mapping, of what is static. */
static uint16_t block[BYTES], mapping[BYTES], fixed[BYTES];

static struct piece {
	uint64_t at, bytes;
	uint16_t owner;
	bool mapping;
} piece[MOST];
static size_t pieces;
static uint16_t owners;
static void paint(uint16_t *on, uint64_t at, uint64_t bytes, uint16_t owner)
{
	for (uint64_t i = 0; i < bytes; i++)
		on[at + i] = owner;
}

static bool is_free(const uint16_t *on, uint64_t at, uint64_t bytes)
{
	for (uint64_t i = 0; i < bytes; i++)
		if (on[at + i])
			return false;
	return true;
}

static bool gain(struct wm_objects *o)
{
	struct piece p = { .mapping = rnd() % 8 == 0 };
	uint16_t *on = p.mapping ? mapping : block;

	p.bytes = rnd() % 5 == 0 ? rnd() % 200000 + 1 : rnd() % 300 + 1;
	if (p.mapping)
		p.bytes = (p.bytes + 4095) & ~UINT64_C(4095);
	p.at = rnd() % (BYTES - p.bytes);
	if (rnd() % 8)
		p.at &= p.mapping ? ~UINT64_C(4095) : ~UINT64_C(15);
	if (pieces == MOST || owners == UINT16_MAX ||
	    !is_free(on, p.at, p.bytes))
		return true;
	p.owner = ++owners;
	paint(on, p.at, p.bytes, p.owner);
	piece[pieces++] = p;
	return !wm_objects_gain(o, BASE + p.at, p.bytes, p.owner, p.mapping);
}

static void lose(struct wm_objects *o)
{
	size_t i = pieces ? rnd() % pieces : 0;
	struct piece p = piece[i];

	if (!pieces)
		return;
	paint(p.mapping ? mapping : block, p.at, p.bytes, 0);
	wm_objects_lose(o, BASE + p.at, p.bytes, p.mapping);
	piece[i] = piece[--pieces];
}

static uint16_t owner_at(uint64_t at)
{
	return block[at] ? block[at] : mapping[at] ? mapping[at] : fixed[at];
}

/* Places remembered for some addresses, as a spot does. */
static struct wm_found kept[64];

static bool look(struct wm_objects *o)
{
	uint64_t at = rnd() % BYTES, addr = BASE + at;
	struct wm_found *f = &kept[rnd() % 64];
	uint32_t owner;

	if (rnd() % 2 && f->bytes) { /* near what is remembered */
		addr = f->lo + rnd() % (f->bytes + 64) - 32;
		at = addr - BASE;
		if (at >= BYTES)
			return true;
	}
	if (!wm_found_holds(o, f, addr) &&
	    (wm_objects_find(o, addr, f) ||
	     (f->bytes && !wm_found_holds(o, f, addr))))
		return false;
	owner = f->number ? o->object[f->number].owner : 0;
	if (owner != owner_at(at))
		printf("# at %llx: %u instead of %u\n", (unsigned long long)at,
		       owner, owner_at(at));
	return owner == owner_at(at);
}

static bool add_statics(struct wm_objects *o)
{
	struct wm_statics_list *v = &o->variables;

	paint(fixed, 0x1000, 0x40000, 60000);
	for (uint64_t at = 0x1800; at < 0x30000; at += 0x333)
		paint(fixed, at, 0x111, (uint16_t)(60001 + at / 0x333));
	/* a part of another one does not count */
	if (wm_statics_add(&o->modules, BASE + 0x1000, BASE + 0x41000, 60000) ||
	    wm_statics_add(v, BASE + 0x1810, BASE + 0x1820, 1))
		return false;
	for (uint64_t at = 0x1800; at < 0x30000; at += 0x333)
		if (wm_statics_add(v, BASE + at, BASE + at + 0x111,
				   (uint16_t)(60001 + at / 0x333)))
			return false;
	wm_objects_fix(o);
	return true;
}

int main(void)
{
	struct wm_objects o;
	bool good = !wm_objects_init(&o) && add_statics(&o);
	unsigned i;

	tap_plan(5);
	for (i = 0; i < 200000 && good && owners < 59000; i++) {
		uint64_t what = rnd() % 10;

		if (what < 2 && pieces < MOST)
			good = gain(&o);
		else if (what == 2)
			lose(&o);
		for (int k = 0; k < 4 && good; k++)
			good = look(&o);
	}
	ok(good && i > 50000, "what lies at an address (%u steps)", i);
	ok(o.overlaps == 0, "nothing seemed to lie on other things");
	while (pieces)
		lose(&o);
	for (i = 0; i < 2000 && good; i++)
		good = look(&o);
	ok(good, "nor does anything stay");
	ok(!wm_objects_gain(&o, UINT64_MAX - 10, 100, 1, false) &&
		   !wm_objects_gain(&o, 0, 0, 1, true),
	   "ranges that cannot be are left out");
	ok(!wm_objects_gain(&o, BASE, 100000, 1, false) &&
		   !wm_objects_gain(&o, BASE + 50000, 100000, 2, false) &&
		   o.overlaps == 1,
	   "blocks on top of others are counted");
	wm_objects_release(&o);
	return tap_done();
}
