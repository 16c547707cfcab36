/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When what goes, and what is left, was allocated: random events of three
 * threads.  Every event that allocates has a call path of its own, so that it
 * is known of each change which event it comes from.
 */
#include "analyze/lib/replay/replay.h"

#include <inttypes.h>
#include <string.h>

#include "tests/unit/random.h"
#include "tests/unit/tap.h"

#define THREADS 3
#define BLOCKS 60
#define PAGES 32
#define PAGE 4096u
#define STEPS 40000

/* By call path: time of its event, and bytes that are alive. */
static struct {
	uint64_t time, bytes, left;
	uint8_t family;
} path[2 * STEPS];
static uint32_t paths = 1;

static struct {
	uint32_t path; /* 0: free */
	uint64_t size;
	int mpi;
} block[BLOCKS];

static struct {
	struct wm_slice slice;
	struct wm_feed feed;
	int realloc_of; /* block + 1, in the hands of realloc */
	int remap; /* mremap has begun */
} thread[THREADS];

/* The expected next release; 0: not known, it is of a range. */
static uint32_t wanted[8];
static unsigned want_first, want_last;
static unsigned wrong, releases, named;
static uint64_t now = 1000;

enum wm_status wm_passes_take(struct wm_passes *p, const struct wm_changes *c,
			      struct wm_err *err)
{
	size_t i;

	(void)p;
	(void)err;
	for (i = 0; i < c->count; i++) {
		uint32_t k = c->who[i] & ~WM_RELEASE;

		path[k].family = c->family[i];
		if (!(c->who[i] & WM_RELEASE)) {
			path[k].bytes += c->bytes[i];
			continue;
		}
		releases++;
		path[k].bytes -= c->bytes[i];
		wrong += c->alloc_time[i] != path[k].time;
		if (c->family[i] == WM_FAMILY_heap ||
		    c->family[i] == WM_FAMILY_mpi)
			wrong += want_first == want_last ||
				 wanted[want_first++] != k || path[k].bytes;
	}
	return WM_OK;
}

void wm_passes_left(struct wm_passes *p, enum wm_family family, uint32_t k,
		    uint64_t bytes, uint64_t alloc_time)
{
	(void)p;
	path[k].left += bytes;
	wrong += alloc_time != path[k].time || family != path[k].family;
}

/* One event of thread @t is replayed at once. */
static int play(struct wm_replay *r, unsigned t, uint8_t kind, uint64_t addr,
		uint64_t size)
{
	const struct wm_operands *has = &wm_operands[kind];
	struct wm_slice *s = &thread[t].slice;
	struct wm_feed *f = &thread[t].feed;
	struct wm_pending pending = f->pending;
	bool remaps = f->remaps;
	struct wm_err err;

	now += one_of(3);
	*s = (struct wm_slice){ .events = 1,
				.kind = { kind },
				.time = { now },
				.size = { size },
				.extra = { size },
				.new_addr = { addr },
				.old_addr = { addr } };
	if (has->stack) {
		s->path[0] = paths;
		path[paths++].time = now;
	}
	*f = (struct wm_feed){
		.slice = s, .alone = 1, .pending = pending, .remaps = remaps
	};
	want_first = 0;
	if (wm_replay_events(r, f, 1, &err) != WM_STEP_DONE ||
	    wm_replay_flush(r, &err))
		return -1;
	wrong += want_first != want_last;
	want_last = 0;
	return 0;
}

static uint64_t address(int k)
{
	return 0x10000 + (uint64_t)k * (k & 1 ? 16 : 4096);
}

static uint64_t some_size(void)
{
	return one_of(20) ? one_of(5000) : UINT32_MAX + (uint64_t)one_of(1000);
}

/* realloc to another place, to none, or a failure. */
static int end_realloc(struct wm_replay *r, unsigned t, int k)
{
	int old = thread[t].realloc_of - 1;
	unsigned how = one_of(6);

	thread[t].realloc_of = 0;
	if (how == 0)
		return play(r, t, WMT_EV_FAILED, 0, 100);
	wanted[want_last++] = block[old].path;
	block[old].path = 0;
	if (how == 1)
		return play(r, t, WMT_EV_REALLOC_GONE, 0, 0);
	if (block[k].path)
		k = old;
	block[k].path = paths;
	block[k].mpi = 0;
	block[k].size = some_size();
	return play(r, t, WMT_EV_REALLOC_IN, address(k), block[k].size);
}

static int is_held(int k)
{
	return thread[0].realloc_of == k + 1 || thread[1].realloc_of == k + 1 ||
	       thread[2].realloc_of == k + 1;
}

static int one_block(struct wm_replay *r, unsigned t)
{
	static const uint8_t fresh[] = { WMT_EV_MALLOC, WMT_EV_NEW,
					 WMT_EV_CALLOC, WMT_EV_MPI_ALLOC };
	int k = (int)one_of(BLOCKS);
	unsigned how = one_of(4);

	if (thread[t].realloc_of)
		return end_realloc(r, t, k);
	if (is_held(k))
		return 0;
	if (!block[k].path) {
		block[k].path = paths;
		block[k].mpi = fresh[how] == WMT_EV_MPI_ALLOC;
		block[k].size = some_size();
		return play(r, t, fresh[how], address(k), block[k].size);
	}
	if (how == 0 && !block[k].mpi) {
		thread[t].realloc_of = k + 1;
		return play(r, t, WMT_EV_REALLOC_OUT, address(k), 0);
	}
	if (how == 1) {
		named++;
		return play(r, t, WMT_EV_NAME, address(k), 1 + one_of(9));
	}
	wanted[want_last++] = block[k].path;
	block[k].path = 0;
	return play(r, t, block[k].mpi ? WMT_EV_MPI_FREE : WMT_EV_FREE,
		    address(k), 0);
}

static int one_range(struct wm_replay *r, unsigned t)
{
	static const uint8_t kind[] = {
		WMT_EV_MAP,	     WMT_EV_SHM,   WMT_EV_UNMAP,
		WMT_EV_THREAD_STACK, WMT_EV_UNMAP, WMT_EV_NAME,
		WMT_EV_REMAP_OUT,
	};
	unsigned pages = 1 + one_of(6), how = one_of(7);
	uint64_t addr = 0x10000000 + (uint64_t)one_of(PAGES - pages) * PAGE;

	if (thread[t].remap) {
		thread[t].remap = 0;
		return play(r, t, how ? WMT_EV_REMAP_IN : WMT_EV_FAILED, addr,
			    pages * PAGE);
	}
	thread[t].remap = kind[how] == WMT_EV_REMAP_OUT;
	return play(r, t, kind[how], addr,
		    kind[how] == WMT_EV_NAME ? how : pages * PAGE);
}

static const struct wm_trace no_trace;

int main(void)
{
	struct wm_passes passes = { .alloc_times = 1 };
	unsigned i, t, bad = 0, missing = 0, left = 0;
	struct wm_replay r;
	struct wm_err err;

	tap_plan(7);
	ok(wm_replay_init(&r, &passes, &no_trace, 0, &err) == WM_OK,
	   "replay begins");
	for (i = 0; i < STEPS && !bad && !wrong; i++) {
		t = one_of(THREADS);
		if (thread[t].realloc_of || (!thread[t].remap && one_of(4)))
			bad = one_block(&r, t) != 0;
		else
			bad = one_range(&r, t) != 0;
	}
	ok(!bad && i == STEPS, "%u events are replayed", i);
	ok(!wrong && releases > STEPS / 4, "%u releases know their birth",
	   releases);
	ok(named > 100, "also of blocks with names");
	thread[2].realloc_of = 0;
	for (i = 0; i < BLOCKS && !thread[2].realloc_of; i++)
		if (!is_held((int)i) && block[i].path && !block[i].mpi) {
			bad |= play(&r, 2, WMT_EV_REALLOC_OUT, address((int)i),
				    0) != 0;
			thread[2].realloc_of = (int)i + 1;
		}
	for (t = 0; t < THREADS; t++)
		bad |= wm_replay_end(&r, &thread[t].feed) != 0;
	ok(!bad && r.halfway_count, "the end comes within a realloc");
	wm_replay_left(&r);
	for (i = 1; i < paths; i++) {
		missing += path[i].left != path[i].bytes;
		left += path[i].left != 0;
	}
	ok(!missing && !wrong && left > 10, "all that is left is told, %u",
	   left);
	ok(r.tally.unknown_free + r.tally.conflicts + r.tally.unpaired == 0,
	   "and nothing was odd: %" PRIu64 " %" PRIu64 " %" PRIu64,
	   r.tally.unknown_free, r.tally.conflicts, r.tally.unpaired);
	wm_replay_release(&r);
	return tap_done();
}
