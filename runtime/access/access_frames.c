/* SPDX-License-Identifier: Apache-2.0 */
/* Records where functions begin and end (WM_ACCESS_LOCALS): from the place of a
 * frame a reader finds the local variable of an access.  A frame is an item of
 * the stream like an access, and is predicted in the same way.  The end of a
 * function is recorded with the next function that begins. */
#include "runtime/access/access.h"

void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);

/* The number of frames that have ended since the last frame in the stream.  If
 * negative, the number of frames that are neither ended nor in the stream. */
static __thread int32_t ended __attribute__((tls_model(WM_TLS_MODEL)));

WM_FUNCTION_ENTRY(begin_frame);

wm_export void __tsan_func_exit(void)
{
	ended++;
}

static uint64_t frame_value(uintptr_t sp, uintptr_t fp)
{
	uint64_t above = fp - sp, n = ended < 0 ? 0 : (uint64_t)ended;

	if (n > WMA_FRAME_MOST_ENDED)
		n = WMA_FRAME_MOST_ENDED;
	return n | (above < 1u << 30 ? above + 1 : 0) << WMA_FRAME_SHIFT;
}

static void frame_recorded(void)
{
	if (ended > 0)
		ended = 0;
}

/* For the thread's first item, or in a handler that has interrupted a hook. */
static __attribute__((noinline)) void enter(uintptr_t sp, uint64_t key,
					    uint64_t value)
{
	if (!wm_access_self)
		wm_access_enter(sp, key, WM_ACCESS_WHAT(FRAME, PLAIN, 0),
				value);
	if (wm_access_self & 1 &&
	    wm_access_self != (uintptr_t)&wm_access_none + 1)
		frame_recorded();
	else
		ended--;
}

static __attribute__((used)) void begin_frame(uintptr_t sp, uintptr_t pc,
					      uintptr_t fp)
{
	uintptr_t self = wm_access_self;
	struct wm_access_stream *s = (void *)(self - 1);
	uint64_t key = WM_ACCESS_KEY(pc, 0), at = wm_access_home(key), value;
	struct wm_access_spot *spot;

	if (!wm_access_frames)
		return;
	if (s == &wm_access_none) {
		ended--;
		return;
	}
	value = frame_value(sp, fp);
	if (wm_unlikely(!(self & 1))) {
		enter(sp, key, value);
		return;
	}
	wm_access_self = wm_stack_pointer();
	atomic_signal_fence(memory_order_seq_cst);
	frame_recorded();
	spot = wm_access_spot(s, at);
	if (wm_unlikely(wm_access_spot(s, s->cur)->next != key ||
			spot->expect != sp ||
			*wm_access_bytes(s, spot) != value)) {
		s->bytes = value;
		wm_access_miss(sp, key, WM_ACCESS_WHAT(FRAME, PLAIN, 0), s);
		return;
	}
	spot->expect = sp + spot->stride;
	s->cur = at;
	s->count++;
	atomic_signal_fence(memory_order_seq_cst);
	wm_access_self = self;
}
