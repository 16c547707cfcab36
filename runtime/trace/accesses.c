/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/accesses.h"

#include "wm/access_format.h"
#include "wm/varint.h"

#include "runtime/base/on_stack.h"
#include "runtime/base/pool.h"
#include "runtime/base/sys.h"
#include "runtime/trace/blocks.h"
#include "runtime/trace/writer.h"

__thread uintptr_t wm_access_self __attribute__((tls_model("initial-exec")));
__thread uint32_t wm_access_asked __attribute__((tls_model("initial-exec")));
struct wm_access_stream wm_access_none;
_Atomic uint32_t wm_access_wish;

static struct wm_access_stream *make_stream(void)
{
	struct wm_access_stream *s = wm_pool_map(WM_ACCESS_MAPPED);

	/* a child would go on with what it has of its parent's */
	if (s && !wm_pool_wipe(s, WM_ACCESS_MAPPED)) {
		wm_pool_unmap(s, WM_ACCESS_MAPPED);
		s = NULL;
	}
	return s;
}

struct wm_access_stream *wm_access_stream_begin(struct wm_slot *slot)
{
	struct wm_access_stream *s = slot->accesses;

	if (s)
		/* all zero, but for the tokens */
		WM_SYS3(SYS_madvise, s, WM_ACCESS_TOKENS_AT,
			4 /* MADV_DONTNEED */);
	else
		s = make_stream();
	if (!s)
		return NULL;
	s->base = (uint8_t *)s + WM_ACCESS_TOKENS_AT;
	s->slot = slot;
	slot->accesses = s;
	atomic_fetch_or(&wm_slow_reasons, WM_SLOW_ACCESSES);
	/* last: who writes it out finds it whole */
	atomic_store_explicit(&s->on, WM_ACCESS_ON, memory_order_release);
	return s;
}

/* A token with the accesses that none has yet. */
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

/* What the stream holds at @point, and @run accesses behind it. */
struct moment {
	struct wm_access_block block;
	uint8_t rest[2 + WM_VARINT_MAX];
};

static void take_moment(const struct wm_access_stream *s, struct moment *m)
{
	struct wm_access_block *b = &m->block;
	uint64_t point, count;

	/* `count` goes on; a token that comes meanwhile would be left out of
	 * the run */
	do {
		point = atomic_load_explicit(&s->point, memory_order_acquire);
		count = *(const volatile uint64_t *)&s->count;
		atomic_thread_fence(memory_order_acquire);
	} while (atomic_load_explicit(&s->point, memory_order_relaxed) !=
		 point);
	/* the token of the access that was counted last may be missing */
	if (count < WM_ACCESS_CODED(point))
		count = WM_ACCESS_CODED(point);
	b->thread = s->slot->thread;
	b->tid = (uint64_t)s->slot->tid;
	b->first = s->written;
	b->count = count - s->written;
	b->lost = s->lost;
	b->p = s->base;
	b->bytes = WM_ACCESS_USED(point);
	b->rest = m->rest;
	b->rest_bytes = (size_t)(put_run(m->rest,
					 count - WM_ACCESS_CODED(point)) -
				 m->rest);
}

static bool has_contents(const struct wm_access_stream *s,
			 const struct wm_access_block *b)
{
	return b->bytes || b->rest_bytes || b->lost != s->lost_written;
}

struct write_call {
	struct wm_access_stream *s;
	bool ok;
};

static void flush_on(void *arg)
{
	struct write_call *c = arg;
	struct wm_access_stream *s = c->s;
	struct moment m;

	if (!atomic_load(&s->on) || wm_forked(wm_state))
		return;
	take_moment(s, &m);
	c->ok = !has_contents(s, &m.block) || !wm_writer_accesses(&m.block);
	s->lost_written = s->lost;
	s->written += m.block.count;
	atomic_store(&s->point, WM_ACCESS_POINT(s->written, 0));
	if (!c->ok) {
		s->lost += m.block.count;
		atomic_store(&s->on, WM_ACCESS_ENDED);
	}
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

void wm_access_write_out(struct wm_access_stream *s)
{
	struct moment m;

	if (!s || !atomic_load_explicit(&s->on, memory_order_acquire))
		return;
	take_moment(s, &m);
	if (has_contents(s, &m.block))
		wm_writer_accesses(&m.block);
	atomic_store(&s->on, WM_ACCESS_ENDED);
}
