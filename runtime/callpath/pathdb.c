/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/callpath/pathdb.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/base/lock.h"
#include "runtime/base/pool.h"
#include "runtime/base/state.h"
#include "runtime/callpath/frame_tree.h"
#include "runtime/callpath/journal.h"
#include "runtime/callpath/modules.h"
#include "runtime/callpath/unwind_walk.h"

#define DROPPED UINT64_C(2) /* as a hash; hashes of paths are odd */
#define MIN_BITS 11
#define MAX_BITS 19
#define MAX_PATHS ((1u << MAX_BITS) / 4 * 3)

struct chunk {
	struct chunk *next;
	size_t size, used; /* bytes, this header included */
};

_Atomic(struct wm_path_table *) wm_path_table;

/* Chunks are never unmapped, because other threads may still read a path. */
static struct {
	struct wm_lock lock;
	struct chunk *chunks, *filling;
	uint32_t count, generation;
	struct wm_path *first, *last, *last_sent;
	uint32_t frames_sent;
	struct wm_path **by_number; /* for WM_UNWIND=check */
	/* too long for the crash buffer; entered in the table when it has been
	 * sent */
	struct wm_path *pending;
	uint64_t pending_hash;
	bool unsaved; /* last is neither in the crash buffer nor sent */
} db;

static struct wm_path *path_alloc(void)
{
	const size_t need = sizeof(struct wm_path);
	struct chunk *c = db.filling, *more;

	if (c && c->size - c->used < need && c->next) {
		c = c->next;
		c->used = sizeof(*c);
	}
	if (!c || c->size - c->used < need) {
		more = wm_frame_tree_map(wm_frame_tree_piece(), !c);
		if (!more)
			return NULL;
		more->size = wm_frame_tree_piece();
		more->used = sizeof(*more);
		*(c ? &c->next : &db.chunks) = more;
		c = more;
	}
	db.filling = c;
	c->used += need;
	return (void *)((char *)c + c->used - need);
}

/* The caller holds the lock, here and in the following functions. */
static void enter_hash(struct wm_path_table *t, uint64_t hash, uint64_t value)
{
	uint32_t mask = (1u << t->bits) - 1;
	uint32_t at = (uint32_t)(hash >> 32) >> (32 - t->bits);

	while (atomic_load_explicit(&t->entry[at].hash, memory_order_relaxed) &
	       ~DROPPED)
		at = (at + 1) & mask;
	/* This store follows the store of the entry's old hash. */
	atomic_store_explicit(&t->entry[at].value, value, memory_order_release);
	/* pairs with the acquire in wm_pathdb_find() */
	atomic_store_explicit(&t->entry[at].hash, hash, memory_order_release);
}

/* The old table stays mapped, because a thread may be reading it. */
static bool grow_table(void)
{
	struct wm_path_table *old = atomic_load(&wm_path_table), *t;
	uint32_t bits = old ? old->bits + 2 : MIN_BITS;
	size_t size;

	if (bits > MAX_BITS)
		bits = MAX_BITS;
	size = sizeof(*t) + sizeof(t->entry[0]) * (1ul << bits);
	/* Most of the memory is left to the paths. */
	t = old && size > wm_memory_plan.dictionary / 3 ?
		    NULL :
		    wm_frame_tree_map(size, true);
	if (!t)
		return false;
	t->bits = bits;
	for (uint32_t i = 0; old && i < 1u << old->bits; i++) {
		const struct wm_path_entry *e = &old->entry[i];

		if (atomic_load(&e->hash) & 1)
			enter_hash(t, atomic_load(&e->hash),
				   atomic_load(&e->value));
	}
	atomic_store_explicit(&wm_path_table, t, memory_order_release);
	return true;
}

static bool make_table_room(void)
{
	const struct wm_path_table *t = atomic_load(&wm_path_table);

	if (!t)
		return grow_table();
	/* If there is no memory for a larger table, this one is filled to three
	 * quarters. */
	if (db.count >= (1u << t->bits) / 2 && t->bits < MAX_BITS)
		grow_table();
	return true;
}

/* From now on events may refer to @p. */
static void enter_path(uint64_t hash, struct wm_path *p)
{
	enter_hash(atomic_load(&wm_path_table), hash | 1,
		   (uint64_t)db.generation << 32 | p->number);
}

/* The pending path is entered only when it is in the trace. */
static void enter_pending(void)
{
	if (!db.pending || !db.last_sent ||
	    db.pending->number > db.last_sent->number)
		return;
	enter_path(db.pending_hash, db.pending);
	db.pending = NULL;
}

static struct wm_path *append_path(const uint64_t *frames, size_t depth,
				   size_t shared)
{
	struct wm_path *p;
	uint32_t node;

	/* first, so that every frame in the tree belongs to a path */
	p = path_alloc();
	if (!p)
		return NULL;
	if (!wm_frame_tree_follow(frames, depth, shared, &node)) {
		db.filling->used -= sizeof(*p);
		return NULL;
	}
	p->next = NULL;
	p->number = db.count++;
	p->depth = (uint32_t)depth;
	p->node = node;
	p->shared = (uint32_t)shared;
	if (db.last)
		db.last->next = p;
	else
		db.first = p;
	db.last = p;
	if (wm_options.unwind == WM_UNWIND_CHECK && !db.by_number)
		db.by_number = wm_pool_map(MAX_PATHS * sizeof(p));
	if (db.by_number)
		db.by_number[p->number] = p;
	return p;
}

/* Any event that refers to the path comes after the path is in the crash buffer
 * or in the trace: a killed process leaves no event without its path. */
static uint32_t insert_path(uint64_t hash, const uint64_t *frames, size_t depth,
			    bool without)
{
	struct wm_path_table *t = atomic_load(&wm_path_table);
	enum wm_journal_room room = WM_JOURNAL_ROOM;
	size_t shared = wm_frame_tree_shared(frames, depth);
	struct wm_path *p;

	/* Frames of an unsaved path are not shared, because no reader has
	 * them. */
	if (db.unsaved)
		shared = 0;
	if (!without)
		room = wm_journal_look(depth - shared);
	if (db.count >= (1u << t->bits) / 4 * 3)
		return WM_PATHDB_FULL;
	if (room == WM_JOURNAL_FULL || (room && db.pending))
		return WM_PATHDB_SEND;
	p = append_path(frames, depth, shared);
	if (!p)
		return WM_PATHDB_FULL;
	db.unsaved = without || room;
	if (room == WM_JOURNAL_TOO_LONG) {
		db.pending = p;
		db.pending_hash = hash;
		return WM_PATHDB_SEND;
	}
	if (!without)
		wm_journal_enter(p, db.generation);
	enter_path(hash, p);
	return p->number;
}

uint32_t wm_pathdb_number(const uint64_t *frames, size_t depth, uint64_t hash,
			  bool without, uint32_t *generation)
{
	uint32_t n = wm_pathdb_find(hash, generation);

	if (wm_likely(n != WM_PATHDB_FULL))
		return n;
	wm_modules_enter(frames, depth);
	/* The path's libraries have to be in the trace first. */
	if (!without && wm_state->crash_buffer && wm_modules_unsent())
		return WM_PATHDB_SEND;
	wm_lock_take(&db.lock);
	*generation = db.generation;
	if (!make_table_room()) {
		n = WM_PATHDB_NONE;
	} else {
		if (!db.count)
			insert_path(1, NULL, 0,
				    wm_journal_look(0) != WM_JOURNAL_ROOM);
		enter_pending();
		n = wm_pathdb_find(hash, generation);
		if (n == WM_PATHDB_FULL)
			n = insert_path(hash, frames, depth, without);
	}
	wm_lock_drop(&db.lock);
	return n;
}

bool wm_pathdb_agrees(uint32_t number, uint32_t generation,
		      const uint64_t *frames, size_t depth)
{
	const struct wm_path *p;
	bool agrees = true;

	wm_lock_take(&db.lock);
	p = generation == db.generation && db.by_number ? db.by_number[number] :
							  NULL;
	if (p) {
		uint32_t n = p->node;

		agrees = p->depth == depth;
		for (size_t i = depth; agrees && i-- > 0;
		     n = wm_frame_node(n)->parent)
			agrees = wm_frame_node(n)->ip == frames[i];
	}
	wm_lock_drop(&db.lock);
	return agrees;
}

#ifdef WM_DYNAMIC
static bool path_leads(const struct wm_path *p,
		       const struct wm_code_range *ranges, size_t count)
{
	for (uint32_t n = p->node; n; n = wm_frame_node(n)->parent)
		if (wm_frame_tree_is_in(wm_frame_node(n)->ip, ranges, count))
			return true;
	return false;
}

bool wm_pathdb_leads(const struct wm_path *first, const struct wm_path *last,
		     const struct wm_code_range *ranges, size_t count)
{
	for (const struct wm_path *p = first; p; p = p->next) {
		if (path_leads(p, ranges, count))
			return true;
		if (p == last)
			break;
	}
	return false;
}

/* Hides @p from lookups.  Its entry stays in use, so that entries behind it are
 * found, but a new path may take it.  The caller holds the lock. */
static void hide_path(struct wm_path_table *t, const struct wm_path *p)
{
	uint64_t value = (uint64_t)db.generation << 32 | p->number, sum = 0;
	uint32_t mask = (1u << t->bits) - 1, at, n = p->node;
	uint64_t hash, h;

	for (size_t i = p->depth; i-- > 0; n = wm_frame_node(n)->parent)
		sum += wm_frame_node(n)->ip * wm_path_weight(i);
	hash = wm_path_mix(sum, p->depth) | 1;
	at = (uint32_t)(hash >> 32) >> (32 - t->bits);
	for (;; at = (at + 1) & mask) {
		h = atomic_load_explicit(&t->entry[at].hash,
					 memory_order_relaxed);
		if (!h)
			return;
		if (h == hash &&
		    atomic_load_explicit(&t->entry[at].value,
					 memory_order_relaxed) == value)
			break;
	}
	atomic_store_explicit(&t->entry[at].hash, DROPPED,
			      memory_order_relaxed);
}

void wm_pathdb_drop(const struct wm_code_range *ranges, size_t count)
{
	struct wm_path_table *t;
	struct wm_path **link = &db.first, *p;

	wm_lock_take(&db.lock);
	t = atomic_load(&wm_path_table);
	wm_frame_tree_hide(ranges, count);
	while (t && (p = *link)) {
		bool goes = path_leads(p, ranges, count);

		if (goes)
			hide_path(t, p);
		/* A sent path leaves the list, so that the next drop does not
		 * examine it.  Paths from the last sent one on stay. */
		if (goes && db.last_sent && p->number < db.last_sent->number)
			*link = p->next;
		else
			link = &p->next;
	}
	wm_lock_drop(&db.lock);
}
#endif

const struct wm_path *wm_pathdb_unsent(const struct wm_path **last)
{
	const struct wm_path *p;

	wm_lock_take(&db.lock);
	p = db.last_sent ? db.last_sent->next : db.first;
	*last = db.last;
	wm_lock_drop(&db.lock);
	return p;
}

void wm_pathdb_sent(const struct wm_path *last)
{
	wm_lock_take(&db.lock);
	for (const struct wm_path *p = db.last_sent ? db.last_sent->next :
						      db.first;
	     p; p = p == last ? NULL : p->next)
		db.frames_sent += wm_path_own(p, db.frames_sent);
	db.last_sent = (struct wm_path *)(uintptr_t)last;
	if (last == db.last)
		db.unsaved = false;
	wm_journal_sent(last->next, db.generation);
	wm_lock_drop(&db.lock);
}

bool wm_pathdb_publish(struct wmw_head *w)
{
	bool r;

	wm_lock_take(&db.lock);
	r = wm_journal_begin(w, db.last_sent ? db.last_sent->next : db.first,
			     db.generation);
	wm_lock_drop(&db.lock);
	return r;
}

uint32_t wm_pathdb_frames_sent(void)
{
	return db.frames_sent;
}

uint32_t wm_pathdb_generation(void)
{
	return db.generation;
}

bool wm_pathdb_reset(const struct wm_path *last)
{
	struct wm_path_table *t;

	wm_lock_take(&db.lock);
	t = atomic_load(&wm_path_table);
	if (db.last != last) {
		wm_lock_drop(&db.lock);
		return false;
	}
	/* Another thread may still use a number of the old generation, because
	 * all its paths have been sent. */
	for (uint32_t i = 0; t && i < 1u << t->bits; i++)
		atomic_store_explicit(&t->entry[i].hash, 0,
				      memory_order_release);
	wm_frame_tree_reset();
	db.unsaved = false;
	if (db.chunks)
		db.chunks->used = sizeof(*db.chunks);
	db.filling = db.chunks;
	db.first = db.last = db.last_sent = db.pending = NULL;
	db.count = db.frames_sent = 0;
	db.generation++;
	wm_journal_sent(NULL, db.generation);
	wm_lock_drop(&db.lock);
	return true;
}

void wm_pathdb_forget(void)
{
	/* The memory stays mapped: the parent's pages cost nothing until they
	 * are written to. */
	memset(&db, 0, sizeof(db));
	wm_frame_tree_forget();
	atomic_store(&wm_path_table, NULL);
}
