/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stream: the coded loads and stores of one thread, until they are in a block
 * of the trace.  A stream belongs to a slot: when the slot gets another owner,
 * so does the stream, and its count continues.
 *
 * The owner codes accesses (runtime/access) without a lock.  The thread that
 * ends the process may read the stream at any moment: one store, to `point`,
 * makes a token part of it.  Streams are wiped in a forked child: there `on` is
 * 0, and no access is as predicted.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "wm/access_format.h"

#include "runtime/base/attributes.h"
#include "runtime/base/state.h"

/* A spot: an address in the program from which a hook is called, and the
 * prediction of the next access there.  Takes one cache line. */
struct wm_access_spot {
	uint64_t expect; /* predicted address: last + stride */
	uint64_t stride; /* WM_ACCESS_NEAR: see `near` */
	uint64_t next; /* key of the next spot if its hash leads there, or 0 */
	uint64_t key; /* 0: free */
	/* The last address that was not predicted: its distance to the spot's
	 * previous address; its low half; its distance to the address of the
	 * thread's previous access. */
	uint32_t jump, missed;
	int32_t near;
	uint32_t mark; /* low half of the last address before the other spot */
	uint32_t number, visits; /* from 1; 0 to 2 */
	uint32_t next_at, other_at; /* offsets of these spots; 0: unknown */
};

/* The next address is expected `near` bytes from the thread's last access. */
#define WM_ACCESS_NEAR ((uint64_t)1 << 63)

#define WM_ACCESS_HOMES 65536u /* entries of the hash table of spots */
#define WM_ACCESS_SPOTS 49152u /* at most; then all are forgotten */
#define WM_ACCESS_HEAD 4096u
#define WM_ACCESS_BYTES (256u << 10) /* of tokens in a block */
#define WM_ACCESS_TOKEN 64u /* the most bytes for one access */

struct wm_access_told {
	uint64_t addr, bytes, count;
};

struct wm_access_stream {
	struct wm_access_spot nobody; /* all zero: the next access is a miss */
	uint64_t cur; /* offset of the last spot; 0: none */
	uint64_t count; /* accesses of the stream; other threads read it */
	_Atomic uint64_t point; /* WM_ACCESS_POINT: the end of the tokens */
	uint64_t held; /* `cur` before an event */
	uint64_t first; /* `count` when the present owner began */
	uint64_t written; /* accesses in blocks, and of earlier owners */
	uint64_t lost; /* accesses that are in no block, of all owners */
	uint64_t lost_first; /* the part of lost of earlier owners */
	uint64_t lost_written;
	uint64_t events; /* of the thread, in tokens */
	uint64_t events_written; /* of the thread, in blocks */
	uint64_t pc; /* pc of the newest spot */
	uint64_t bytes; /* bytes of the access that is being coded */
	uint32_t spots;
	uint32_t left_out; /* entries for spots that are not recorded */
	_Atomic uint32_t on;
	struct wm_slot *slot;
	struct wm_access_told told[2];
	uint32_t thread;
	uint32_t number; /* from 0; never changes */
	uint64_t noted_at; /* the last event with positions of streams */
	struct wm_access_stream *next; /* the stream made before this one */
};

/* Values of `on`.  TO_STOP: the owner stops at its next unpredicted access.
 * STOPPED: the program has stopped the stream.  REFUSED: nothing can be written
 * any more; later accesses are counted as lost. */
enum {
	WM_ACCESS_ENDED = 0, /* or not begun */
	WM_ACCESS_ON,
	WM_ACCESS_TO_STOP,
	WM_ACCESS_STOPPED,
	WM_ACCESS_REFUSED,
};

/* The first @accesses of the stream are in earlier blocks and in @bytes of
 * tokens; the accesses after them, up to `count`, were as predicted. */
#define WM_ACCESS_POINT(accesses, bytes) ((accesses) << 20 | (bytes))
#define WM_ACCESS_CODED(point) ((point) >> 20)
#define WM_ACCESS_USED(point) ((point)&0xfffff)

#define WM_ACCESS_SIZES_AT                                                     \
	(WM_ACCESS_HEAD +                                                      \
	 (size_t)WM_ACCESS_HOMES * sizeof(struct wm_access_spot))
/* By the number of a stream: its `count` in the owner's last token about it. */
#define WM_ACCESS_SEEN_AT (WM_ACCESS_SIZES_AT + 8ul * WM_ACCESS_HOMES)
#define WM_ACCESS_TOKENS_AT (WM_ACCESS_SEEN_AT + 8ul * WMA_SEEN_STREAMS)
#define WM_ACCESS_MAPPED (WM_ACCESS_TOKENS_AT + WM_ACCESS_BYTES + WM_PAGE)

/* Computed, not stored: if a handler forks during a hook, all fields of the
 * child's stream are 0. */
static inline uint8_t *wm_access_tokens(const struct wm_access_stream *s)
{
	return (uint8_t *)(uintptr_t)s + WM_ACCESS_TOKENS_AT;
}

/* The state of this thread: the address of its stream + 1; while a hook is
 * running, the address of the hook's frame; 0 if no stream has begun. */
extern __thread uintptr_t wm_access_self
	__attribute__((tls_model(WM_TLS_MODEL)));
extern bool wm_access_frames;
/* The return addresses of hooks in functions that are recorded
 * (WM_ACCESS_ONLY), as ascending ranges [first, end).  NULL: all functions. */
struct wm_access_only {
	const uint64_t (*run)[2];
	size_t count;
};
extern const struct wm_access_only *wm_access_only;
/* Finds the functions in the program's symbols, once in a process, and stores
 * them in wm_access_only.  Functions that do not exist are reported at the end
 * of the run.  Returns false if another thread is doing this.  Signals are
 * blocked, and the caller is on a stack of ours. */
bool wm_hooked_functions_read(void) wm_hidden;
extern struct wm_access_stream wm_access_none;

/* The program's wish for all its threads (hooked_threads.c), and the value of
 * this wish when the thread asked whether it is recorded.  If the two differ,
 * the thread asks again at its next access. */
#define WM_ACCESS_WISH_ON 1u
#define WM_ACCESS_WISH_SAID 2u /* else only WM_ACCESS counts */
#define WM_ACCESS_WISH_COUNT 4u /* number of wishes for all threads */
/* above these 32 bits: how often bursts began and ended */
#define WM_ACCESS_WISH_BURST ((uint64_t)1 << 32)
#define WM_ACCESS_ASK 1u /* no wish has this value */
extern _Atomic uint64_t wm_access_wish;
extern __thread uint64_t wm_access_asked
	__attribute__((tls_model(WM_TLS_MODEL)));

static inline bool wm_access_asks(void)
{
	return wm_access_asked !=
	       atomic_load_explicit(&wm_access_wish, memory_order_relaxed);
}

/* Returns this thread's stream, which is made when it is needed, or which was
 * stopped.  Returns NULL if nothing is recorded at this moment, or until the
 * next wish; in the latter case wm_access_self is set accordingly. */
struct wm_access_stream *wm_access_begin(void);
/* Called when the rank is known, or has changed (WM_ACCESS_RANKS). */
void wm_access_rank_known(void) wm_hidden;
/* Returns the stream of @slot, emptied for the slot's owner, or NULL if there
 * is no memory.  @on is WM_ACCESS_ON or WM_ACCESS_STOPPED. */
struct wm_access_stream *wm_access_stream_begin(struct wm_slot *slot,
						uint32_t on) wm_hidden;
void wm_access_forget(struct wm_access_stream *s);
/* Makes the owner of @s, another thread, see soon that `on` was changed, even
 * in a loop in which all accesses are as predicted. */
void wm_access_reach(struct wm_access_stream *s) wm_hidden;
/* Makes a block of the stream and empties the stream.  Accesses of a block that
 * cannot be written are counted as lost.  Returns false if no later block can
 * be written either.  The caller is the owner, or the owner has ended. */
bool wm_access_flush(struct wm_access_stream *s);
void wm_access_write_out(struct wm_access_stream *s) wm_hidden;
/* Counts an access without a stream as lost, even before the start. */
void wm_access_lose(void);
/* Returns a lower bound of the number of the process's accesses that are in no
 * block.  A thread that can have no stream counts as one access. */
uint64_t wm_access_lost(void) wm_hidden;
void wm_access_lost_tell(void) wm_hidden;

/* Called by the owner after an event: makes its next access a miss, which
 * records that there was an event. */
static inline void wm_access_event(struct wm_access_stream *s)
{
	if (s->cur) {
		s->held = s->cur;
		atomic_signal_fence(memory_order_seq_cst);
		s->cur = 0;
	}
}

/* Called after an event of @slot, the calling thread's slot: records how many
 * accesses each stream has by now.  These are before the event, all others
 * after it (docs/trace-format.md, 6.11). */
void wm_access_note(struct wm_slot *slot) wm_hidden;
