/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/read_epochs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/plain.h"
#include "analyze/lib/base/vec.h"

/* Bounds of docs/trace-format.md, 6.9. */
#define MOST_EPOCHS (1u << 16) /* of a block */
#define LEAST_EPOCHS (UINT64_C(1) << 20) /* of a file */
#define LEAST_RUNS ((size_t)4 << 20)
#define RUNS_A_BYTE 64
#define MOST_ITEMS (1u << 16)
/* No machine has more pages; sums over all epochs do not overflow. */
#define MOST_PAGES (UINT64_C(1) << 40)
#define MOST_NS (UINT64_C(1) << 60)
#define MOST_NUMBER (UINT64_C(1) << 48)

enum wm_status wm_epochs_note(struct wm_trace *t, const struct wm_head *h,
			      const struct wm_page_block *where,
			      struct wm_err *err)
{
	const struct wm_head_field *end = &h->field[WMT_F_PAGES_END];
	uint64_t shift = wm_head_uint(h, WMT_F_PAGE_SHIFT);

	if (where->epochs > MOST_EPOCHS || where->first > UINT32_MAX ||
	    where->first < t->epochs_end || shift < 12 || shift > 16 ||
	    (t->page_shift && shift != t->page_shift) ||
	    t->epochs + where->epochs > LEAST_EPOCHS + t->src.size / 4)
		return wm_err_set(err, WM_BAD_INPUT,
				  "epochs %" PRIu64 " to %" PRIu64
				  " of pages of %" PRIu64
				  " bits after %" PRIu64,
				  where->first, where->first + where->epochs,
				  shift, t->epochs_end);
	if (!WM_APPEND(t->page_blocks, t->page_block_cap, t->page_block_count,
		       *where))
		return wm_no_memory(err, NULL);
	t->page_shift = (unsigned)shift;
	t->epochs += where->epochs;
	t->epochs_end = where->first + where->epochs;
	t->interval_ns = wm_head_uint(h, WMT_F_INTERVAL);
	t->watch = (struct wm_watch_cost){
		wm_head_uint(h, WMT_F_WATCH_THREAD),
		wm_head_uint(h, WMT_F_WATCH_FAULTS),
		wm_head_uint(h, WMT_F_WATCH_FAULTS_NS), t->epochs_end
	};
	if (!end->data)
		return WM_OK;
	free(t->pages_end);
	t->pages_end = wm_plain((const char *)end->data, end->size);
	return t->pages_end ? WM_OK : wm_no_memory(err, NULL);
}

void wm_epochs_open(struct wm_epochs *e, const struct wm_trace *t)
{
	memset(e, 0, sizeof(*e));
	e->t = t;
	wm_source_share(&e->src, &t->src);
	e->accessed_column.most = e->written_column.most =
		LEAST_RUNS + RUNS_A_BYTE * (size_t)t->src.size;
}

void wm_epochs_release(struct wm_epochs *e)
{
	wm_source_release(&e->src);
	wm_stream_release(&e->columns);
	wm_page_set_release(&e->accessed_column.change);
	wm_page_set_release(&e->written_column.change);
	wm_page_set_release(&e->before);
	wm_page_set_release(&e->places);
	wm_page_set_release(&e->accessed);
	wm_page_set_release(&e->written);
	wm_page_touches_release(&e->touches);
	free(e->covered);
	free(e->not_covered);
	memset(e, 0, sizeof(*e));
	e->src.fd = -1;
}

static enum wm_status take_covered(struct wm_epochs *e, struct wm_column in,
				   struct wm_err *err)
{
	uint64_t n, at = 0, gap, pages, kind;

	e->covered_count = 0;
	if (!wm_take(&in, &n) || n > MOST_ITEMS)
		return wm_malformed("COVERED", err);
	while (n--) {
		if (!wm_take(&in, &gap) || !wm_take(&in, &pages) ||
		    !wm_take(&in, &kind) || gap > MOST_NUMBER - at || !pages ||
		    pages > MOST_NUMBER - at - gap)
			return wm_malformed("COVERED", err);
		at += gap + pages;
		if (!WM_APPEND(e->covered, e->covered_cap, e->covered_count,
			       (struct wm_covered){ { at - pages, at }, kind }))
			return wm_no_memory(err, NULL);
	}
	return in.p == in.end ? WM_OK : wm_malformed("COVERED", err);
}

static enum wm_status take_not_covered(struct wm_epochs *e, struct wm_column in,
				       struct wm_err *err)
{
	uint64_t n, what, bytes;

	e->not_covered_count = 0;
	if (!wm_take(&in, &n) || n > MOST_ITEMS)
		return wm_malformed("NOT_COVERED", err);
	while (n--) {
		if (!wm_take(&in, &what) || !wm_take(&in, &bytes) ||
		    bytes > MOST_NS)
			return wm_malformed("NOT_COVERED", err);
		if (!WM_APPEND(e->not_covered, e->not_covered_cap,
			       e->not_covered_count,
			       (struct wm_not_covered){ what, bytes }))
			return wm_no_memory(err, NULL);
	}
	return in.p == in.end ? WM_OK : wm_malformed("NOT_COVERED", err);
}

/* Loads the columns of the Stream's block.  Without COVERED or NOT_COVERED, the
 * list of the block before it stays. */
static enum wm_status load_columns(struct wm_epochs *e, struct wm_err *err)
{
	static const uint8_t nothing[1];
	struct wm_column covered, not_covered, who, spots, samples;
	const struct {
		uint64_t id;
		struct wm_column *to;
	} column[] = {
		{ WMT_COL_EPOCHS, &e->numbers },
		{ WMT_COL_ACCESSED, &e->accessed_column.in },
		{ WMT_COL_WRITTEN, &e->written_column.in },
		{ WMT_COL_COVERED, &covered },
		{ WMT_COL_NOT_COVERED, &not_covered },
		{ WMT_COL_WHO, &who },
		{ WMT_COL_SPOTS, &spots },
		{ WMT_COL_SAMPLES, &samples },
	};
	enum wm_status r = WM_OK;

	for (size_t i = 0; i < sizeof(column) / sizeof(*column) && !r; i++) {
		struct wm_column *c = column[i].to;

		r = wm_stream_find(&e->columns, column[i].id, c, err);
		if (!r && c->p && c == &covered)
			r = take_covered(e, *c, err);
		else if (!r && c->p && c == &not_covered)
			r = take_not_covered(e, *c, err);
		if (!c->p)
			*c = (struct wm_column){ nothing, nothing };
	}
	return r ? r :
		   wm_page_touches_load(&e->touches, e->t->page_shift, who,
					spots, samples, err);
}

static void load_memory(struct wm_epochs *e, const struct wm_page_block *b)
{
	struct wm_column *const to[] = { &e->numbers, &e->accessed_column.in,
					 &e->written_column.in };
	const uint8_t *p = b->memory;

	for (size_t i = 0; i < 3; i++) {
		to[i]->p = p;
		to[i]->end = p += b->size[i];
	}
	e->touches.who.p = e->touches.who.end;
	e->touches.samples.p = e->touches.samples.end;
}

static enum wm_status load_block(struct wm_epochs *e,
				 const struct wm_page_block *b,
				 struct wm_err *err)
{
	enum wm_status r = WM_OK;

	if (b->memory)
		load_memory(e, b);
	else
		r = wm_stream_seek(&e->columns, &e->src, b->offset, b->part,
				   err);
	if (!r && !b->memory)
		r = load_columns(e, err);
	if (r)
		return r;
	/* the duration of lost epochs is unknown */
	if (!b->known && b->first != e->epoch.number + (e->block > 0)) {
		e->epoch.end = b->now_ns;
		e->epoch.cpu += e->epoch.cpu_step;
	}
	e->epoch.number = b->first;
	e->left = b->epochs;
	e->first = true;
	return WM_OK;
}

static enum wm_status take_numbers(struct wm_epochs *e, struct wm_err *err)
{
	uint64_t v[WMT_EPOCH_NUMBERS];
	struct wm_epoch *x = &e->epoch;

	for (size_t i = 0; i < WMT_EPOCH_NUMBERS; i++)
		if (!wm_take(&e->numbers, &v[i]))
			return wm_malformed("EPOCHS", err);
	x->accessed = v[WMT_EPOCH_ACCESSED];
	x->written = v[WMT_EPOCH_WRITTEN];
	x->resident = v[WMT_EPOCH_RESIDENT];
	x->covered = v[WMT_EPOCH_COVERED];
	x->scan = v[WMT_EPOCH_SCAN];
	x->cpu_step = v[WMT_EPOCH_CPU];
	x->written_alone = v[WMT_EPOCH_FLAGS] & WMT_EPOCH_WRITTEN_ALONE;
	x->hooked = v[WMT_EPOCH_FLAGS] & WMT_EPOCH_HOOKED;
	if (x->accessed > MOST_PAGES || x->written > MOST_PAGES ||
	    x->resident > MOST_PAGES || x->covered > MOST_PAGES ||
	    x->scan > MOST_NS || v[WMT_EPOCH_TIME] > MOST_NS - x->end ||
	    x->cpu_step > MOST_NS - x->cpu)
		return wm_malformed("EPOCHS", err);
	x->end += v[WMT_EPOCH_TIME];
	x->cpu += x->cpu_step;
	x->ticks = e->t->start.ticks + wm_trace_ticks(e->t, x->end);
	return WM_OK;
}

static enum wm_status take_sets(struct wm_epochs *e, struct wm_err *err)
{
	struct wm_page_set swap = e->before;
	enum wm_status r;

	e->before = e->accessed;
	e->accessed = swap;
	r = wm_page_set_next(&e->accessed_column, e->first ? NULL : &e->before,
			     &e->accessed, err);
	if (!r)
		r = wm_page_set_next(&e->written_column, NULL, &e->places, err);
	if (!r)
		r = wm_page_set_at(&e->accessed, &e->places, &e->written, err);
	if (!r && (e->accessed.pages != e->epoch.accessed ||
		   e->written.pages != e->epoch.written))
		r = wm_err_set(err, WM_BAD_INPUT,
			       "epoch %" PRIu64 " has %" PRIu64 " and %" PRIu64
			       " pages instead of %" PRIu64 " and %" PRIu64,
			       e->epoch.number, e->accessed.pages,
			       e->written.pages, e->epoch.accessed,
			       e->epoch.written);
	return r;
}

static enum wm_status take_epoch(struct wm_epochs *e, struct wm_err *err)
{
	enum wm_status r;

	if (!e->first)
		e->epoch.number++;
	r = take_numbers(e, err);
	if (!r)
		r = take_sets(e, err);
	if (!r)
		r = wm_page_touches_epoch(&e->touches, e->epoch.accessed, err);
	e->first = false;
	if (r || --e->left)
		return r;
	if (e->numbers.p != e->numbers.end ||
	    e->accessed_column.in.p != e->accessed_column.in.end ||
	    e->written_column.in.p != e->written_column.in.end ||
	    wm_page_touches_have_more(&e->touches))
		return wm_err_set(err, WM_BAD_INPUT,
				  "more epochs than announced");
	return WM_OK;
}

/* Skips epochs of the crash buffer that are also in the trace. */
static enum wm_status pass_known(struct wm_epochs *e,
				 const struct wm_page_block *b,
				 struct wm_err *err)
{
	struct wm_epoch before = e->epoch;
	enum wm_status r = WM_OK;

	for (uint64_t n = b->known; n && !r; n--)
		r = take_epoch(e, err);
	e->epoch.end = before.end;
	e->epoch.cpu = before.cpu;
	return r;
}

enum wm_status wm_epochs_next(struct wm_epochs *e, struct wm_err *err)
{
	const struct wm_page_block *b;
	enum wm_status r = WM_OK;
	struct wm_err why;

	while (!r && !e->left) {
		if (e->block == e->t->page_block_count)
			return WM_END;
		b = &e->t->page_blocks[e->block];
		r = load_block(e, b, &why);
		e->block++;
		if (!r && b->known)
			r = pass_known(e, b, &why);
	}
	if (!r)
		r = take_epoch(e, &why);
	if (!r)
		return WM_OK;
	b = &e->t->page_blocks[e->block - 1];
	/* nothing follows the crash buffer */
	if (b->memory && r == WM_BAD_INPUT)
		return WM_END;
	return wm_trace_blame(e->t, b->number, b->offset, r, why.text, err);
}
