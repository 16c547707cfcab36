/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/stackdb.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/lock.h"
#include "runtime/modules.h"
#include "runtime/pool.h"

#define TABLE_BITS 17
#define TABLE_SIZE (1u << TABLE_BITS)
#define MAX_PATHS (TABLE_SIZE / 4 * 3)
#define CHUNK_BYTES (1u << 20)
#define MAX_BYTES (24u << 20)

struct entry {
	_Atomic uint64_t hash; /* 0: free; released after path */
	_Atomic(struct wm_path *) path;
};

struct chunk {
	struct chunk *next;
	size_t size, used; /* bytes, this header included */
};

/*
 * `turn` is odd while the table is being reset.  A reader that sees it change
 * between its first look and its check of the depth starts again under the
 * lock; after that check the frames it compares lie in mapped memory whatever
 * happens, because chunks are never unmapped.
 */
static struct {
	struct wm_lock lock;
	_Atomic uint32_t turn;
	struct entry *table;
	struct chunk *chunks, *filling;
	size_t bytes;
	uint32_t count, generation;
	struct wm_path *first, *last, *last_sent;
} db;

static int same_frames(const struct wm_path *p, const uint64_t *frames,
		       size_t depth)
{
	uint64_t differ = 0;

	for (size_t i = 0; i < depth; i++)
		differ |= p->frames[i] ^ frames[i];
	return differ == 0;
}

/* The number, or WM_STACKDB_FULL for "not found or not sure". */
static uint32_t find(uint64_t hash, const uint64_t *frames, size_t depth,
		     uint32_t *generation)
{
	uint32_t turn = atomic_load_explicit(&db.turn, memory_order_acquire);
	struct entry *table = db.table;
	uint32_t at = (uint32_t)(hash >> (64 - TABLE_BITS));

	if (wm_unlikely(!table || (turn & 1)))
		return WM_STACKDB_FULL;
	for (uint32_t probes = 0; probes < TABLE_SIZE; probes++) {
		struct entry *e = &table[at];
		uint64_t h = atomic_load_explicit(&e->hash,
						  memory_order_acquire);
		struct wm_path *p;

		if (!h)
			return WM_STACKDB_FULL;
		p = atomic_load_explicit(&e->path, memory_order_relaxed);
		if (h == hash && p) {
			uint32_t number = p->number, deep = p->depth;

			atomic_thread_fence(memory_order_acquire);
			if (atomic_load_explicit(&db.turn,
						 memory_order_relaxed) != turn)
				return WM_STACKDB_FULL;
			if (deep == depth && same_frames(p, frames, depth)) {
				*generation = turn >> 1;
				return number;
			}
		}
		at = (at + 1) & (TABLE_SIZE - 1);
	}
	return WM_STACKDB_FULL;
}

static struct chunk *chunk_add(size_t size)
{
	struct chunk *c;

	if (db.bytes + size > MAX_BYTES && db.chunks)
		return NULL;
	c = wm_pool_map(size);
	if (!c)
		return NULL;
	c->size = size;
	c->used = sizeof(*c);
	db.bytes += size;
	if (db.filling)
		db.filling->next = c;
	else
		db.chunks = c;
	return c;
}

/* Memory for a path; a path longer than a chunk gets a chunk of its own. */
static struct wm_path *path_alloc(size_t depth)
{
	size_t need = sizeof(struct wm_path) + depth * sizeof(uint64_t);
	struct chunk *c = db.filling ? db.filling : db.chunks;
	struct wm_path *p;

	while (c && c->size - c->used < need && c->next) {
		c = c->next;
		c->used = sizeof(*c);
	}
	if (!c || c->size - c->used < need) {
		size_t size = need + sizeof(*c);

		db.filling = c;
		c = chunk_add(size > CHUNK_BYTES ? size : CHUNK_BYTES);
		if (!c)
			return NULL;
	}
	db.filling = c;
	p = (void *)((char *)c + c->used);
	c->used += need;
	return p;
}

/* Under the lock. */
static uint32_t insert(uint64_t hash, const uint64_t *frames, size_t depth)
{
	struct wm_path *p;
	uint32_t at = (uint32_t)(hash >> (64 - TABLE_BITS));

	if (db.count >= MAX_PATHS)
		return WM_STACKDB_FULL;
	p = path_alloc(depth);
	if (!p)
		return WM_STACKDB_FULL;
	p->next = NULL;
	p->number = db.count++;
	p->depth = (uint32_t)depth;
	for (size_t i = 0; i < depth; i++)
		p->frames[i] = frames[i];
	if (db.last)
		db.last->next = p;
	else
		db.first = p;
	db.last = p;
	while (atomic_load_explicit(&db.table[at].hash, memory_order_relaxed))
		at = (at + 1) & (TABLE_SIZE - 1);
	atomic_store_explicit(&db.table[at].path, p, memory_order_relaxed);
	/* pairs with the acquire in find() */
	atomic_store_explicit(&db.table[at].hash, hash, memory_order_release);
	return p->number;
}

static int ready(void)
{
	if (!db.table)
		db.table = wm_pool_map(TABLE_SIZE * sizeof(struct entry));
	if (!db.table)
		return 0;
	return db.count || insert(1, NULL, 0) == 0;
}

uint32_t wm_stackdb_number(const uint64_t *frames, size_t depth, uint64_t hash,
			   uint32_t *generation)
{
	uint32_t n;

	hash |= 1; /* 0 is a free entry */
	n = find(hash, frames, depth, generation);
	if (wm_likely(n != WM_STACKDB_FULL))
		return n;
	wm_modules_note(frames, depth);
	wm_lock_take(&db.lock);
	*generation = db.generation;
	if (!ready()) {
		n = WM_STACKDB_NONE;
	} else {
		n = find(hash, frames, depth, generation);
		if (n == WM_STACKDB_FULL)
			n = insert(hash, frames, depth);
	}
	wm_lock_drop(&db.lock);
	return n;
}

const struct wm_path *wm_stackdb_unsent(const struct wm_path **last)
{
	const struct wm_path *p;

	wm_lock_take(&db.lock);
	p = db.last_sent ? db.last_sent->next : db.first;
	*last = db.last;
	wm_lock_drop(&db.lock);
	return p;
}

void wm_stackdb_sent(const struct wm_path *last)
{
	db.last_sent = (struct wm_path *)(uintptr_t)last;
}

uint32_t wm_stackdb_generation(void)
{
	return db.generation;
}

int wm_stackdb_reset(const struct wm_path *last)
{
	wm_lock_take(&db.lock);
	if (db.last != last) {
		wm_lock_drop(&db.lock);
		return 0;
	}
	atomic_fetch_add_explicit(&db.turn, 1, memory_order_acq_rel);
	atomic_thread_fence(memory_order_release);
	for (uint32_t i = 0; i < TABLE_SIZE; i++) {
		atomic_store_explicit(&db.table[i].hash, 0,
				      memory_order_relaxed);
		atomic_store_explicit(&db.table[i].path, NULL,
				      memory_order_relaxed);
	}
	for (struct chunk *c = db.chunks; c; c = c->next)
		c->used = sizeof(*c);
	db.filling = db.chunks;
	db.first = db.last = db.last_sent = NULL;
	db.count = 0;
	db.generation++;
	atomic_fetch_add_explicit(&db.turn, 1, memory_order_release);
	wm_lock_drop(&db.lock);
	return 1;
}
