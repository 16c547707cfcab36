/* SPDX-License-Identifier: Apache-2.0 */
/* Live bytes by thread and call path: the peak of each thread's blocks, and the
 * memory of each thread at the peak of the rank (epoch method, pass_heap.c).  A
 * release does not show to which thread the block belongs, so the pass has
 * tables of live addresses.  If a part of a mapping is removed, the rest still
 * belongs to the thread of the mapping.  Beyond MOST_HOLDS pairs of thread and
 * path, further paths count for WM_THREAD_OTHERS. */
#include "analyze/lib/replay/pass.h"

#include <stdlib.h>

#include "analyze/lib/base/index.h"
#include "analyze/lib/base/vec.h"
#include "analyze/passes/moment.h"
#include "analyze/passes/rank.h"
#include "analyze/passes/thread_starts.h"
#include "analyze/lib/trace/live.h"
#include "analyze/lib/trace/reader.h"
#include "wm/search.h"

#define MOST_HOLDS ((size_t)1 << 20) /* 64 MiB with the index */
#define MOST_STACKS ((size_t)1 << 18) /* 8 MiB */
#define LONG_AGO_NS                                                            \
	10000000000ull /* longer than any call that creates a thread */

struct thread_state {
	uint64_t live, peak, peak_time, last;
	uint64_t allocations, bytes, freed_by_others;
	uint32_t path;
	bool has_path;
};

struct hold_state {
	uint32_t thread, path;
	uint64_t live, saved, epoch;
	uint32_t blocks, saved_blocks;
};

struct threads {
	const struct wm_trace *trace;
	struct thread_state *thread;
	struct hold_state *hold;
	size_t holds, hold_cap;
	struct wm_index index; /* of holds */
	/* owners by address: of blocks, of MPI's blocks, of ranges */
	struct wm_live owner[3];
	uint32_t acting; /* the thread of the present changes */
	uint32_t cut; /* owner of the range removed last */
	uint64_t live, peak, epoch;
	struct wm_thread_stack *stack; /* of threads */
	size_t stacks, stack_cap;
	struct wm_moment_wish wish; /* --at */
	bool at_time; /* false: the peak */
	struct wm_moment_span span; /* of the moment */
	bool asked; /* the moment is over, or the peak is asked for */
};

static void threads_wish(void *state, const struct wm_wish *wish)
{
	struct threads *s = state;

	s->at_time = wish->needs & WM_NEEDS(moment);
	s->wish = wish->moment;
}

static enum wm_status threads_init(void *state, const struct wm_trace *t,
				   struct wm_err *err)
{
	struct threads *s = state;

	s->trace = t;
	s->span = wm_moment_span(t, &s->wish);
	s->asked = !s->at_time;
	if (s->asked)
		s->span = (struct wm_moment_span){ .to = UINT64_MAX };
	s->thread = calloc(t->thread_count + 1, sizeof(*s->thread));
	for (int i = 0; i < 3; i++)
		if (!s->thread || wm_live_init(&s->owner[i]))
			return wm_no_memory(err, "threads");
	return WM_OK;
}

static struct wm_live *owners_of(struct threads *s, uint8_t family)
{
	return &s->owner[family == WM_FAMILY_heap ? 0 :
			 family == WM_FAMILY_mpi  ? 1 :
						    2];
}

static uint32_t take_owner(struct threads *s, const struct wm_changes *c,
			   size_t i)
{
	struct wm_live *l = owners_of(s, c->family[i]);
	struct wm_live_slot *slot = wm_live_find(l, c->addr[i]);
	uint32_t owner = slot->addr ? slot->path : s->acting;

	if (slot->addr)
		wm_live_erase(l, slot);
	if (l == &s->owner[2])
		s->cut = owner;
	return owner;
}

/* Returns whether the block is the rest of an older mapping. */
static bool is_rest(const struct wm_changes *c, size_t i)
{
	return (c->family[i] == WM_FAMILY_mapped ||
		c->family[i] == WM_FAMILY_shm) &&
	       c->alloc_time[i] != c->time[i];
}

static enum wm_status put_owner(struct threads *s, const struct wm_changes *c,
				size_t i, uint32_t owner, struct wm_err *err)
{
	struct wm_live *l = owners_of(s, c->family[i]);
	struct wm_live_slot *slot;

	if (wm_live_reserve(l, 1))
		return wm_no_memory(err, "live blocks");
	slot = wm_live_find(l, c->addr[i]);
	if (slot->addr)
		slot->path = owner;
	else
		wm_live_put(l, slot, c->addr[i], 0, owner); /* never big */
	return WM_OK;
}

static struct hold_state *find_hold(struct threads *s, uint32_t thread,
				    uint32_t path)
{
	uint32_t hash = wm_index_hash((uint64_t)thread << 32 | path);
	struct wm_index_slot *x;
	struct hold_state *h;

	if (wm_index_room(&s->index))
		return NULL;
	WM_INDEX_EACH(x, &s->index, hash) {
		h = &s->hold[x->number - 1];
		if (h->thread == thread && h->path == path)
			return h;
	}
	if (s->holds >= MOST_HOLDS && thread != WM_THREAD_OTHERS)
		return find_hold(s, WM_THREAD_OTHERS, path);
	h = WM_MORE(s->hold, s->hold_cap, s->holds);
	if (!h)
		return NULL;
	h->thread = thread;
	h->path = path;
	wm_index_put(&s->index, x, hash, s->holds++);
	return h;
}

static enum wm_status change_hold(struct threads *s, uint32_t owner,
				  uint32_t who, uint64_t bytes,
				  struct wm_err *err)
{
	struct hold_state *h = find_hold(s, owner, who & ~WM_RELEASE);
	bool goes = (who & WM_RELEASE) != 0;

	if (!h)
		return wm_no_memory(err, "threads");
	if (h->epoch != s->epoch) {
		h->epoch = s->epoch;
		h->saved = h->live;
		h->saved_blocks = h->blocks;
	}
	h->live += goes ? -bytes : bytes;
	h->blocks += goes ? -1u : 1u;
	return WM_OK;
}

static void change_thread(struct threads *s, const struct wm_changes *c,
			  size_t i, uint32_t owner, bool goes)
{
	struct thread_state *t = &s->thread[owner];
	uint32_t path = c->who[i] & ~WM_RELEASE;

	if (goes) {
		t->live -= c->bytes[i];
		t->freed_by_others += owner != s->acting;
		return;
	}
	t->live += c->bytes[i];
	if (t->live > t->peak) {
		t->peak = t->live;
		t->peak_time = c->time[i];
	}
	if (is_rest(c, i))
		return;
	t->allocations++;
	t->bytes += c->bytes[i];
	if (!t->has_path && s->trace->paths.leaf[path]) {
		t->has_path = true;
		t->path = path;
	}
}

/* Threads have no creators if there are more than MOST_STACKS stacks. */
static enum wm_status take_stack(struct threads *s, const struct wm_changes *c,
				 size_t i, struct wm_err *err)
{
	struct wm_thread_stack *x;

	/* the rest of a removed stack is no stack */
	if (c->alloc_time[i] != c->time[i] || s->stacks == MOST_STACKS)
		return WM_OK;
	x = WM_MORE(s->stack, s->stack_cap, s->stacks);
	if (!x)
		return wm_no_memory(err, "threads");
	*x = (struct wm_thread_stack){ c->addr[i], c->addr[i] + c->bytes[i],
				       c->time[i], c->who[i] };
	s->stacks++;
	return WM_OK;
}

/* Called after all changes up to the moment that was asked for. */
static void note_asked(struct threads *s)
{
	s->asked = true;
	if (s->live > s->peak || !s->epoch) {
		s->peak = s->live;
		s->epoch++;
	}
}

static enum wm_status take_change(struct threads *s, const struct wm_changes *c,
				  size_t i, struct wm_err *err)
{
	bool goes = (c->who[i] & WM_RELEASE) != 0;
	uint32_t owner = s->acting;
	enum wm_status r = WM_OK;

	if (c->time[i] > s->thread[owner].last)
		s->thread[owner].last = c->time[i];
	if (!wm_family_in_peak[c->family[i]])
		return goes ? WM_OK : take_stack(s, c, i, err);
	if (goes)
		owner = take_owner(s, c, i);
	else if (is_rest(c, i))
		owner = s->cut;
	if (!goes)
		r = put_owner(s, c, i, owner, err);
	if (!s->asked && c->time[i] > s->span.at)
		note_asked(s);
	change_thread(s, c, i, owner, goes);
	if (!r)
		r = change_hold(s, owner, c->who[i], c->bytes[i], err);
	s->live += goes ? -c->bytes[i] : c->bytes[i];
	if (s->live > s->peak && !goes && c->time[i] >= s->span.from &&
	    c->time[i] <= s->span.to) {
		s->peak = s->live;
		s->epoch++;
	}
	return r;
}

static enum wm_status threads_take(void *state, const struct wm_changes *c,
				   struct wm_err *err)
{
	struct threads *s = state;
	const struct wm_trace *t = s->trace;
	enum wm_status r = WM_OK;
	size_t turn = 0;

	for (size_t i = 0; i < c->count && !r; i++) {
		for (; turn < c->turns && c->turn[turn].at <= i; turn++) {
			size_t n = WM_FIRST(k, t->thread_count,
					    t->threads[k].number >
						    c->turn[turn].thread);

			s->acting = n ? (uint32_t)n - 1 : 0;
		}
		r = take_change(s, c, i, err);
	}
	return r;
}

static int by_path(const void *a, const void *b)
{
	const struct wm_thread_hold *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->path, y->path),
		       WM_ORDER(x->thread, y->thread));
}

static enum wm_status put_holds(struct threads *s, struct wm_threads *to,
				struct wm_err *err)
{
	to->hold = calloc(s->holds + 1, sizeof(*to->hold));
	if (!to->hold)
		return wm_no_memory(err, "threads");
	for (size_t i = 0; i < s->holds; i++) {
		const struct hold_state *h = &s->hold[i];
		bool changed = h->epoch == s->epoch;
		struct wm_thread_hold hold = {
			.thread = h->thread,
			.path = h->path,
			.peak_bytes = changed ? h->saved : h->live,
			.peak_blocks = changed ? h->saved_blocks : h->blocks,
			.end_bytes = h->live,
			.end_blocks = h->blocks,
		};

		if (hold.peak_blocks || hold.end_blocks)
			to->hold[to->holds++] = hold;
	}
	WM_SORT(to->hold, to->holds, by_path);
	return WM_OK;
}

/* Returns whether the program is static and so contains the code that starts
 * threads.  Static programs get stacks from mmap, and do not record a stack's
 * reuse. */
static bool is_static(const struct wm_paths *p, uint32_t path)
{
	uint32_t node = p->leaf[path];

	while (p->nodes[node].parent)
		node = p->nodes[node].parent;
	return p->nodes[node].module == WM_NO_MODULE ||
	       p->modules[p->nodes[node].module].main;
}

static enum wm_status put_creators(struct threads *s, struct wm_threads *to,
				   struct wm_err *err)
{
	const struct wm_trace *t = s->trace;
	struct wm_thread_born *born = calloc(to->count + 1, sizeof(*born));
	size_t n = 0, i;

	if (!born)
		return wm_no_memory(err, "threads");
	for (i = 0; i < to->count && s->stacks < MOST_STACKS; i++) {
		const struct wm_trace_thread *th = &t->threads[i];

		if (th->at && !to->thread[i].main && to->thread[i].has_path &&
		    !is_static(&t->paths, to->thread[i].path))
			born[n++] = (struct wm_thread_born){
				.at = th->at,
				.first = t->blocks[th->first].first,
				.index = (uint32_t)i,
			};
	}
	wm_thread_starts_find(born, n, s->stack, s->stacks,
			      wm_trace_ticks(t, LONG_AGO_NS));
	for (i = 0; i < n; i++) {
		to->thread[born[i].index].has_creator = born[i].found;
		to->thread[born[i].index].creator = born[i].path;
	}
	free(born);
	return WM_OK;
}

static enum wm_status threads_finish(void *state, const struct wm_trace *t,
				     struct wm_rank *rank, struct wm_err *err)
{
	struct threads *s = state;
	struct wm_threads *to = &rank->by_thread;

	/* the moment is later than all changes */
	if (!s->asked)
		note_asked(s);
	to->thread = calloc(t->thread_count + 1, sizeof(*to->thread));
	if (!to->thread)
		return wm_no_memory(err, "threads");
	to->count = t->thread_count;
	for (size_t i = 0; i < to->count; i++) {
		const struct wm_trace_thread *th = &t->threads[i];
		const struct thread_state *m = &s->thread[i];
		uint64_t first = t->blocks[th->first].first;

		to->thread[i] = (struct wm_thread_use){
			.number = th->number,
			.tid = th->tid,
			.main = th->tid ? th->tid == t->pid : !th->number,
			.path = m->path,
			.has_path = m->has_path,
			.peak_bytes = m->peak,
			.peak_seconds =
				m->peak ? wm_trace_seconds(t, m->peak_time) : 0,
			.from = wm_trace_seconds(t, first),
			.to = wm_trace_seconds(t, m->last > first ? m->last :
								    first),
			.allocations = m->allocations,
			.bytes = m->bytes,
			.freed_by_others = m->freed_by_others,
		};
	}
	s->trace = t;
	return put_creators(s, to, err) ? WM_NO_MEMORY : put_holds(s, to, err);
}

static void threads_release(void *state)
{
	struct threads *s = state;

	for (int i = 0; i < 3; i++)
		wm_live_release(&s->owner[i]);
	wm_index_release(&s->index);
	free(s->stack);
	free(s->hold);
	free(s->thread);
}

const struct wm_pass_ops wm_pass_threads = {
	.name = "threads",
	.state_size = sizeof(struct threads),
	.alloc_times = true,
	.addresses = true,
	.wish = threads_wish,
	.init = threads_init,
	.take = threads_take,
	.finish = threads_finish,
	.release = threads_release,
};
