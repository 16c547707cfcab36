/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/names.h"

#include <string.h>

#include "wm/varint.h"

#include "runtime/base/lock.h"

#define MAX_NAMES 4096u
#define MAX_BYTES (64u << 10)
#define SLOTS (2 * MAX_NAMES)

struct name {
	uint32_t hash;
	uint16_t at; /* offset in text */
	uint16_t len;
};

struct table {
	_Atomic uint16_t slot[SLOTS]; /* number, released after its name */
	struct name name[MAX_NAMES + 1];
	char text[MAX_BYTES];
};

static const char too_many[] = "(too many names)";

static struct wm_lock lock; /* taken to add names */
static _Atomic(struct table *) names;
static _Atomic uint32_t count;
static uint32_t bytes, others; /* others: number of too_many, or 0 */
/* under the writer lock */
static uint32_t sent, encoded;

static uint32_t hash_of(const char *s, size_t n)
{
	uint32_t h = 2166136261u;

	while (n--)
		h = (h ^ (uint8_t)*s++) * 16777619u;
	return h ^ h >> 15;
}

/* Returns the number, or 0.  *@slot: the name's, or that for a new name. */
static uint32_t find_name(struct table *t, uint32_t hash, const char *s,
			  size_t n, uint32_t *slot)
{
	uint32_t i = hash % SLOTS, number;

	for (;; i = (i + 1) % SLOTS) {
		const struct name *e;

		*slot = i;
		/* pairs with the release in add_name() */
		number = atomic_load_explicit(&t->slot[i],
					      memory_order_acquire);
		if (!number)
			return 0;
		e = &t->name[number];
		if (e->hash == hash && e->len == n &&
		    memcmp(t->text + e->at, s, n) == 0)
			return number;
	}
}

size_t wm_names_bytes(void)
{
	return sizeof(struct table) + 2 * (2 * MAX_NAMES + MAX_BYTES);
}

static struct table *table_get(void)
{
	struct table *t = atomic_load_explicit(&names, memory_order_acquire);

	if (t)
		return t;
	t = wm_pool_map(sizeof(*t));
	atomic_store_explicit(&names, t, memory_order_release);
	return t;
}

/* The caller holds the lock. */
static uint32_t add_name(struct table *t, uint32_t slot, uint32_t hash,
			 const char *s, size_t n)
{
	uint32_t number = atomic_load(&count) + 1;
	struct name *e = &t->name[number];

	e->hash = hash;
	e->at = (uint16_t)bytes;
	e->len = (uint16_t)n;
	memcpy(t->text + bytes, s, n);
	bytes += (uint32_t)n;
	/* Pairs with the acquire in wm_names_encode().  Stored first: otherwise
	 * a child that is forked now would use the number again. */
	atomic_store_explicit(&count, number, memory_order_release);
	atomic_store_explicit(&t->slot[slot], (uint16_t)number,
			      memory_order_release);
	return number;
}

uint32_t wm_names_find(const char *s, size_t n)
{
	struct table *t = atomic_load_explicit(&names, memory_order_acquire);
	uint32_t slot;

	return t ? find_name(t, hash_of(s, n), s, n, &slot) : 0;
}

static uint32_t number_under_lock(const char *s, size_t n, int *added)
{
	struct table *t = table_get();
	uint32_t number, slot, hash = hash_of(s, n);

	if (!t)
		return 0;
	number = find_name(t, hash, s, n, &slot);
	if (number)
		return number;
	if (others)
		return others;
	*added = 1;
	if (atomic_load(&count) < MAX_NAMES - 1 &&
	    bytes + n + sizeof(too_many) <= MAX_BYTES)
		return add_name(t, slot, hash, s, n);
	hash = hash_of(too_many, sizeof(too_many) - 1);
	others = find_name(t, hash, too_many, sizeof(too_many) - 1, &slot);
	if (!others)
		others = add_name(t, slot, hash, too_many,
				  sizeof(too_many) - 1);
	return others;
}

uint32_t wm_names_add(const char *s, size_t n, int *added)
{
	uint32_t number;

	*added = 0;
	wm_lock_take(&lock);
	number = number_under_lock(s, n, added);
	wm_lock_drop(&lock);
	return number;
}

int wm_names_encode(struct wm_buf *column, uint32_t *first)
{
	uint32_t last = atomic_load_explicit(&count, memory_order_acquire);
	const struct table *t = atomic_load_explicit(&names,
						     memory_order_acquire);

	*first = 0;
	encoded = sent;
	if (!t || last == sent)
		return 0;
	if (wm_buf_reserve(column, (last - sent) * (size_t)2 +
					   (size_t)t->name[last].at +
					   t->name[last].len -
					   t->name[sent + 1].at))
		return -1;
	for (uint32_t i = sent + 1; i <= last; i++) {
		const struct name *e = &t->name[i];
		uint8_t *p = wm_varint_put(column->p + column->len, e->len);

		memcpy(p, t->text + e->at, e->len);
		column->len = (size_t)(p - column->p) + e->len;
	}
	*first = sent + 1;
	encoded = last;
	return 0;
}

void wm_names_forget(void)
{
	sent = encoded = 0;
}

void wm_names_sent(void)
{
	sent = encoded;
}
