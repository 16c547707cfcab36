/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/refused.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/lib/trace/decode.h"
#include "analyze/lib/trace/reader.h"
#include "wm/search.h"
#include "wm/trace_format.h"

enum wm_status wm_refused_note(struct wm_trace *t, const struct wm_head *h,
			       struct wm_err *err)
{
	uint64_t thread = wm_head_uint(h, WMT_F_THREAD);

	if (!wm_head_has(h, WMT_F_REFUSED))
		return WM_OK;
	if (thread >= UINT32_MAX)
		return wm_err_set(err, WM_BAD_INPUT, "thread %" PRIu64, thread);
	return WM_APPEND(t->refused, t->refused_cap, t->refused_count,
			 (struct wm_refused){
				 (uint32_t)thread,
				 wm_head_uint(h, WMT_F_REFUSED) }) ?
		       WM_OK :
		       wm_no_memory(err, NULL);
}

static int by_event(const void *a, const void *b)
{
	const struct wm_refused *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->thread, y->thread),
		       WM_ORDER(x->event, y->event));
}

void wm_refused_sort(struct wm_trace *t)
{
	WM_SORT(t->refused, t->refused_count, by_event);
}

/* Returns the place of the first release of @thread from number @event on. */
static size_t find(const struct wm_trace *t, uint32_t thread, uint64_t event)
{
	const struct wm_refused key = { thread, event };

	return WM_FIRST(i, t->refused_count,
			by_event(&t->refused[i], &key) >= 0);
}

size_t wm_refused_among(const struct wm_trace *t, uint32_t thread,
			uint64_t event, uint64_t events,
			const struct wm_refused **first)
{
	size_t from;

	if (!t->refused_count || event > UINT64_MAX - events)
		return 0;
	from = find(t, thread, event);
	*first = t->refused + from;
	return find(t, thread, event + events) - from;
}

static bool may_be_refused(uint8_t kind)
{
	return kind == WMT_EV_UNMAP || kind == WMT_EV_SHM_GONE ||
	       kind == WMT_EV_REMAP_OUT || kind == WMT_EV_MPI_FREE ||
	       kind == WMT_EV_THREAD_STACK_GONE;
}

uint8_t wm_refused_apply(struct wm_slice *s, unsigned i)
{
	uint8_t kind = s->kind[i];
	unsigned extras = 0;

	if (!may_be_refused(kind))
		return kind;
	for (unsigned k = 0; k < i; k++)
		extras += wm_operands[s->kind[k]].extra;
	if (!wm_operands[kind].extra) {
		memmove(&s->extra[extras + 1], &s->extra[extras],
			(s->extras - extras) * sizeof(*s->extra));
		s->extras++;
	}
	s->extra[extras] = 0;
	s->kind[i] = WMT_EV_UNMAP;
	return kind;
}
