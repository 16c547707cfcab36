/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Passes: computations while a trace is read once.
 *
 * Replay turns events into changes of live memory, and gives them in batches to
 * every pass that the reports need.  To add a pass: one file with a struct
 * wm_pass_ops, one line in WM_PASS_LIST, its result in struct wm_rank.
 *
 * A pass sees one trace, and its state is private.  Traces may be read at the
 * same time in different threads, each with its own states.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/replay/family.h"

struct wm_access;
struct wm_rank;
struct wm_spot;
struct wm_trace;
struct wm_wish;

/* X(name): wm_pass_<name> in pass_<name>.c is the struct wm_pass_ops. */
#define WM_PASS_LIST(X)                                                         \
	X(heap) /* live bytes by call path, now and at the peak */              \
	X(course) /* large memory over time */                                  \
	X(phases) /* live bytes by path at each phase's peak; after heap */     \
	X(moment) /* live bytes by path at --at, not at the peak; after heap */ \
	X(timeline) /* live bytes over time */                                  \
	X(lifetime) /* lifetimes of blocks by call path */                      \
	X(sizes) /* blocks by size */                                           \
	X(series) /* live bytes over time by call path */                       \
	X(alloc_phases) /* live bytes over time by phase of allocation */       \
	X(names) /* live bytes over time by name of blocks */                   \
	X(working_set) /* pages of epochs, without their owners */              \
	X(pages) /* users of memory, epoch by epoch; after working_set */       \
	X(blocks) /* places of blocks of a page or more; after pages */         \
	X(accesses) /* loads and stores, by site and variable */                \
	X(cache) /* cache misses; after accesses, as are: */                    \
	X(reuse) /* reuse distances */                                          \
	X(sharing) /* lines that several threads use */                         \
	X(threads) /* live bytes by thread */                                   \
	X(listener) /* for a listener; after accesses */                        \
	X(node) /* for the sum over the ranks of a node */

#define WM_PASS_X(name) WM_PASS_##name,
enum wm_pass_id { WM_PASS_LIST(WM_PASS_X) WM_PASS_COUNT };
#undef WM_PASS_X

/* A set of passes has these bits. */
#define WM_NEEDS(name) (1u << WM_PASS_##name)

struct wm_changes;
struct wm_access_batch;

#define WM_CHANGES 1024
#define WM_MARKS 1024
#define WM_RELEASE 0x80000000u /* in who: memory is freed, not added */

/* A range of memory that the program has named. */
struct wm_span {
	uint64_t start, bytes;
	uint64_t element; /* bytes of an element; 0: unknown */
};

/* A name with the bit WM_NAME_HELD belongs to the word of static memory that
 * points at the block.  WM_NAME_SEVERAL: more than one word has pointed at the
 * block, at once or in turn; which ones is not recorded. */
#define WM_NAME_HELD 0x80000000u
#define WM_NAME_SEVERAL UINT32_MAX

/* An annotation of the program, or another fact, between two changes. */
struct wm_mark {
	enum {
		WM_MARK_PHASE,
		WM_MARK_SNAPSHOT,
		WM_MARK_PAUSE,
		WM_MARK_RESUME,
		/* the name of a live block: */
		WM_MARK_GIVEN, /* the block has the name from now on */
		WM_MARK_TAKEN, /* the name was removed or replaced */
		WM_MARK_MOVED, /* realloc: the new block has the name */
		WM_MARK_ENDED, /* the block was freed, or realloc replaced it */
		WM_MARK_TEXT,
		WM_MARK_REGION,
		WM_MARK_REGION_END, /* span.start is an address in the region */
		/* path asked for bytes, and got none; they were to replace
		 * span.bytes bytes (realloc, mremap) */
		WM_MARK_FAILED,
		WM_MARK_INITIALIZED, /* MPI_Init has ended */
		WM_MARK_FINALIZE, /* MPI_Finalize begins */
		/* `bytes` bytes are resident and private.  Since the last such
		 * mark: the most was span.start, at most span.bytes bytes
		 * became resident, and shared memory grew by span.element */
		WM_MARK_PRIVATE,
		/* path made the MPI handle; bytes is its function's number */
		WM_MARK_HANDLE_MADE,
		WM_MARK_HANDLE_FREED, /* the call path had made this handle */
	} kind;
	uint32_t at; /* the mark comes before change number `at` */
	uint32_t path; /* of the block, or of the request */
	uint32_t name; /* number in NAMES, with WM_NAME_HELD */
	uint64_t bytes, time; /* bytes of the block or the request; ticks */
	/* GIVEN, TAKEN: allocation time, with wm_passes.alloc_times */
	uint64_t since;
	/* REGION, REGION_END; start of the block for GIVEN, TAKEN, MOVED */
	struct wm_span span;
};

/* Changes in order.  A call that replaces a block (realloc) is a release
 * directly followed by a gain of the same time.  A pass therefore looks for a
 * peak only after gains.  The array addr and the turns are filled only with
 * wm_passes.addresses. */
struct wm_changes {
	size_t count;
	uint32_t who[WM_CHANGES]; /* call path, perhaps with WM_RELEASE */
	uint64_t bytes[WM_CHANGES];
	uint64_t time[WM_CHANGES]; /* ticks */
	/* Ticks at which the memory was allocated: for a block from realloc,
	 * the time of that realloc; for a part of a mapping, the time of the
	 * mapping.  Set for releases and for gains of mappings, which may be
	 * the rest of an older mapping; only with wm_passes.alloc_times. */
	uint64_t alloc_time[WM_CHANGES];
	uint64_t addr[WM_CHANGES];
	uint8_t family[WM_CHANGES]; /* enum wm_family */
	/* gains of realloc, each after the release of the old block */
	size_t moves;
	uint16_t move[WM_CHANGES];
	size_t marks;
	struct wm_mark mark[WM_MARKS];
	/* threads that make the changes, each from change number `at` on */
	size_t turns;
	struct wm_turn {
		uint32_t at, thread;
	} turn[WM_CHANGES + 1];
};
uint32_t wm_changes_thread(const struct wm_changes *c, size_t i);

/* Loads and stores of one thread in order, without an event of this thread
 * between them (docs/trace-format.md, 6.11).  All changes before these accesses
 * have been given to the pass.  Where spot[].kind is WMA_FRAME, the entry is
 * not an access: a function begins. */
struct wm_access_batch {
	uint64_t thread;
	uint64_t first; /* number of access[0] in the thread */
	uint64_t time; /* ticks of the last replayed event; 0: none */
	const struct wm_access *access;
	size_t count; /* 0: the thread has ended */
	const struct wm_spot *spot; /* by number, from 1 on */
	uint32_t spots;
	/* numbers of spots keep their meaning from one batch of a thread to the
	 * next while this value is the same */
	uint64_t resets;
	uint64_t gaps; /* places so far where accesses are missing */
	/* numbers of cells (struct wm_access_cell), from pass accesses */
	uint32_t *cell;
	/* likewise, start of the variable or block of each access; for unknown
	 * memory, the address of the memory to which it belongs, or 0 */
	uint64_t *base;
};
#define WM_ACCESS_NO_CELL UINT32_MAX /* for a frame (WMA_FRAME) */
#define WM_ACCESS_BATCH 1024

/* The functions of a pass; each may be NULL.  When a part of a mapping is
 * unmapped, the pass sees the release of the whole mapping, and at the same
 * time the gain of the rest, with its old allocation time. */
struct wm_pass_ops {
	const char *name;
	size_t state_size; /* zeroed before init */
	bool alloc_times; /* needs wm_changes.alloc_time */
	bool addresses; /* needs wm_changes.addr; only with alloc_times */
	/* true: the trace has nothing for the pass, which does not run */
	bool (*idle)(const struct wm_trace *t);
	void (*wish)(void *state, const struct wm_wish *wish);
	enum wm_status (*init)(void *state, const struct wm_trace *t,
			       struct wm_err *err);
	enum wm_status (*take)(void *state, const struct wm_changes *c,
			       struct wm_err *err);
	/* called between changes, in order */
	enum wm_status (*accesses)(void *state, struct wm_access_batch *b,
				   struct wm_err *err);
	/* Called after the last change, once for each live block and for each
	 * piece of a live mapping, in no order.  @path and @bytes are those of
	 * the change that added the memory; @alloc_time is as in wm_changes. */
	void (*left)(void *state, enum wm_family family, uint32_t path,
		     uint64_t bytes, uint64_t alloc_time);
	/* Called after the last change: reads to its end the data that the pass
	 * itself reads from the trace.  A pass never skips a damaged block:
	 * after WM_BAD_INPUT, here or before, the trace is read once more up to
	 * the damaged block, and the analysis reports the damage. */
	enum wm_status (*drain)(void *state, struct wm_err *err);
	enum wm_status (*finish)(void *state, const struct wm_trace *t,
				 struct wm_rank *rank, struct wm_err *err);
	void (*release)(void *state);
};

struct wm_passes {
	const struct wm_pass_ops *const *ops;
	uint64_t max_blocks; /* the most live blocks; 0: see wm_live_bound() */
	bool alloc_times; /* a pass needs allocation times or live blocks */
	bool addresses; /* a pass needs addresses of changes */
	bool accesses; /* a pass needs loads and stores */
	void *state[WM_PASS_COUNT];
};

/* All passes, by number (pass_table.c). */
extern const struct wm_pass_ops *const wm_pass_table[WM_PASS_COUNT];

/* Begins the passes of @ops that are in @needs, a set of WM_NEEDS() bits. */
enum wm_status wm_passes_init(struct wm_passes *p,
			      const struct wm_pass_ops *const *ops,
			      unsigned needs, const struct wm_wish *wish,
			      const struct wm_trace *t, struct wm_err *err);
enum wm_status wm_passes_take(struct wm_passes *p, const struct wm_changes *c,
			      struct wm_err *err);
enum wm_status wm_passes_accesses(struct wm_passes *p,
				  struct wm_access_batch *b,
				  struct wm_err *err);
void wm_passes_left(struct wm_passes *p, enum wm_family family, uint32_t path,
		    uint64_t bytes, uint64_t alloc_time);
enum wm_status wm_passes_drain(struct wm_passes *p, struct wm_err *err);
enum wm_status wm_passes_finish(struct wm_passes *p, const struct wm_trace *t,
				struct wm_rank *rank, struct wm_err *err);
void wm_passes_release(struct wm_passes *p);
