/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Persistent requests: what was told when they were made is accessed each time
 * that they are started.
 *
 * Kept as bytes at an address, because the program may free the datatype
 * before.  The key is the request's handle, which MPI uses again when the
 * request has been freed: the last one made counts.
 *
 * Any thread.  No lock: a handle belongs to one thread at a time, as MPI
 * demands, and so does its entry.
 */
#include "runtime/access/access.h"
#include "runtime/access/mpi_buffers.h"

#include <stdatomic.h>

#include "runtime/base/pool.h"
#include "runtime/trace/accesses.h"

#define TRIES 16 /* places in a part where a handle may be */

struct kept {
	_Atomic uint64_t key; /* 0: free */
	struct wm_mpi_bytes bytes;
	uint32_t what;
};

struct part {
	struct part *_Atomic next;
	struct kept kept[1020];
};

static struct part *_Atomic parts;

/* A handle and something, so that it is never 0. */
static uint64_t key_of(const struct wm_mpi_call *c, const void *requests, int i)
{
	if (!c->fortran && wm_mpi_has_wide_handles())
		return ((const uint64_t *)requests)[i] + 1;
	return (uint64_t)((const uint32_t *)requests)[i] + 1;
}

static struct kept *place_of(struct part *p, uint64_t key, int i)
{
	size_t n = sizeof(p->kept) / sizeof(*p->kept);

	return &p->kept[((key * UINT64_C(0x9E3779B97F4A7C15) >> 32) +
			 (uint64_t)i) %
			n];
}

static struct kept *find(uint64_t key)
{
	struct part *p;
	int i;

	for (p = atomic_load(&parts); p; p = atomic_load(&p->next))
		for (i = 0; i < TRIES; i++)
			if (atomic_load(&place_of(p, key, i)->key) == key)
				return place_of(p, key, i);
	return NULL;
}

/* The part behind *@link, made if there is none; NULL: no memory. */
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

static struct kept *make(uint64_t key)
{
	struct kept *k = find(key);
	struct part *_Atomic *link = &parts;
	struct part *p;
	int i;

	while (!k && (p = next_part(link))) {
		for (i = 0; i < TRIES && !k; i++) {
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

void wm_mpi_keep(const struct wm_mpi_call *c, struct wm_mpi_bytes bytes,
		 uint32_t what)
{
	struct kept *k = make(key_of(c, c->kept, 0));

	if (!k) {
		wm_access_lose();
		return;
	}
	k->bytes = bytes;
	k->what = what;
}

void wm_mpi_started(const struct wm_mpi_call *c, const void *requests,
		    int count)
{
	int i;

	for (i = 0; i < count; i++) {
		const struct kept *k = find(key_of(c, requests, i));

		if (k && k->bytes.size)
			wm_access_range(k->bytes.at, k->bytes.size, c->caller,
					k->what);
	}
}

void *wm_mpi_freed(const struct wm_mpi_call *c, void *request)
{
	struct kept *k = request ? find(key_of(c, request, 0)) : NULL;

	if (k)
		atomic_store(&k->key, 0);
	return request;
}
