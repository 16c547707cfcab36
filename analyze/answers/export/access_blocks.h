/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Live blocks by address, for lines about single accesses.  Each block has its
 * number among the blocks of its call path, and the name that the program gave
 * it.
 *
 * Memory grows with live blocks.  One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/access/objects.h"
#include "analyze/lib/base/error.h"
#include "analyze/answers/export/block_names.h"
#include "analyze/lib/replay/pass.h"
#include "analyze/lib/trace/reader.h"

struct wm_live_block {
	uint64_t addr, bytes;
	/* the address at which it began, before a part was removed */
	uint64_t origin;
	uint64_t thread; /* number of the thread that allocated the block */
	uint32_t path;
	uint8_t family;
	/* the names of the block (block_names.h) by site and as given by the
	 * program, each with the block's number, from 0 on, among the blocks of
	 * that name.  A block that always has a given name takes no number of
	 * its site */
	uint32_t site, number, given, named;
};

/* Callbacks while changes go by.  .mark is called only for phases, snapshots,
 * pauses, texts and regions of the program. */
struct wm_access_news {
	void *context;
	void (*block)(void *context, const struct wm_live_block *b);
	void (*mark)(void *context, const struct wm_mark *m);
};

struct wm_access_blocks {
	struct wm_objects objects;
	struct wm_live_block *block; /* by owner; 0 is none */
	size_t count, cap;
	size_t spare; /* first unused block; .number is the next one; 0: none */
	struct wm_block_names *names;
	uint32_t *had; /* by name: how many blocks */
	size_t had_count, had_cap;
	const struct wm_trace *t;
	/* the last block, which is not written yet; 0: none */
	uint32_t fresh;
	/* a removed mapping, and the time: what is left of it is added at that
	 * time */
	struct wm_live_block cut;
	uint64_t cut_time;
	struct wm_mark next; /* the mark MOVED or GIVEN for the next block */
};

/* In place of a number (.given, .number): the block has no such number. */
#define WM_NOT_GIVEN UINT32_MAX

/* @t and @names must live as long as @b. */
enum wm_status wm_access_blocks_init(struct wm_access_blocks *b,
				     const struct wm_trace *t,
				     struct wm_block_names *names,
				     struct wm_err *err);
void wm_access_blocks_release(struct wm_access_blocks *b);
/* Takes changes.  @to gets a block after the marks that name the block. */
enum wm_status wm_access_blocks_take(struct wm_access_blocks *b,
				     const struct wm_changes *c,
				     const struct wm_access_news *to,
				     struct wm_err *err);
/* Returns the block at @addr, or NULL if there is none or memory is short. */
const struct wm_live_block *wm_access_blocks_find(struct wm_access_blocks *b,
						  uint64_t addr);
