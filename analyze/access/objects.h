/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the object at an address: a live block, a mapping, a static variable, a
 * module.  Small blocks are in lists of the pages that they touch, found by a
 * hash table; larger blocks and mappings are in ordered ranges.  Where objects
 * overlap, a block comes first, then a mapping, then static memory.  Memory
 * grows with the number of live objects.  One thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/replay/ranges.h"
#include "analyze/lib/trace/live.h"

/* Its number is its index in wm_objects.object. */
struct wm_object {
	uint64_t lo, bytes;
	uint32_t owner; /* the caller's number */
	/* ^changes when the number is reused */
	uint32_t serial;
	bool touched; /* for the caller; false at first */
	bool under; /* of a mapping: small blocks may be on it */
};

/* Unknown memory. */
#define WM_OBJECT_NONE 0

struct wm_static {
	uint64_t lo, end;
	uint32_t owner; /* the caller's number */
	uint32_t object; /* 0: not asked for yet */
	bool under; /* small blocks were on it */
};

struct wm_statics_list {
	struct wm_static *at; /* by address, without overlaps */
	size_t count, cap;
};

struct wm_objects {
	struct wm_object *object;
	size_t count, cap;
	uint32_t spare; /* first free number, linked by .owner; 0: none */
	struct wm_live page_of; /* page number + 1: its index in page[] */
	struct wm_object_page *page;
	size_t pages, page_cap;
	uint32_t spare_page; /* first free page + 1, linked; 0: none */
	struct wm_ranges blocks, mappings; /* .name: number of the object */
	struct wm_statics_list variables, modules;
	uint64_t low, high; /* range of all small blocks so far */
	uint64_t overlaps; /* blocks on top of others, which are never found */
};

/* All functions return -1 without memory. */
int wm_objects_init(struct wm_objects *o);
void wm_objects_release(struct wm_objects *o);
/* The @bytes at @addr become a block of @owner where nothing else is, or a
 * mapping where no other mapping is. */
int wm_objects_gain(struct wm_objects *o, uint64_t addr, uint64_t bytes,
		    uint32_t owner, bool mapping);
void wm_objects_lose(struct wm_objects *o, uint64_t addr, uint64_t bytes,
		     bool mapping);
/* Adds static memory in any order; wm_objects_fix() must follow. */
int wm_statics_add(struct wm_statics_list *l, uint64_t lo, uint64_t end,
		   uint32_t owner);
void wm_objects_fix(struct wm_objects *o);
/* The object at an address.  The result is valid for @bytes bytes from @lo on
 * while object @watch has the serial @serial.  @bytes may be 0, and @watch may
 * be another object. */
struct wm_found {
	uint32_t number; /* or WM_OBJECT_NONE */
	uint32_t watch, serial;
	uint64_t lo, bytes;
};

static inline bool wm_found_holds(const struct wm_objects *o,
				  const struct wm_found *f, uint64_t addr)
{
	return addr - f->lo < f->bytes &&
	       o->object[f->watch].serial == f->serial;
}

int wm_objects_find(struct wm_objects *o, uint64_t addr, struct wm_found *f);

/* Prefetches for look-ups of the @count addresses in @addr, which follow
 * without a change.  @number[i] is the argument @number of wm_objects_take()
 * for addr[i].  If that returns false, the caller uses wm_objects_find(). */
#define WM_EXPECT 128 /* upper bound of @count */
void wm_objects_expect(const struct wm_objects *o, const uint64_t *addr,
		       uint32_t *number, size_t count);
bool wm_objects_take(const struct wm_objects *o, uint64_t addr, uint32_t number,
		     struct wm_found *f);
