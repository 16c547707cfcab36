/* SPDX-License-Identifier: Apache-2.0 */
/* Makes tokens of accesses that were not predicted.  A reader of the tokens
 * makes the same predictions (docs/trace-format.md, 6.11).  Runs on the
 * program's stack, and uses little of it. */
#include "runtime/access/access.h"

#include "wm/varint.h"

#include "runtime/base/depth.h"
#include "runtime/base/signal_stack.h"
#include "runtime/trace/access_token.h"

static void put_special(struct wm_access_stream *s, unsigned what,
			uint64_t value)
{
	struct token t = begin_token(s, WMA_SPECIAL);

	*t.p++ = (uint8_t)what;
	if (what == WMA_EVENTS || what == WMA_SIZE)
		t.p = wm_varint_put(t.p, value);
	end_token(s, t);
}

static uint64_t last_of(const struct wm_access_spot *spot)
{
	return spot->expect - spot->stride;
}

static void reset(struct wm_access_stream *s)
{
	put_special(s, WMA_RESET, 0);
	wm_access_forget(s);
}

static struct wm_access_spot *find(struct wm_access_stream *s, uint64_t key,
				   uint64_t *at)
{
	uint64_t here = wm_access_home(key);
	struct wm_access_spot *spot;

	for (;;) {
		spot = wm_access_spot(s, here);
		if (spot->key == key || !spot->key)
			break;
		here += sizeof(*spot);
		if (here == WM_ACCESS_SIZES_AT)
			here = WM_ACCESS_HEAD;
	}
	*at = here;
	return spot;
}

static void begin_spot(struct wm_access_stream *s, struct wm_access_spot *spot,
		       uint64_t key, uint32_t what)
{
	uint64_t pc = WM_ACCESS_PC(key);
	struct token t = begin_token(s, WMA_SPECIAL);

	*t.p++ = WMA_SPOT;
	t.p = wm_varint_put(t.p, wm_zigzag((int64_t)(pc - s->pc)));
	*t.p++ = (uint8_t)what;
	t.p = wm_varint_put(t.p, what >> 8);
	end_token(s, t);
	spot->key = key;
	spot->number = ++s->spots;
	s->pc = pc;
	*wm_access_bytes(s, spot) = what >> 8;
}

/* Whether WM_ACCESS_ONLY leaves out the spot, which then has a home, so that
 * its function is looked up only once, but no number.  Frames are never left
 * out. */
static bool is_left_out(struct wm_access_stream *s, struct wm_access_spot *spot,
			uint64_t key, uint32_t what)
{
	if ((what & WMA_KIND) == WMA_FRAME)
		return false;
	if (!spot->key && !wm_access_is_wanted(WM_ACCESS_PC(key))) {
		spot->key = key;
		s->left_out++;
	}
	return spot->key && !spot->number;
}

static void put_events(struct wm_access_stream *s)
{
	const struct wm_slot *slot = s->slot;
	uint64_t now;

	if (!slot) /* wiped: this is a child that a handler has forked */
		return;
	now = slot->first +
	      (uint64_t)(atomic_load_explicit(&slot->cur,
					      memory_order_relaxed) -
			 slot->base);
	if (now == s->events)
		return;
	put_special(s, WMA_EVENTS, now - s->events);
	s->events = now;
}

/* How the thread came from @from to @to.  Chooses the next prediction for
 * @from. */
static unsigned choose_way(struct wm_access_spot *from, uint32_t at,
			   const struct wm_access_spot *to, uint64_t key)
{
	uint64_t last = last_of(from);
	uint32_t next = from->next_at;
	unsigned way;

	if (next == at) {
		/* wm_access_reach() may have cleared it. */
		from->next = wm_access_home(to->key) == at ? key : 0;
		return WMA_NEXT;
	}
	way = from->other_at == at ? WMA_OTHER : WMA_NUMBER;
	/* twice in a row: the thread has not passed @from in between */
	if (!next ||
	    (way == WMA_OTHER &&
	     (from->stride == WM_ACCESS_NEAR || !from->stride ||
	      (uint32_t)last - from->mark == (uint32_t)from->stride))) {
		from->next_at = at;
		from->other_at = next;
		/* The hot path reads only homes. */
		from->next = wm_access_home(to->key) == at ? key : 0;
	} else {
		from->other_at = at;
	}
	from->mark = (uint32_t)last;
	return way;
}

/* Predicts the spot's next address, after one at @addr. */
static inline void learn(struct wm_access_spot *spot, uint64_t addr,
			 uint64_t before)
{
	uint64_t jump = addr - last_of(spot), near = addr - before;
	uint64_t stride = spot->stride;

	if (wm_unlikely(spot->visits < 2)) {
		stride = spot->visits++ ? jump : 0;
	} else if ((uint32_t)last_of(spot) == spot->missed) {
		if ((uint32_t)jump == spot->jump)
			stride = jump;
		else if (near == (uint64_t)spot->near)
			stride = WM_ACCESS_NEAR;
	}
	spot->jump = (uint32_t)jump;
	spot->missed = (uint32_t)addr;
	/* A distance that does not fit cannot be predicted. */
	spot->near = (int32_t)near;
	if (stride != spot->stride)
		spot->stride = stride;
	spot->expect = addr + stride;
}

static inline void put_access(struct wm_access_stream *s, unsigned way,
			      const struct wm_access_spot *spot, uint64_t jump,
			      bool jumps)
{
	unsigned length = 0, n = jumps ? jump_bytes(jump, &length) : 0;
	struct token t = begin_token(s, way | length << WMA_JUMP_SHIFT);

	if (way == WMA_NUMBER)
		t.p = wm_varint_put(t.p, spot->number);
	/* One store of all eight bytes, for which there is room: stores of the
	 * program that miss the cache delay all later stores. */
	put_eight(t.p, jump);
	t.p += n;
	t.coded++;
	end_token(s, t);
	/* Stored last: take_moment() must not count the access as predicted. */
	s->count = t.coded;
}

static inline void go_on(struct wm_access_stream *s,
			 struct wm_access_spot *spot, uint64_t at,
			 uint64_t addr, uint64_t before, unsigned way,
			 bool sized)
{
	bool as_predicted = spot->visits &&
			    addr == (spot->stride == WM_ACCESS_NEAR ?
					     before + (uint64_t)spot->near :
					     spot->expect);

	s->cur = at;
	if (as_predicted) {
		if (way == WMA_NEXT && sized)
			s->count++;
		else
			put_access(s, way, spot, 0, false);
		spot->expect = addr + spot->stride;
		return;
	}
	put_access(s, way, spot, wm_zigzag((int64_t)(addr - last_of(spot))),
		   true);
	learn(spot, addr, before);
}

static __attribute__((noinline)) void
code(struct wm_access_stream *s, uint64_t addr, uint64_t key, uint32_t what)
{
	uint64_t from_at = s->cur ? s->cur : s->held, at, before;
	struct wm_access_spot *from, *spot;
	bool sized = true;
	unsigned way;

	if (wm_unlikely(s->spots + s->left_out >= WM_ACCESS_SPOTS)) {
		reset(s);
		from_at = 0;
	}
	spot = find(s, key, &at);
	if (wm_unlikely(wm_access_only != NULL) &&
	    is_left_out(s, spot, key, what))
		return;
	if (!s->cur)
		put_events(s);
	if (!spot->key)
		begin_spot(s, spot, key, what);
	from = wm_access_spot(s, from_at);
	if (!(what >> 8)) {
		sized = *wm_access_bytes(s, spot) == s->bytes;
		if (!sized) {
			put_special(s, WMA_SIZE, s->bytes);
			*wm_access_bytes(s, spot) = s->bytes;
		}
	}
	before = from_at ? last_of(from) : 0;
	way = from_at ? choose_way(from, (uint32_t)at, spot, key) : WMA_NUMBER;
	go_on(s, spot, at, addr, before, way, sized);
}

/* Ends the hook: the next access may be on another stack or in another
 * process. */
static void let_go(struct wm_access_stream *s)
{
	atomic_signal_fence(memory_order_seq_cst);
	wm_access_self = (uintptr_t)s + 1;
}

/* The program wants the stream to stop.  The run after the last token has been
 * written before. */
static void stop(struct wm_access_stream *s)
{
	uint32_t on = WM_ACCESS_TO_STOP;

	/* Another thread may be ending the process. */
	if (wm_access_flush(s))
		atomic_compare_exchange_strong(&s->on, &on, WM_ACCESS_STOPPED);
	/* If the program's wish has changed meanwhile, the next access asks. */
	let_go(&wm_access_none);
}

/* Makes all accesses misses, which are counted: nothing can be written any
 * more. */
static void lose(struct wm_access_stream *s, uint64_t key)
{
	s->lost += !wm_access_only || wm_access_is_wanted(WM_ACCESS_PC(key));
	wm_access_event(s);
	let_go(s);
}

/* Stops recording: the stream was wiped in a child, there is no trace any more,
 * or the program wants it. */
static void leave_off(struct wm_access_stream *s, uint64_t key)
{
	if (s == &wm_access_none)
		wm_access_self = 0; /* asks anew */
	else if (atomic_load_explicit(&s->on, memory_order_relaxed) ==
		 WM_ACCESS_TO_STOP)
		stop(s);
	else if (atomic_load_explicit(&s->on, memory_order_relaxed) ==
		 WM_ACCESS_REFUSED)
		lose(s, key);
	else if (s->slot)
		let_go(&wm_access_none);
	else
		wm_access_self = 0; /* begins anew */
}

static __attribute__((noinline)) void code_rest(uint64_t addr, uint64_t key,
						uint32_t what,
						struct wm_access_stream *s)
{
	code(s, addr, key, what);
	if (wm_unlikely(is_full(s)))
		wm_access_flush(s);
	let_go(s);
}

static __attribute__((noinline)) void leave_off_at(uint64_t addr, uint64_t key,
						   uint32_t what,
						   struct wm_access_stream *s)
{
	leave_off(s, key);
	/* The first access of a child, or after wm_access_start(). */
	if (!wm_access_self)
		wm_access_enter(addr, key, what, s->bytes);
}

/* Writes the tokens that put_jump() does not write. */
static __attribute__((noinline)) void go_on_and_go(uint64_t addr, uint64_t at,
						   struct wm_access_stream *s)
{
	go_on(s, wm_access_spot(s, at), at, addr,
	      last_of(wm_access_spot(s, s->cur)), WMA_NEXT, true);
	if (wm_unlikely(is_full(s)))
		wm_access_flush(s);
	let_go(s);
}

/* Whether learn() would change the stride.  @last is the spot's last
 * address. */
static inline bool changes_stride(const struct wm_access_spot *spot,
				  uint64_t last, uint64_t jump, uint64_t near)
{
	return spot->visits < 2 ||
	       ((uint32_t)last == spot->missed &&
		((uint32_t)jump == spot->jump || near == (uint64_t)spot->near));
}

/* Writes the token of a jump after a short run, or returns false. */
static inline bool put_short(struct wm_access_stream *s, uint64_t jump)
{
	uint64_t point = atomic_load_explicit(&s->point, memory_order_relaxed);
	uint64_t run = s->count - WM_ACCESS_CODED(point);
	uint64_t used = WM_ACCESS_USED(point);
	unsigned n = (71 - (unsigned)__builtin_clzll(jump | 1)) / 8;

	if (wm_unlikely(run >= WMA_RUN_MORE || n > 6 || is_full(s)))
		return false;
	put_eight(wm_access_tokens(s) + used,
		  jump << 8 | run << WMA_RUN_SHIFT | n << WMA_JUMP_SHIFT);
	point += WM_ACCESS_POINT(run + 1, n + 1);
	/* pairs with the acquire in take_moment(); `count`: see put_access() */
	atomic_store_explicit(&s->point, point, memory_order_release);
	s->count = WM_ACCESS_CODED(point);
	return true;
}

static __attribute__((noinline)) void put_long(struct wm_access_stream *s,
					       uint64_t jump)
{
	put_access(s, WMA_NEXT, NULL, jump, true);
	if (wm_unlikely(is_full(s)))
		wm_access_flush(s);
	let_go(s);
}

/* Records the most frequent miss: the way is as predicted, but the address is
 * not.  This is go_on() for a short run, a short jump, and the same stride,
 * with few stores and no saved register: its stores wait for stores of the
 * program that miss the cache, and then delay the program. */
static inline void put_jump(uint64_t addr, const struct wm_access_spot *from,
			    uint64_t at, struct wm_access_stream *s)
{
	struct wm_access_spot *spot = wm_access_spot(s, at);
	uint64_t stride = spot->stride, last = spot->expect - stride;
	uint64_t jump = addr - last, near = addr - last_of(from);

	if (stride == WM_ACCESS_NEAR && near == (uint64_t)spot->near) {
		spot->expect = addr + stride;
		s->cur = at;
		s->count++;
		let_go(s);
		return;
	}
	if (wm_unlikely(jump == stride ||
			changes_stride(spot, last, jump, near))) {
		go_on_and_go(addr, at, s);
		return;
	}
	spot->jump = (uint32_t)jump;
	spot->missed = (uint32_t)addr;
	spot->near = (int32_t)near;
	spot->expect = addr + stride;
	s->cur = at;
	/* The code above does not need its registers any more. */
	atomic_signal_fence(memory_order_seq_cst);
	if (wm_likely(put_short(s, wm_zigzag((int64_t)jump))))
		let_go(s);
	else
		put_long(s, wm_zigzag((int64_t)jump));
}

void wm_access_miss(uint64_t addr, uint64_t key, uint32_t what,
		    struct wm_access_stream *s)
{
	uint64_t at = wm_access_home(key);
	struct wm_access_spot *from = wm_access_spot(s, s->cur);

	if (wm_unlikely(atomic_load_explicit(&s->on, memory_order_relaxed) !=
			WM_ACCESS_ON)) {
		if (wm_likely(s == &wm_access_none && !wm_access_asks())) {
			let_go(s);
			return;
		}
		leave_off_at(addr, key, what, s);
		return;
	}
	if (wm_unlikely(from->next != key || !(what >> 8))) {
		const struct wm_access_spot *spot = wm_access_spot(s, at);

		/* The access is left out, like the one before. */
		if (spot->key == key && !spot->number) {
			let_go(s);
			return;
		}
		code_rest(addr, key, what, s);
		return;
	}
	put_jump(addr, from, at, s);
}

#define OUR_FRAMES 256

/* Whether a handler has left a hook by longjmp, so that its progress is
 * unknown.  If not, a handler has interrupted the hook. */
static bool is_left_behind(uintptr_t self)
{
	/* A handler is deeper by the frame of its signal, which is larger than
	 * our own frames; but a handler's own stack may be above. */
	return wm_stack_pointer() + OUR_FRAMES - self < WM_LEFT_BEHIND &&
	       !wm_is_on_signal_stack(self);
}

static bool records(const struct wm_access_stream *s)
{
	uint32_t on = s ? atomic_load_explicit(&s->on, memory_order_relaxed) :
			  WM_ACCESS_ENDED;

	return on == WM_ACCESS_ON || on == WM_ACCESS_TO_STOP;
}

/* A stream may also have been asked to stop while it did not record. */
static void resume(struct wm_access_stream *s)
{
	uint32_t on = atomic_load_explicit(&s->on, memory_order_relaxed);

	if (on == WM_ACCESS_STOPPED || on == WM_ACCESS_TO_STOP) {
		wm_access_event(s);
		put_special(s, WMA_GAP, 0);
		/* Another thread may be ending the process. */
		atomic_compare_exchange_strong(&s->on, &on, WM_ACCESS_ON);
	}
	/* A thread that stopped all others meanwhile may have missed this
	 * one. */
	on = WM_ACCESS_ON;
	if (wm_access_asks())
		atomic_compare_exchange_strong(&s->on, &on, WM_ACCESS_TO_STOP);
}

static void go_on_with_pages(uint64_t addr, uint64_t bytes, uint64_t key,
			     uint32_t what);

void wm_access_enter(uint64_t addr, uint64_t key, uint32_t what, uint64_t bytes)
{
	uintptr_t self = wm_access_self;
	struct wm_slot *slot = wm_self;
	struct wm_access_stream *s = NULL;

	if (self && slot && wm_filter_is_on(slot->filter)) {
		if (!is_left_behind(self)) {
			wm_access_page_aside(slot->filter, addr,
					     bytes ? bytes : what >> 8, key,
					     what);
			return;
		}
		wm_filter_leave(slot->filter);
		wm_access_self = self = 0;
	}
	if (self) {
		s = slot ? slot->accesses : NULL;
		if (!records(s)) {
			if (is_left_behind(self))
				wm_access_self = 0;
			return;
		}
		if (!is_left_behind(self)) {
			s->lost++;
			return;
		}
		wm_access_self = wm_stack_pointer();
		/* The interrupted access is in a token or lost; those before it
		 * were as predicted.  Other threads may have read `count`, so
		 * it never decreases. */
		if (s->count < WM_ACCESS_CODED(s->point))
			s->count = WM_ACCESS_CODED(s->point);
		else
			s->lost++;
		put_special(s, WMA_GAP, 0);
		reset(s);
	} else {
		s = wm_access_begin();
		if (!s) {
			if (wm_access_self & WM_FILTER_TAG)
				go_on_with_pages(addr,
						 bytes ? bytes : what >> 8, key,
						 what);
			return;
		}
		wm_access_self = wm_stack_pointer();
		resume(s);
	}
	s->bytes = bytes;
	wm_access_miss(addr, key, what, s);
}

/* For bytes that the filter does not note, asks anew if the thread is
 * recorded. */
static void go_on_with_pages(uint64_t addr, uint64_t bytes, uint64_t key,
			     uint32_t what)
{
	uint64_t done = bytes - wm_access_page_note(addr, bytes, key, what);

	if (wm_likely(done == bytes))
		return;
	wm_access_self = 0;
	wm_access_enter(addr + done, key, what, bytes - done);
}

void wm_access_page_miss(uint64_t addr, uint64_t key, uint32_t what)
{
	go_on_with_pages(addr, what >> 8, key, what);
}

void wm_access_range(const void *p, size_t bytes, const void *caller,
		     uint32_t what)
{
	uintptr_t self = wm_access_self;
	struct wm_access_stream *s = (void *)(self - 1);
	uint64_t key = WM_ACCESS_KEY(caller, what & 0xff);

	if (!bytes)
		return;
	if (s == &wm_access_none && wm_access_asks())
		/* `bytes` of this stream is not its own */
		self = wm_access_self = 0;
	if (!(self & 1)) {
		if (self & WM_FILTER_TAG)
			go_on_with_pages((uintptr_t)p, bytes, key, what);
		else
			wm_access_enter((uintptr_t)p, key, what, bytes);
		return;
	}
	wm_access_self = wm_stack_pointer();
	atomic_signal_fence(memory_order_seq_cst);
	s->bytes = bytes;
	wm_access_miss((uintptr_t)p, key, what, s);
}
