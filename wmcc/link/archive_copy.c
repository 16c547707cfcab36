/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/link/archive_copy.h"

#include <ar.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wmcc/base/subprocess.h"
#include "wmcc/base/file.h"
#include "wmcc/base/strv.h"
#include "wmcc/link/archive.h"
#include "wm/search.h"

#define NO_ARCHIVE EINVAL

/* The offsets of a member's header in the archive and in the copy. */
struct place {
	uint64_t was, is;
};

struct copy {
	uint8_t *p;
	size_t n, capacity;
	struct place *places;
	size_t place_count, place_capacity;
	size_t index, index_size; /* the index's bytes; 0: no index */
	bool wide; /* the index has numbers of eight bytes */
};

static void put_bytes(struct copy *c, const void *p, size_t n)
{
	if (c->capacity - c->n < n) {
		c->capacity = 2 * c->capacity + n + 4096;
		c->p = realloc(c->p, c->capacity);
		if (!c->p)
			wm_die("out of memory");
	}
	memcpy(c->p + c->n, p, n);
	c->n += n;
}

static void note_place(struct copy *c, uint64_t was)
{
	c->places = wm_grow(c->places, c->place_count, &c->place_capacity,
			    sizeof(*c->places));
	c->places[c->place_count++] = (struct place){ was, c->n };
}

/* Adds a member with the header @h, but another size. */
static void put_member(struct copy *c, const void *h, const uint8_t *bytes,
		       size_t size)
{
	struct ar_hdr new;
	char digits[sizeof(new.ar_size) + 1];

	memcpy(&new, h, sizeof(new));
	snprintf(digits, sizeof(digits), "%-10lu", (unsigned long)size);
	memcpy(new.ar_size, digits, sizeof(new.ar_size));
	put_bytes(c, &new, sizeof(new));
	put_bytes(c, bytes, size);
	if (size & 1)
		put_bytes(c, "\n", 1);
}

static uint64_t get_number(const uint8_t *p, size_t n)
{
	uint64_t v = 0;

	for (size_t i = 0; i < n; i++)
		v = v << 8 | p[i];
	return v;
}

static void set_number(uint8_t *p, size_t n, uint64_t v)
{
	for (size_t i = n; i-- > 0; v >>= 8)
		p[i] = (uint8_t)v;
}

static int compare_places(const void *va, const void *vb)
{
	const struct place *a = va, *b = vb;

	return WM_ORDER(a->was, b->was);
}

/* Corrects the offsets of headers in the index. */
static int turn_index(struct copy *c)
{
	size_t width = c->wide ? 8 : 4;
	uint8_t *p = c->p + c->index;
	uint64_t n;

	if (!c->index)
		return 0;
	if (c->index_size < width)
		return -1;
	n = get_number(p, width);
	if (n > (c->index_size - width) / width)
		return -1;
	while (n-- > 0) {
		struct place key = { 0, 0 };
		const struct place *at;

		p += width;
		key.was = get_number(p, width);
		at = bsearch(&key, c->places, c->place_count,
			     sizeof(*c->places), compare_places);
		if (!at || (!c->wide && at->is > UINT32_MAX))
			return -1;
		set_number(p, width, at->is);
	}
	return 0;
}

/* Adds an index or the table of long names. */
static void put_special(struct copy *c, const struct wm_archive_entry *e)
{
	const char *h = e->header;

	if (h[1] != '/') {
		c->index = c->n + sizeof(struct ar_hdr);
		c->index_size = e->size;
		c->wide = h[1] == 'S';
	}
	put_member(c, h, e->bytes, e->size);
}

/* Returns 1 if the member was replaced, 0 if not, -1 if it cannot be read. */
static int put_one(struct copy *c, const struct wm_archive_entry *e,
		   wm_member_choice choose, void *context)
{
	struct wm_member m = { e->name, e->bytes, e->size };
	uint8_t *file = NULL, *other;
	size_t size;

	if (e->file) {
		file = wm_file_load(e->file, SIZE_MAX / 2, &m.size);
		if (!file)
			return -1;
		m.name = e->file;
		m.bytes = file;
	}
	note_place(c, e->at);
	other = choose(&m, &size, context);
	put_member(c, e->header, other ? other : m.bytes,
		   other ? size : m.size);
	free(other);
	free(file);
	return other ? 1 : 0;
}

static long put_all(struct copy *c, const char *path, uint8_t *bytes,
		    size_t size, wm_member_choice choose, void *context)
{
	struct wm_archive_entry e;
	struct wm_archive *a = wm_archive_open(path, bytes, size);
	long replaced = 0;
	int one;

	if (!a)
		return -1;
	put_bytes(c, ARMAG, SARMAG);
	while (replaced >= 0 && wm_archive_next(a, &e)) {
		if (e.special) {
			put_special(c, &e);
		} else {
			one = put_one(c, &e, choose, context);
			replaced = one < 0 ? -1 : replaced + one;
		}
	}
	if (!wm_archive_close(a))
		replaced = -1;
	return replaced > 0 && turn_index(c) ? -1 : replaced;
}

long wm_archive_copy(const char *path, const char *copy,
		     wm_member_choice choose, wm_index_turn turn, void *context)
{
	struct copy c = { 0 };
	long replaced = -1;
	uint8_t *bytes;
	size_t size;

	bytes = wm_file_load(path, SIZE_MAX / 2, &size);
	if (!bytes)
		return -1;
	errno = NO_ARCHIVE;
	replaced = put_all(&c, path, bytes, size, choose, context);
	if (replaced > 0 && turn && c.index)
		turn(c.p + c.index, c.index_size, c.wide, context);
	if (replaced > 0 && !wm_file_make(copy, c.p, c.n))
		replaced = -1;
	free(c.p);
	free(c.places);
	free(bytes);
	return replaced;
}
