/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/live.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define FIRST_BITS 13
/* Tables that fit into the second-level cache are at most an eighth full: then
 * the branches of a probe are easy to predict. */
#define SMALL_BITS 15
/* Tables of 256 MiB and more may be three quarters full, to save memory. */
#define LARGE_BITS 24

#define BOUND 12000000
#define BOUND_BYTE 16 /* for each byte of the file */

static uint64_t usual_bound(uint64_t bytes)
{
	if (bytes >= UINT64_MAX / BOUND_BYTE)
		return UINT64_MAX;
	bytes *= BOUND_BYTE;
	return bytes > BOUND ? bytes : BOUND;
}

uint64_t wm_live_bound(uint64_t bytes, uint64_t asked)
{
	return asked ? asked : usual_bound(bytes);
}

uint64_t wm_live_plenty(uint64_t bytes, uint64_t asked)
{
	uint64_t n = usual_bound(bytes);

	return asked > n ? asked : n;
}

/* Memory is mapped, as zero pages then cost nothing.  Large tables need huge
 * pages, as nearly every access is to another page. */
static void want_huge(void *p, size_t bytes)
{
	if (bytes >= (4u << 20))
		madvise(p, bytes, MADV_HUGEPAGE);
}

static void *map_zeroed(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	want_huge(p, bytes);
	return p;
}

static void unmap_slots(struct wm_live *l)
{
	if (l->slot)
		munmap(l->slot, (l->mask + 1) * sizeof(*l->slot));
	if (l->alloc_time)
		munmap(l->alloc_time, (l->mask + 1) * sizeof(*l->alloc_time));
}

/* Returns the most blocks in a table of 1 << @bits slots. */
static size_t limit_of(unsigned bits)
{
	return ((size_t)1 << bits) / 8 *
	       (bits <= SMALL_BITS ? 1 :
		bits < LARGE_BITS  ? 4 :
				     6);
}

static int set_bits(struct wm_live *l, unsigned bits, bool alloc_times)
{
	size_t n = (size_t)1 << bits;

	l->slot = map_zeroed(n * sizeof(*l->slot));
	if (!l->slot)
		return -1;
	l->mask = n - 1;
	if (alloc_times) {
		l->alloc_time = map_zeroed(n * sizeof(*l->alloc_time));
		if (!l->alloc_time) {
			unmap_slots(l);
			return -1;
		}
	}
	l->limit = limit_of(bits);
	l->shift = 64 - bits;
	return 0;
}

int wm_live_init(struct wm_live *l)
{
	memset(l, 0, sizeof(*l));
	return set_bits(l, FIRST_BITS, false);
}

int wm_live_want_alloc_times(struct wm_live *l)
{
	l->alloc_time = map_zeroed((l->mask + 1) * sizeof(*l->alloc_time));
	return l->alloc_time ? 0 : -1;
}

void wm_live_release(struct wm_live *l)
{
	unmap_slots(l);
	if (l->big) {
		wm_live_release(l->big);
		free(l->big);
	}
	memset(l, 0, sizeof(*l));
}

#define DROP ((size_t)1 << 18)

/* Releases the old slots before @i, which have been copied. */
static void drop_before(const struct wm_live *l, size_t i)
{
	if (i % DROP || i == 0)
		return;
	i -= DROP;
	madvise(l->slot + i, DROP * sizeof(*l->slot), MADV_DONTNEED);
	if (l->alloc_time)
		madvise(l->alloc_time + i, DROP * sizeof(*l->alloc_time),
			MADV_DONTNEED);
}

static int grow_slots(struct wm_live *l, unsigned bits)
{
	struct wm_live old = *l;
	struct wm_live_slot *s;

	if (set_bits(l, bits, old.alloc_time != NULL)) {
		*l = old;
		return -1;
	}
	for (size_t i = 0; i <= old.mask; i++) {
		drop_before(&old, i);
		if (!old.slot[i].addr)
			continue;
		s = wm_live_find(l, old.slot[i].addr);
		*s = old.slot[i];
		if (old.alloc_time)
			wm_live_set_alloc_time(l, s, old.alloc_time[i]);
	}
	unmap_slots(&old);
	return 0;
}

int wm_live_reserve(struct wm_live *l, size_t n)
{
	unsigned bits = 64 - l->shift;

	if (l->count + n <= l->limit)
		return 0;
	while (limit_of(bits) < l->count + n)
		bits++;
	return grow_slots(l, bits);
}

int wm_live_big_put(struct wm_live *l, uint64_t addr, uint64_t size)
{
	struct wm_live_slot *s;

	if (!l->big) {
		l->big = malloc(sizeof(*l->big));
		if (!l->big || wm_live_init(l->big)) {
			free(l->big);
			l->big = NULL;
			return -1;
		}
	}
	if (wm_live_reserve(l->big, 1))
		return -1;
	s = wm_live_find(l->big, addr);
	if (!s->addr)
		l->big->count++;
	s->addr = addr;
	s->path = (uint32_t)(size >> 32);
	s->size = (uint32_t)size;
	return 0;
}

uint64_t wm_live_big_take(struct wm_live *l, uint64_t addr)
{
	struct wm_live_slot *s = wm_live_find(l->big, addr);
	uint64_t size = (uint64_t)s->path << 32 | s->size;

	if (s->addr)
		wm_live_erase(l->big, s);
	return size;
}

uint64_t wm_live_size(const struct wm_live *l, const struct wm_live_slot *s)
{
	const struct wm_live_slot *big;

	if (s->size != WM_LIVE_BIG)
		return s->size;
	big = wm_live_find(l->big, s->addr);
	return (uint64_t)big->path << 32 | big->size;
}
