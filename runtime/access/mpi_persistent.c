/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Persistent requests: the buffers that were given when a request was made are
 * accessed each time that the request is started.  They are kept as bytes,
 * because the program may free the datatype before a start.  The key of an
 * entry is the request's handle.  MPI reuses the handle of a freed request, so
 * the last request that was made with a handle counts.
 *
 * These functions run in any thread, without a lock: as MPI demands, a handle
 * belongs to one thread at a time, and so does its entry.  But the handle of a
 * request that has just been freed may already belong to another thread.  So a
 * thread that removes an entry, or fills it anew, first sets `made` to 0, and
 * only one thread succeeds.  Then the entry still has the key but no owner, and
 * is skipped.
 */
#include "runtime/access/access.h"
#include "runtime/access/mpi_buffers.h"

#include <stdatomic.h>

#include "runtime/base/pool.h"
#include "runtime/trace/accesses.h"

/* Each static program that passes a request of one language to the other
 * contains this function. */
__attribute__((weak)) void *PMPI_Request_f2c(int request);

#define TRIES 16

struct range {
	struct wm_mpi_bytes bytes;
	uint32_t what;
};

struct wm_mpi_kept {
	_Atomic uint64_t key; /* 0: free */
	/* number of the request among all that were made; 0: none, or a thread
	 * is changing the entry */
	_Atomic uint64_t made;
	uint32_t ranges, room; /* room is that of more */
	struct range first;
	struct range *more; /* further ranges, or NULL */
};

struct part {
	struct part *_Atomic next;
	struct wm_mpi_kept kept[510];
};

static struct part *_Atomic parts;
static _Atomic uint64_t made;

/* The key of request @i is its handle as C has it, plus 1, and so never 0.  A
 * request may be made in Fortran and started in C. */
static uint64_t key_of(const struct wm_mpi_call *c, const void *requests, int i)
{
	uint32_t number = ((const uint32_t *)requests)[i];

	if (!wm_mpi_has_wide_handles())
		return (uint64_t)number + 1;
	if (!c->fortran)
		return ((const uint64_t *)requests)[i] + 1;
	if (PMPI_Request_f2c)
		return (uint64_t)(uintptr_t)PMPI_Request_f2c((int)number) + 1;
	return (uint64_t)number + 1;
}

static struct wm_mpi_kept *place_of(struct part *p, uint64_t key, int i)
{
	size_t n = sizeof(p->kept) / sizeof(*p->kept);

	return &p->kept[((key * UINT64_C(0x9E3779B97F4A7C15) >> 32) +
			 (uint64_t)i) %
			n];
}

/* Returns the entry of @key and its .made, or NULL if there is none or a
 * thread is removing it.  .made is read first: the key is unchanged as long
 * as it is. */
static struct wm_mpi_kept *find(uint64_t key, uint64_t *its)
{
	struct part *p;

	for (p = atomic_load(&parts); p; p = atomic_load(&p->next))
		for (int i = 0; i < TRIES; i++) {
			struct wm_mpi_kept *k = place_of(p, key, i);

			*its = atomic_load(&k->made);
			if (*its && atomic_load(&k->key) == key)
				return k;
		}
	*its = 0;
	return NULL;
}

/* Makes the part at *@link if there is none.  Returns NULL without memory. */
static struct part *next_part(struct part *_Atomic *link)
{
	struct part *p = atomic_load(link), *none = NULL;

	if (p)
		return p;
	p = wm_pool_map(sizeof(*p));
	if (!p || atomic_compare_exchange_strong(link, &none, p))
		return p;
	wm_pool_unmap(p, sizeof(*p));
	return none;
}

static bool take(struct wm_mpi_kept *k, uint64_t its)
{
	return k && atomic_compare_exchange_strong(&k->made, &its, 0);
}

static struct wm_mpi_kept *make(uint64_t key)
{
	uint64_t its;
	struct wm_mpi_kept *k = find(key, &its);
	struct part *_Atomic *link = &parts;
	struct part *p;

	if (!take(k, its))
		k = NULL;
	while (!k && (p = next_part(link))) {
		for (int i = 0; i < TRIES && !k; i++) {
			uint64_t none = 0;

			if (atomic_compare_exchange_strong(&place_of(p, key, i)
								    ->key,
							   &none, key))
				k = place_of(p, key, i);
		}
		link = &p->next;
	}
	return k;
}

static void forget_ranges(struct wm_mpi_kept *k)
{
	if (k->more)
		wm_pool_unmap(k->more, k->room * sizeof(*k->more));
	k->more = NULL;
	k->ranges = k->room = 0;
}

struct wm_mpi_kept *wm_mpi_keeper(const struct wm_mpi_call *c)
{
	struct wm_mpi_kept *k = make(key_of(c, c->kept, 0));

	if (!k) {
		wm_access_lose();
		return NULL;
	}
	forget_ranges(k);
	atomic_store(&k->made, atomic_fetch_add(&made, 1) + 1);
	return k;
}

static bool has_room(struct wm_mpi_kept *k)
{
	uint32_t n = k->ranges - 1, room = k->room ? 2 * k->room : 128;
	struct range *more;

	if (n < k->room)
		return true;
	more = wm_pool_map(room * sizeof(*more));
	if (!more)
		return false;
	for (uint32_t i = 0; i < n; i++)
		more[i] = k->more[i];
	if (k->more)
		wm_pool_unmap(k->more, k->room * sizeof(*more));
	k->more = more;
	k->room = room;
	return true;
}

void wm_mpi_keep(struct wm_mpi_kept *k, struct wm_mpi_bytes bytes,
		 uint32_t what)
{
	if (k->ranges && !has_room(k)) {
		wm_access_lose();
		return;
	}
	*(k->ranges ? &k->more[k->ranges - 1] :
		      &k->first) = (struct range){ bytes, what };
	k->ranges++;
}

void wm_mpi_started(const struct wm_mpi_call *c, const void *requests,
		    int count)
{
	uint64_t its;

	for (int i = 0; i < count; i++) {
		const struct wm_mpi_kept *k = find(key_of(c, requests, i),
						   &its);

		for (uint32_t n = 0; k && n < k->ranges; n++) {
			const struct range *r = n ? &k->more[n - 1] : &k->first;

			wm_access_range(r->bytes.at, r->bytes.size, c->caller,
					r->what);
		}
	}
}

void *wm_mpi_freeing(struct wm_mpi_call *c, void *request)
{
	c->freed = request ? find(key_of(c, request, 0), &c->freed_made) : NULL;
	return request;
}

void wm_mpi_freed(const struct wm_mpi_call *c)
{
	struct wm_mpi_kept *k = c->freed;

	if (!take(k, c->freed_made))
		return;
	forget_ranges(k);
	atomic_store(&k->key, 0);
}
