/* SPDX-License-Identifier: Apache-2.0 */
/* The model of OPS (docs/trace-format.md, 6.6), which predicts the next event.
 * The reader (decode_ops.c) takes its steps from this file; the traced process
 * has a writer of its own.  All functions are inline, so that a loop over
 * events can have a copy of struct wm_ops_now in registers.  One thread at a
 * time. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "wm/trace_format.h"

#define WM_OPS_STEP static inline __attribute__((always_inline))

#define WM_OPS_HEAD 0 /* of the list; handle h is place h + 1 */

struct wm_ops_now {
	uint64_t last_stack, last_new, last_old, last_out, top;
	uint32_t spares, made, cursor;
};

struct wm_ops_model {
	/* by the remainder of a call path's number */
	uint64_t next_stack[WMT_OPS_STACKS], size_of[WMT_OPS_STACKS];
	uint8_t at[WMT_OPS_CLASSES], kept[WMT_OPS_CLASSES];
	/* not zeroed: usually only some elements are touched */
	uint64_t released[WMT_OPS_CLASSES][WMT_OPS_DEPTH];
	uint64_t addr[WMT_OPS_PLACES + 1]; /* by place; 0: free */
	uint16_t after[WMT_OPS_PLACES + 1], before[WMT_OPS_PLACES + 1];
	uint16_t spare[WMT_OPS_PLACES + 1];
	uint8_t class[WMT_OPS_PLACES + 1];
};

/* Where the address of the next block is expected. */
enum wm_ops_source {
	WM_OPS_MOVED, /* the block that realloc released */
	WM_OPS_KEPT, /* the address last released in its class */
	WM_OPS_TOP, /* behind the last block at the top */
};

static inline void wm_ops_model_begin(struct wm_ops_now *now,
				      struct wm_ops_model *m)
{
	*now = (struct wm_ops_now){ .made = 0 };
	memset(m, 0, offsetof(struct wm_ops_model, released));
	m->after[WM_OPS_HEAD] = m->before[WM_OPS_HEAD] = WM_OPS_HEAD;
	m->addr[WM_OPS_HEAD] = 0;
}

WM_OPS_STEP unsigned wm_ops_class(uint64_t units)
{
	return units < WMT_OPS_CLASSES ? (unsigned)units : WMT_OPS_CLASSES - 1;
}

WM_OPS_STEP uint64_t *wm_ops_stack(const struct wm_ops_now *now,
				   struct wm_ops_model *m)
{
	return &m->next_stack[now->last_stack % WMT_OPS_STACKS];
}

WM_OPS_STEP uint64_t *wm_ops_size(struct wm_ops_model *m, uint64_t stack)
{
	return &m->size_of[stack % WMT_OPS_STACKS];
}

WM_OPS_STEP enum wm_ops_source wm_ops_source(const struct wm_ops_now *now,
					     const struct wm_ops_model *m,
					     unsigned kind, unsigned class)
{
	if (kind == WMT_EV_REALLOC_IN && now->last_out)
		return WM_OPS_MOVED;
	return m->kept[class] ? WM_OPS_KEPT : WM_OPS_TOP;
}

WM_OPS_STEP void wm_ops_forget(struct wm_ops_model *m, unsigned class)
{
	m->at[class]--;
	m->kept[class]--;
}

WM_OPS_STEP void wm_ops_keep(struct wm_ops_model *m, unsigned class,
			     uint64_t addr)
{
	unsigned kept = m->kept[class];

	m->released[class][m->at[class]++ % WMT_OPS_DEPTH] = addr;
	m->kept[class] = (uint8_t)(kept + (kept < WMT_OPS_DEPTH));
}

WM_OPS_STEP uint64_t wm_ops_expected(const struct wm_ops_now *now,
				     const struct wm_ops_model *m,
				     unsigned class, enum wm_ops_source source)
{
	const uint64_t *kept = m->released[class];

	return source == WM_OPS_MOVED ?
		       now->last_out :
	       source == WM_OPS_KEPT ?
		       kept[(m->at[class] - 1u) % WMT_OPS_DEPTH] :
		       now->top;
}

WM_OPS_STEP void wm_ops_came(struct wm_ops_now *now, uint64_t units,
			     uint64_t addr, enum wm_ops_source source)
{
	if (__builtin_expect(source == WM_OPS_TOP || addr == now->top, 0))
		now->top = addr + 16 * units;
	now->last_new = addr;
}

/* Appends a new block.  The list has space, as a block of the trace has no more
 * events than the list has places. */
WM_OPS_STEP void wm_ops_append(struct wm_ops_now *now, struct wm_ops_model *m,
			       uint64_t addr, unsigned class)
{
	uint32_t place = __builtin_expect(now->spares != 0, 1) ?
				 m->spare[--now->spares] :
				 ++now->made;
	uint16_t last = m->before[WM_OPS_HEAD];

	m->addr[place] = addr;
	m->class[place] = (uint8_t) class;
	m->after[last] = (uint16_t)place;
	m->before[place] = last;
	m->after[place] = WM_OPS_HEAD;
	m->before[WM_OPS_HEAD] = (uint16_t)place;
}

WM_OPS_STEP void wm_ops_remove(struct wm_ops_now *now, struct wm_ops_model *m,
			       uint32_t place)
{
	m->addr[place] = 0;
	now->cursor = m->after[place];
	m->after[m->before[place]] = m->after[place];
	m->before[m->after[place]] = m->before[place];
	m->spare[now->spares++] = (uint16_t)place;
}
