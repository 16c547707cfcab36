/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A signal handler may leave malloc by siglongjmp.  If the program then
 * continues deeper than that call was, a new call looks as if an allocator had
 * called itself.  The frames between the calls show the difference: frames of
 * an allocator lead to the outer call, frames of the program lead past its
 * place.
 *
 * A handler that has interrupted a walk may call this, so the last path and its
 * rows are not changed.  These rows are the few that allocators need, and are
 * read as copies, because a handler may write one meanwhile.
 */
#include "runtime/base/on_stack.h"
#include "runtime/callpath/unwind_state.h"
#include "runtime/callpath/unwind_walk.h"

#include <stdatomic.h>

#define REACH ((uint64_t)64 << 20) /* a frame is not larger */

struct asked {
	struct wm_walk *w;
	struct wm_row row;
};

static size_t place_of(uint64_t ip)
{
	return (uint32_t)ip * 0x9E3779B1u >> (32 - WITHIN_BITS);
}

/* Runs on a stack of the runtime's own, with signals blocked. */
static void work_out(void *arg)
{
	struct asked *a = arg;
	size_t place = place_of(a->row.ip);
	struct wm_row *rows = a->w ? a->w->within : NULL;

	wm_row_find(a->row.ip, &a->row);
	if (!rows)
		return;
	if (rows[place].ip)
		rows[place ^ 1] = rows[place];
	rows[place] = a->row;
}

static bool copy_row(const struct wm_row *from, struct wm_row *row)
{
	uint64_t ip = row->ip;

	if (from->ip != ip)
		return false;
	atomic_signal_fence(memory_order_seq_cst);
	*row = *from;
	atomic_signal_fence(memory_order_seq_cst);
	row->ip = ip;
	return from->ip == ip;
}

static struct wm_row row_of(struct wm_walk *w, uint64_t ip)
{
	struct asked a = { .w = w, .row.ip = ip };
	size_t place = place_of(ip);

	if (!w || (!copy_row(&w->within[place], &a.row) &&
		   !copy_row(&w->within[place ^ 1], &a.row)))
		wm_aside(work_out, &a);
	return a.row;
}

static bool step(const struct wm_row *r, uint64_t *sp, uint64_t *bp)
{
	uint64_t from = r->kind == WM_ROW_SP ? *sp : *bp, cfa, place;

	if (r->kind == WM_ROW_UNKNOWN || r->kind == WM_ROW_LAST ||
	    from - *sp > REACH)
		return false;
	cfa = from + (uint64_t)(int64_t)r->cfa;
	if (r->kind == WM_ROW_ALIGNED)
		cfa = word_at(cfa);
	if (cfa - *sp - 1 > REACH || (cfa & 7))
		return false;
	place = cfa + (uint64_t)(int64_t)r->bp;
	if (r->kind == WM_ROW_ALIGNED)
		*bp = word_at(*bp);
	else if (r->bp && place - *sp >= cfa - *sp)
		return false;
	else if (r->bp)
		*bp = word_at(place);
	*sp = cfa;
	return true;
}

bool wm_walk_has_left(struct wm_walk *w, uintptr_t here, uintptr_t outer)
{
	/* after the return address of each */
	uint64_t sp = here + 16, bp = word_at(here), end = outer + 16;
	struct wm_row r = { .kind = WM_ROW_BP };

	while (sp < end) {
		r = row_of(w, word_at(wm_slot_at(sp)));
		/* This is the outer call itself, if its frame is realigned. */
		if (r.kind == WM_ROW_ALIGNED && bp == outer)
			return false;
		if (!step(&r, &sp, &bp))
			return false;
	}
	/* The caller of wm_enter() has a frame pointer.  Without one this is
	 * another function, at the place of the outer call. */
	if (sp == end)
		return r.kind == WM_ROW_SP;
	return row_of(w, word_at(wm_slot_at(sp))).kind != WM_ROW_UNKNOWN;
}
