/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/accesses.h"

#include <string.h>

#include "wm/varint.h"

#include "runtime/base/depth.h"
#include "runtime/base/on_stack.h"
#include "runtime/base/pool.h"
#include "runtime/base/sys.h"
#include "runtime/trace/blocks.h"
#include "runtime/trace/writer.h"

__thread uintptr_t wm_access_self __attribute__((tls_model(WM_TLS_MODEL)));
__thread uint64_t wm_access_asked __attribute__((tls_model(WM_TLS_MODEL)));
struct wm_access_stream wm_access_none;
bool wm_access_frames;
const struct wm_access_only *wm_access_only;
_Atomic uint64_t wm_access_wish;

static void publish(struct wm_access_stream *s)
{
	struct wm_access_stream *first = atomic_load(&wm_state->streams);

	do {
		s->next = first;
		s->number = first ? first->number + 1 : 0;
	} while (!atomic_compare_exchange_weak(&wm_state->streams, &first, s));
}

static struct wm_access_stream *make_stream(void)
{
	struct wm_access_stream *s = wm_pool_map(WM_ACCESS_MAPPED);

	/* A child would continue with the contents of its parent. */
	if (s && !wm_pool_wipe(s, WM_ACCESS_MAPPED)) {
		wm_pool_unmap(s, WM_ACCESS_MAPPED);
		s = NULL;
	}
	return s;
}

/* memset clears locked pages, which the kernel does not discard. */
void wm_access_forget(struct wm_access_stream *s)
{
	char *spots = (char *)s + WM_ACCESS_HEAD;
	size_t n = WM_ACCESS_TOKENS_AT - WM_ACCESS_HEAD;

	if (WM_SYS3(SYS_madvise, spots, n, 4 /* MADV_DONTNEED */))
		memset(spots, 0, n);
	s->cur = s->held = s->pc = 0;
	s->spots = s->left_out = 0;
}

#define REACH 256

/* Clears `next`, which costs only a miss.  So it does no harm if the owner is
 * at another spot by now, or writes `next` at the same time.  Begins at the
 * last spot, which may be before the loop. */
void wm_access_reach(struct wm_access_stream *s)
{
	uint64_t at = *(const volatile uint64_t *)&s->cur;

	for (int i = 0; at && i < REACH; i++) {
		struct wm_access_spot *spot = (void *)((char *)s + at);

		/* after `on`: an owner that misses here sees the new `on` */
		__atomic_store_n(&spot->next, 0, __ATOMIC_RELEASE);
		at = *(const volatile uint32_t *)&spot->next_at;
	}
}

/* Clears the data of the previous owner.  `count` never decreases. */
static void clear_stream(struct wm_access_stream *s)
{
	wm_access_forget(s);
	s->lost_first = s->lost_written = s->lost;
	s->events = s->events_written = s->noted_at = 0;
	memset(s->told, 0, sizeof(s->told));
	s->first = s->written = s->count;
	atomic_store(&s->point, WM_ACCESS_POINT(s->count, 0));
}

struct wm_access_stream *wm_access_stream_begin(struct wm_slot *slot,
						uint32_t on)
{
	struct wm_access_stream *s = slot->accesses;

	if (s) {
		clear_stream(s);
	} else {
		s = make_stream();
		if (!s)
			return NULL;
		publish(s);
	}
	s->slot = slot;
	s->thread = slot->thread;
	slot->accesses = s;
	atomic_fetch_or(&wm_slow_reasons, WM_SLOW_ACCESSES);
	wm_access_lost(); /* A child counts its own. */
	/* last: a thread that writes the stream out finds it complete */
	atomic_store_explicit(&s->on, on, memory_order_release);
	return s;
}

static uint8_t *put_run(uint8_t *p, uint64_t run)
{
	if (!run)
		return p;
	if (run < WMA_RUN_MORE) {
		*p++ = (uint8_t)(WMA_SPECIAL | run << WMA_RUN_SHIFT);
	} else {
		*p++ = (uint8_t)(WMA_SPECIAL | WMA_RUN_MORE << WMA_RUN_SHIFT);
		p = wm_varint_put(p, run - WMA_RUN_MORE);
	}
	*p++ = WMA_NOTHING;
	return p;
}

struct moment {
	struct wm_access_block block;
	uint8_t rest[2 + WM_VARINT_MAX];
};

static void take_moment(const struct wm_access_stream *s, struct moment *m)
{
	struct wm_access_block *b = &m->block;
	uint64_t point, count;

	/* A token written between the loads would be missing before the run. */
	do {
		point = atomic_load_explicit(&s->point, memory_order_acquire);
		count = *(const volatile uint64_t *)&s->count;
		atomic_thread_fence(memory_order_acquire);
	} while (atomic_load_explicit(&s->point, memory_order_relaxed) !=
		 point);
	/* The token of the access that was counted last may be missing. */
	if (count < WM_ACCESS_CODED(point))
		count = WM_ACCESS_CODED(point);
	b->thread = s->thread;
	b->tid = (uint64_t)s->slot->tid;
	b->stream = s->number;
	b->base = s->first;
	b->first = s->written - s->first;
	b->count = count - s->written;
	b->lost = s->lost - s->lost_first;
	b->p = wm_access_tokens(s);
	b->bytes = WM_ACCESS_USED(point);
	b->rest = m->rest;
	b->rest_bytes = (size_t)(put_run(m->rest,
					 count - WM_ACCESS_CODED(point)) -
				 m->rest);
}

static bool has_contents(const struct wm_access_stream *s,
			 const struct wm_access_block *b)
{
	return b->bytes || b->rest_bytes || s->lost != s->lost_written;
}

struct write_call {
	struct wm_access_stream *s;
	bool ok;
};

/* Empties @s.  If other blocks may be written, the stream continues without the
 * accesses of its last block, which have no number in the thread. */
static void refuse(struct wm_access_stream *s, uint64_t accesses)
{
	static const uint8_t anew[] = { WMA_SPECIAL, WMA_GAP, WMA_SPECIAL,
					WMA_RESET };

	s->lost += accesses;
	s->first += accesses;
	s->events = s->events_written;
	wm_access_forget(s);
	if (atomic_load(&wm_state->tracing) == WM_TRACING_ON) {
		memcpy(wm_access_tokens(s), anew, sizeof(anew));
		atomic_store(&s->point,
			     WM_ACCESS_POINT(s->written, sizeof(anew)));
	} else {
		atomic_store(&s->on, WM_ACCESS_REFUSED);
	}
	wm_access_lost_tell();
}

/* Under the writer lock, because the thread that ends the process may be
 * writing the same tokens. */
static void empty_stream(void *arg)
{
	struct write_call *c = arg;
	struct wm_access_stream *s = c->s;
	uint64_t lost = s->lost;
	struct moment m;
	bool written;

	if (!atomic_load(&s->on) || wm_forked(wm_state))
		return;
	/* The stream began after the end: none of its accesses is lost. */
	if (atomic_load(&wm_state->tracing) == WM_TRACING_ENDED) {
		atomic_store(&s->on, WM_ACCESS_ENDED);
		return;
	}
	take_moment(s, &m);
	written = !has_contents(s, &m.block) || !wm_writer_accesses(&m.block);
	s->written += m.block.count;
	atomic_store(&s->point, WM_ACCESS_POINT(s->written, 0));
	if (written) {
		s->lost_written = lost;
		s->events_written = s->events;
	} else {
		refuse(s, m.block.count);
	}
	c->ok = atomic_load(&s->on) != WM_ACCESS_REFUSED;
}

static void flush_on(void *arg)
{
	const struct write_call *c = arg;

	if (atomic_load(&c->s->on) && !wm_forked(wm_state))
		wm_writer_call(empty_stream, arg);
}

bool wm_access_flush(struct wm_access_stream *s)
{
	struct write_call c = { s, false };
	uintptr_t depth = wm_depth;

	if (!depth)
		wm_depth = (uintptr_t)wm_frame();
	wm_aside(flush_on, &c);
	wm_depth = depth;
	return c.ok;
}

/* Writes the stream out and ends it, so that the owner, which may be running,
 * does not write the same accesses. */
static void write_out(void *arg)
{
	struct wm_access_stream *s = arg;
	struct moment m;

	if (!atomic_load(&s->on))
		return;
	take_moment(s, &m);
	atomic_store(&s->on, WM_ACCESS_ENDED);
	if (has_contents(s, &m.block) && wm_writer_accesses(&m.block))
		s->lost += m.block.count;
}

void wm_access_write_out(struct wm_access_stream *s)
{
	if (s && atomic_load_explicit(&s->on, memory_order_acquire))
		wm_writer_call(write_out, s);
}
