/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the object that is now at an address: a live block, a mapping, a static
 * variable, a module.
 *
 * Blocks come and go; static memory is known from the start.  Small blocks are
 * in lists of the pages that they touch, found by a hash table; larger blocks
 * and mappings are in ordered ranges.  Where several objects overlap, a block
 * comes before a mapping, and both come before static memory.  Memory grows
 * with the number of live objects.  One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/replay/ranges.h"
#include "analyze/lib/trace/live.h"

/* An object.  Its number is its index in wm_objects.object. */
struct wm_object {
	uint64_t lo, bytes;
	uint32_t owner; /* the caller's number */
	/* changes when the number is reused */
	uint32_t serial;
	bool touched; /* for the caller; false at first */
	bool under; /* a mapping: small blocks may be on it */
};

/* The number of unknown memory. */
#define WM_OBJECT_NONE 0

struct wm_static {
	uint64_t lo, end;
	uint32_t owner; /* the caller's number */
	uint32_t object; /* 0: not asked for yet */
	bool under; /* small blocks have been on it */
};

struct wm_statics_list {
	struct wm_static *at; /* by address; they do not overlap */
	size_t count, cap;
};

struct wm_objects {
	struct wm_object *object;
	size_t count, cap;
	uint32_t spare; /* first free number, linked by .owner; 0: none */
	struct wm_live page_of; /* page number + 1: its place in page[] */
	struct wm_object_page *page;
	size_t pages, page_cap;
	uint32_t spare_page; /* likewise, + 1; 0: none */
	struct wm_ranges blocks, mappings; /* .name: number of the object */
	struct wm_statics_list variables, modules;
	uint64_t low, high; /* all small blocks were between these addresses */
	uint64_t overlaps; /* blocks on top of others, which are not found */
};

/* Returns -1 without memory, as all functions below do. */
int wm_objects_init(struct wm_objects *o);
void wm_objects_release(struct wm_objects *o);
/* Notes that the @bytes bytes at @addr belong to @owner from now on.  They are
 * a block where nothing else is, or a mapping where no other mapping is. */
int wm_objects_gain(struct wm_objects *o, uint64_t addr, uint64_t bytes,
		    uint32_t owner, bool mapping);
/* Removes memory that was gained with the same arguments. */
void wm_objects_lose(struct wm_objects *o, uint64_t addr, uint64_t bytes,
		     bool mapping);
/* Adds static memory, in any order; call wm_objects_fix() after the last
 * call. */
int wm_statics_add(struct wm_statics_list *l, uint64_t lo, uint64_t end,
		   uint32_t owner);
void wm_objects_fix(struct wm_objects *o);
/*
 * The object at an address.  The result is the same for @bytes bytes from @lo
 * on as long as object number @watch has the serial @serial.  @bytes may be 0,
 * and @watch may be another object.
 */
struct wm_found {
	uint32_t number; /* WM_OBJECT_NONE: unknown memory */
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

/*
 * Loads the tables for a look-up of many addresses that are far apart in
 * memory.  The caller looks up the @count addresses in @addr next, without a
 * change in between.  @number[i] is the argument @number of wm_objects_take()
 * for addr[i]; if wm_objects_take() returns false, use wm_objects_find().
 */
#define WM_EXPECT 128 /* the most addresses */
void wm_objects_expect(const struct wm_objects *o, const uint64_t *addr,
		       uint32_t *number, size_t count);
bool wm_objects_take(const struct wm_objects *o, uint64_t addr, uint32_t number,
		     struct wm_found *f);
