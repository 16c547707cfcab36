/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Passes: computations while a trace is read once.
 *
 * Replay turns events into changes of live memory and hands them in batches to
 * every pass that the reports need.  To add a pass: one file with a struct
 * wm_pass_ops, one line in WM_PASS_LIST, its result in struct wm_rank.
 *
 * A pass sees one trace.  Its state is private; several traces may be read at
 * the same time in different threads, each with its own states.
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
struct wm_wish; /* analyze/passes/wish.h */

/* X(name): wm_pass_<name> is its struct wm_pass_ops, in pass_<name>.c */
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

/* Reports name the passes that they need as a set of these bits. */
#define WM_NEEDS(name) (1u << WM_PASS_##name)

struct wm_changes;
struct wm_access_batch;

#define WM_CHANGES 1024
#define WM_MARKS 1024
#define WM_RELEASE 0x80000000u /* in who: the block is freed, not added */

/* A range of memory that the program has named. */
struct wm_span {
	uint64_t start, bytes;
	uint64_t element; /* bytes of one; 0: unknown */
};

/* A name with the bit WM_NAME_HELD is the name of the word of static memory
 * that points at the block.  WM_NAME_SEVERAL: several words have pointed at the
 * block, together or one after the other, and it is unknown which words. */
#define WM_NAME_HELD 0x80000000u
#define WM_NAME_SEVERAL UINT32_MAX

/* The program's annotations, between two changes. */
struct wm_mark {
	enum {
		WM_MARK_PHASE,
		WM_MARK_SNAPSHOT,
		WM_MARK_PAUSE,
		WM_MARK_RESUME,
		/* the name of a live block: */
		WM_MARK_GIVEN, /* the block has the name from now on */
		WM_MARK_TAKEN, /* no longer: another name follows, or none */
		WM_MARK_MOVED, /* the new block of a realloc has the name */
		WM_MARK_ENDED, /* the block is freed, or realloc replaced it */
		WM_MARK_TEXT, /* wm_mark() */
		WM_MARK_REGION, /* see regions.h */
		WM_MARK_REGION_END, /* span.start: an address in it */
		WM_MARK_FAILED, /* path asked for bytes, and got none */
		WM_MARK_INITIALIZED, /* MPI_Init has ended */
		WM_MARK_FINALIZE, /* MPI_Finalize begins */
		/* `bytes` bytes are resident and private.  Since the last mark
		 * of this kind, the most was span.start, at most span.bytes
		 * bytes became resident, and shared memory grew by
		 * span.element */
		WM_MARK_PRIVATE,
		/* the call path made a handle of MPI: bytes is the number of
		 * the function */
		WM_MARK_HANDLE_MADE,
		WM_MARK_HANDLE_FREED, /* the call path made this handle */
	} kind;
	uint32_t at; /* before change number `at`, behind the change before */
	uint32_t path; /* of the block, or of the request */
	uint32_t name; /* number in NAMES, with WM_NAME_HELD */
	uint64_t bytes, time; /* likewise; ticks */
	/* GIVEN, TAKEN: ticks at which the block was allocated, only with
	 * wm_passes.alloc_times */
	uint64_t since;
	/* REGION, REGION_END; for GIVEN, TAKEN and MOVED: start of the block */
	struct wm_span span;
};

/*
 * Changes in order.  A call that replaces a block atomically (realloc) is a
 * release directly followed by a gain of the same time.  A pass therefore looks
 * for a peak only after gains.
 */
struct wm_changes {
	size_t count;
	uint32_t who[WM_CHANGES]; /* the call path to which the bytes belong */
	uint64_t bytes[WM_CHANGES];
	uint64_t time[WM_CHANGES]; /* ticks */
	/*
	 * Ticks at which the released memory was allocated: for a block from
	 * realloc, the time of that realloc; for a part of a mapping, the time
	 * of the mapping.  Set for releases, and for gains of mappings, as such
	 * a gain may be the rest of an older mapping; only with
	 * wm_passes.alloc_times.
	 */
	uint64_t alloc_time[WM_CHANGES];
	/* where the memory begins; only with wm_passes.addresses */
	uint64_t addr[WM_CHANGES];
	uint8_t family[WM_CHANGES]; /* enum wm_family */
	/* gains of realloc that replace the release before them */
	size_t moves;
	uint16_t move[WM_CHANGES];
	size_t marks;
	struct wm_mark mark[WM_MARKS];
	/* the threads that make the changes, each from change number `at` on;
	 * only with wm_passes.addresses */
	size_t turns;
	struct wm_turn {
		uint32_t at, thread; /* its number */
	} turn[WM_CHANGES + 1];
};
/* Returns the number of the thread that made change @i. */
uint32_t wm_changes_thread(const struct wm_changes *c, size_t i);

/*
 * Loads and stores of one thread in the thread's order, without an event of
 * this thread between them (docs/trace-format.md, 6.11).  All changes before
 * these accesses have been given to the pass.  Where spot[].kind is WMA_FRAME,
 * the entry is not an access: a function begins.
 */
struct wm_access_batch {
	uint64_t thread; /* its number */
	uint64_t first; /* number of access[0] within the thread */
	uint64_t time; /* ticks of the event replayed last; 0: there was none */
	const struct wm_access *access;
	size_t count; /* 0: the thread has ended, and has no more accesses */
	const struct wm_spot *spot; /* by number, from 1 on */
	uint32_t spots; /* the highest number */
	/* if the thread's last batch had the same value, the numbers of spots
	 * have the same meaning as in that batch */
	uint64_t resets;
	uint64_t gaps; /* places so far where accesses are missing */
	/* the number of each access's cell (struct wm_access_cell): pass
	 * accesses fills it, and passes that run after that pass read it */
	uint32_t *cell;
	/* likewise the start of the variable or block of each access; for
	 * unknown memory, the address of the memory to which it belongs, or
	 * 0 */
	uint64_t *base;
};
#define WM_ACCESS_NO_CELL UINT32_MAX /* the entry is a frame (WMA_FRAME) */
#define WM_ACCESS_BATCH 1024 /* the most accesses of a batch */

/*
 * The functions of a pass; each may be NULL.  When a part of a mapping is
 * unmapped, the pass sees the release of the whole mapping, and at the same
 * time the gain of the rest, with its old allocation time.
 */
struct wm_pass_ops {
	const char *name;
	size_t state_size; /* zeroed before init */
	bool alloc_times; /* it needs wm_changes.alloc_time */
	bool addresses; /* and wm_changes.addr; not without alloc_times */
	/* true: the trace has nothing for it, and it does not run */
	bool (*idle)(const struct wm_trace *t);
	/* before init: further wishes */
	void (*wish)(void *state, const struct wm_wish *wish);
	enum wm_status (*init)(void *state, const struct wm_trace *t,
			       struct wm_err *err);
	enum wm_status (*take)(void *state, const struct wm_changes *c,
			       struct wm_err *err);
	/* between changes, in the right place among them */
	enum wm_status (*accesses)(void *state, struct wm_access_batch *b,
				   struct wm_err *err);
	/*
	 * Called after the last change, once for each live block and for each
	 * piece of a live mapping, in no order.  @path and @bytes are those of
	 * the change that added the memory; @alloc_time is as in wm_changes.
	 */
	void (*left)(void *state, enum wm_family family, uint32_t path,
		     uint64_t bytes, uint64_t alloc_time);
	/*
	 * Called after the last change: reads to its end the data that the pass
	 * itself reads from the trace.  A pass never skips a damaged block:
	 * after WM_BAD_INPUT, here or before, the trace is read once more up to
	 * the damaged block, and the analysis reports the damage.
	 */
	enum wm_status (*drain)(void *state, struct wm_err *err);
	/* Move the results to @rank. */
	enum wm_status (*finish)(void *state, const struct wm_trace *t,
				 struct wm_rank *rank, struct wm_err *err);
	void (*release)(void *state);
};

/* The passes that run over one trace. */
struct wm_passes {
	const struct wm_pass_ops *const *ops; /* by number */
	uint64_t max_blocks; /* alive at one time; 0: see wm_live_bound() */
	bool alloc_times; /* one needs allocation times, or the live blocks */
	bool addresses; /* or addresses of changes */
	bool accesses; /* or loads and stores */
	void *state[WM_PASS_COUNT];
};

/* All passes, by number (pass_table.c). */
extern const struct wm_pass_ops *const wm_pass_table[WM_PASS_COUNT];

/* Begins the passes of @ops that are in @needs (WM_NEEDS()), each with
 * @wish. */
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
