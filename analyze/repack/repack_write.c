/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/repack/repack_write.h"

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

#include "analyze/repack/repack_choose.h"
#include "analyze/repack/repack_loads.h"
#include "analyze/repack/repack_ops.h"
#include "analyze/repack/repack_stream.h"
#include "analyze/trace/block.h"
#include "analyze/trace/decode.h"
#include "wm/search.h"
#include "wm/version.h"

/* Events that a block is filled to.  A reader holds one block a thread. */
#define JOIN_EVENTS 262144
/* Bytes of call paths in a block. */
#define DICT_BYTES (4u << 20)

#define NOBODY UINT32_MAX

/* Blocks of one thread that become one, by their numbers. */
struct group {
	uint32_t first, last;
	uint64_t events;
};

/* Call paths, modules and names that are not written yet. */
struct pending {
	struct wm_octets modules, dict, names;
	uint64_t generation, stack_first, stacks, name_first, name_count;
	uint64_t dict_encoding, frame_first, frames;
};

struct writer {
	struct wm_repack_plan *p;
	int fd;
	uint64_t at, blocks;
	struct wm_octets head, stream;
	struct wm_columns_out out;
	struct wm_octets plain[2]; /* STACK and SIZE as VARINT */
	struct wm_octets steps; /* KNOWN as STEPS */
	/* of the block that is made */
	struct wm_head_column column[WM_MAX_COLUMNS];
	struct wm_packed packed[WM_MAX_COLUMNS];
	size_t columns;
	struct wm_chooser chooser;
	struct wm_like like[WMT_COL_LIMIT][2];
	struct wm_loads loads;
	struct wm_ops_encoder *ops;
	struct wm_event *ev;
	size_t ev_count, ev_cap;
	struct pending pending;
	size_t told; /* heads of blocks below it are in PARTS or stay */
	uint32_t *next; /* block of the same group, by number */
	uint32_t *event_block; /* in t.blocks, by number */
	struct group *groups;
	size_t group_count, group_cap;
	uint32_t *open; /* group of a thread, by index of t.threads */
};

/* ---- bytes to the file ---- */

static enum wm_status write_all(struct writer *w, const uint8_t *p, size_t n,
				struct wm_err *err)
{
	while (n) {
		ssize_t done = write(w->fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return wm_err_set(err, WM_IO, "%s",
					  done ? strerror(errno) :
						 "nothing was written");
		p += done;
		n -= (size_t)done;
		w->at += (uint64_t)done;
	}
	return WM_OK;
}

static enum wm_status copy_tail(struct writer *w, struct wm_err *err)
{
	struct wm_source *src = &w->p->t.src;
	uint64_t at = w->p->tail;
	enum wm_status r = WM_OK;

	while (!r && at < src->size) {
		uint64_t left = src->size - at;
		size_t n = left < 1 << 20 ? (size_t)left : 1 << 20;
		const uint8_t *p;

		r = wm_source_view(src, at, n, &p, err);
		if (!r)
			r = write_all(w, p, n, err);
		at += n;
	}
	return r;
}

/* ---- heads ---- */

static void begin_head(struct writer *w, enum wmt_block type)
{
	const uint8_t rest[] = { WMT_MAJOR, WMT_MINOR, (uint8_t)type, 0 };

	w->head.len = 0;
	wm_octets_add(&w->head, WMT_MAGIC, WMT_MAGIC_SIZE);
	wm_octets_add(&w->head, rest, sizeof(rest));
}

static void put_field(struct writer *w, enum wmt_field f, const void *data,
		      size_t n)
{
	wm_octets_varint(&w->head, f);
	wm_octets_varint(&w->head, n);
	wm_octets_add(&w->head, data, n);
}

static void put_number(struct writer *w, enum wmt_field f, uint64_t v)
{
	uint8_t buf[WM_VARINT_MAX];

	put_field(w, f, buf, (size_t)(wm_varint_put(buf, v) - buf));
}

/* The head is complete: its list of columns, then all of it. */
static enum wm_status end_block(struct writer *w, struct wm_err *err)
{
	const struct wm_packed *all[1 + WM_MAX_COLUMNS];
	struct wm_packed head = { 0 };
	size_t i, k = 1;
	enum wm_status r;

	wm_octets_varint(&w->head, 0);
	wm_octets_varint(&w->head, w->columns);
	for (i = 0; i < w->columns; i++) {
		wm_octets_varint(&w->head, w->column[i].id);
		wm_octets_varint(&w->head, w->column[i].encoding);
		wm_octets_varint(&w->head, w->column[i].size);
		if (w->column[i].size)
			all[k++] = &w->packed[i];
	}
	if (w->head.failed)
		return wm_no_memory(err, NULL);
	if (w->head.len > WMT_MAX_HEAD)
		return wm_err_set(err, WM_BAD_INPUT, "head of %zu bytes",
				  w->head.len);
	r = wm_pack_column(&head, w->head.p, w->head.len, err);
	all[0] = &head;
	w->stream.len = 0;
	if (!r)
		r = wm_pack_stream(&w->stream, all, k, err);
	if (!r)
		r = write_all(w, w->stream.p, w->stream.len, err);
	w->blocks++;
	wm_packed_release(&head);
	return r;
}

/* ---- blocks of our own ---- */

/* Blocks that go in the order in which they came have differences of 1. */
static void put_steps(struct wm_octets *to, const struct wm_octets *known)
{
	uint8_t *p = wm_octets_room(to, known->len);
	uint32_t number, last = 0;
	size_t i;

	for (i = 0; p && i < known->len; i += 4, last = number) {
		number = wm_load_le32(known->p + i);
		wm_store_le32(p + i, number - last);
	}
	to->len = p ? known->len : 0;
}

/* Column @i of w->out; STACK, SIZE and KNOWN have two codings. */
static enum wm_status pack_one(struct writer *w, unsigned i, uint8_t *encoding,
			       struct wm_err *err)
{
	struct wm_packed *to = &w->packed[w->columns];
	struct wm_like *like = w->like[i];
	struct wm_way way[2] = {
		{ &w->out.col[i], w->out.encoding[i], &like[0] },
		{ &w->plain[i == WMT_COL_SIZE], WMT_ENC_VARINT, &like[1] },
	};
	size_t ways = w->out.encoding[i] == WMT_ENC_SEEN ? 2 : 1;

	if (i == WMT_COL_KNOWN) {
		w->steps.len = 0;
		put_steps(&w->steps, &w->out.col[i]);
		if (w->steps.failed)
			return wm_no_memory(err, NULL);
		way[1] = (struct wm_way){ &w->steps, WMT_ENC_STEPS, &like[1] };
		ways = 2;
	}
	*encoding = w->out.encoding[i];
	if (!wm_block_is_event_column(i))
		return wm_pack_column(to, w->out.col[i].p, w->out.col[i].len,
				      err);
	return wm_choose(&w->chooser, way, ways, i == WMT_COL_KNOWN ? 4 : 1, to,
			 encoding, err);
}

/* Pack the columns of w->out under the head that has begun. */
static enum wm_status put_block(struct writer *w, struct wm_err *err)
{
	enum wm_status r = WM_OK;
	uint8_t how, minor = WMT_MINOR;
	unsigned i;

	w->columns = 0;
	for (i = 1; !r && i < WMT_COL_LIMIT; i++) {
		struct wm_octets *b = &w->out.col[i];

		if (b->failed)
			return wm_no_memory(err, NULL);
		if (!b->len)
			continue;
		r = pack_one(w, i, &how, err);
		if (how == WMT_ENC_TREE)
			minor = WMT_MINOR_TREE;
		else if (minor < WMT_MINOR_REPACKED &&
			 (how & WMT_ENC_PACKED || how == WMT_ENC_OPS_KNOWN))
			minor = WMT_MINOR_REPACKED;
		w->column[w->columns] = (struct wm_head_column){
			i, how, w->packed[w->columns].size
		};
		w->columns++;
	}
	if (!r && minor && !w->head.failed)
		w->head.p[WMT_MAGIC_SIZE + 1] = minor;
	return r ? r : end_block(w, err);
}

static void clear_columns(struct writer *w)
{
	size_t i;

	for (i = 0; i < WMT_COL_LIMIT; i++)
		w->out.col[i].len = 0;
}

static void move_column(struct writer *w, int column, int encoding,
			struct wm_octets *from)
{
	struct wm_octets was = w->out.col[column];

	w->out.col[column] = *from;
	w->out.encoding[column] = (uint8_t)encoding;
	*from = was;
	from->len = 0;
}

/* ---- call paths, modules, names ---- */

static enum wm_status flush_pending(struct writer *w, struct wm_err *err)
{
	struct pending *d = &w->pending;

	if (!d->modules.len && !d->dict.len && !d->names.len)
		return WM_OK;
	begin_head(w, WMT_BLOCK_STACKS);
	put_number(w, WMT_F_PARTS, 0);
	put_number(w, WMT_F_GENERATION, d->generation);
	if (d->dict.len) {
		put_number(w, WMT_F_STACK_FIRST, d->stack_first);
		put_number(w, WMT_F_STACKS, d->stacks);
	}
	if (d->dict.len && d->dict_encoding == WMT_ENC_TREE) {
		put_number(w, WMT_F_FRAME_FIRST, d->frame_first);
		put_number(w, WMT_F_FRAMES, d->frames);
	}
	if (d->names.len)
		put_number(w, WMT_F_NAME_FIRST, d->name_first);
	clear_columns(w);
	move_column(w, WMT_COL_DICT, (int)d->dict_encoding, &d->dict);
	move_column(w, WMT_COL_MODULES, WMT_ENC_TABLE, &d->modules);
	move_column(w, WMT_COL_NAMES, WMT_ENC_STRINGS, &d->names);
	d->stacks = d->frames = d->name_count = 0;
	return put_block(w, err);
}

/* Whether what block @b has can be appended to what is pending. */
static bool block_continues(const struct pending *d,
			    const struct wm_repack_plan_block *b)
{
	/* modules apply to the call paths after them */
	if (b->has[WMT_COL_MODULES] && (d->dict.len || d->modules.len))
		return false;
	if (b->has[WMT_COL_DICT] && d->dict.len &&
	    (d->generation != b->generation ||
	     d->stack_first + d->stacks != b->stack_first ||
	     d->dict_encoding != b->dict_encoding ||
	     d->frame_first + d->frames != b->frame_first ||
	     d->dict.len > DICT_BYTES))
		return false;
	return !b->has[WMT_COL_NAMES] || !d->names.len ||
	       d->name_first + d->name_count == b->name_first;
}

static uint64_t count_names(const uint8_t *p, const uint8_t *end)
{
	uint64_t n = 0, size;

	for (; p && p < end; n++) {
		p = wm_varint_get(p, end, &size);
		if (p)
			p = size <= (uint64_t)(end - p) ? p + size : NULL;
	}
	return n;
}

static enum wm_status take_column(void *context, const struct wm_head_column *c,
				  const uint8_t *data, struct wm_err *err)
{
	struct pending *d = context;
	struct wm_octets *to;

	/* the first path or name of a column does not depend on another */
	if (c->id == WMT_COL_MODULES)
		to = &d->modules;
	else if (c->id == WMT_COL_DICT)
		to = &d->dict;
	else if (c->id == WMT_COL_NAMES)
		to = &d->names;
	else
		return WM_OK;
	if (c->id == WMT_COL_NAMES)
		d->name_count += count_names(data, data + c->size);
	wm_octets_add(to, data, (size_t)c->size);
	return to->failed ? wm_no_memory(err, NULL) : WM_OK;
}

static enum wm_status take_pending(struct writer *w, size_t i,
				   struct wm_err *err)
{
	const struct wm_repack_plan_block *b = &w->p->block[i];
	struct pending *d = &w->pending;
	enum wm_status r = WM_OK;

	if (!b->has[WMT_COL_MODULES] && !b->has[WMT_COL_DICT] &&
	    !b->has[WMT_COL_NAMES])
		return WM_OK;
	if (!block_continues(d, b))
		r = flush_pending(w, err);
	if (!d->dict.len && b->has[WMT_COL_DICT]) {
		d->generation = b->generation;
		d->stack_first = b->stack_first;
		d->dict_encoding = b->dict_encoding;
		d->frame_first = b->frame_first;
	}
	if (!d->names.len)
		d->name_first = b->name_first;
	if (b->has[WMT_COL_DICT]) {
		d->stacks += b->stacks;
		d->frames += b->frames;
	}
	return r ? r : wm_repack_plan_columns(w->p, i, take_column, d, err);
}

/* ---- the heads that a block stands for ---- */

/* 1 or 3 numbers, coded as the runtime does, go as differences. */
static unsigned numbers_of(const struct wm_part_field *f, uint64_t v[3])
{
	const uint8_t *p = f->data, *end = p + f->size;
	uint8_t again[3 * WM_VARINT_MAX], *to = again;
	unsigned n = 0;

	while (n < 3 && p && p < end) {
		p = wm_varint_get(p, end, &v[n]);
		if (p)
			to = wm_varint_put(to, v[n++]);
	}
	if (p != end || (n != 1 && n != 3) || f->tag >= WMT_PART_TAGS ||
	    (size_t)(to - again) != f->size ||
	    memcmp(again, f->data, f->size) != 0)
		return 0;
	return n;
}

static void put_part(struct wm_octets *out, uint64_t last[][3],
		     const uint8_t *head)
{
	const uint8_t *at = head + WMT_PREFIX_SIZE;
	struct wm_part_field f;

	wm_octets_add(out, head + WMT_MAGIC_SIZE,
		      WMT_PREFIX_SIZE - WMT_MAGIC_SIZE);
	while (wm_repack_plan_field(&at, &f)) {
		uint64_t v[3];
		unsigned n = numbers_of(&f, v), i;

		wm_octets_varint(out, f.tag << 2 | n);
		for (i = 0; i < n; i++) {
			uint64_t d = v[i] - last[f.tag][i];

			wm_octets_varint(out, wm_zigzag((int64_t)d));
			last[f.tag][i] = v[i];
		}
		if (n)
			continue;
		wm_octets_varint(out, f.size);
		wm_octets_add(out, f.data, f.size);
	}
	wm_octets_varint(out, 0);
}

/* Column PARTS: the heads up to block number @to, not with it. */
static void put_parts(struct writer *w, size_t to)
{
	uint64_t last[WMT_PART_TAGS][3] = { 0 };
	struct wm_octets *out = &w->out.col[WMT_COL_PARTS];
	struct wm_repack_plan *p = w->p;

	put_number(w, WMT_F_PARTS, to - w->told);
	out->len = 0;
	w->out.encoding[WMT_COL_PARTS] = WMT_ENC_HEADS;
	for (; w->told < to; w->told++)
		put_part(out, last, p->heads.p + p->block[w->told].head);
}

/* ---- events ---- */

/* To w->ev. */
static enum wm_status take_slice(void *context, const struct wm_slice *s,
				 unsigned shift, struct wm_err *err)
{
	struct writer *w = context;
	struct wm_event *ev = WM_ROOM(w->ev, w->ev_cap,
				      w->ev_count + s->events);
	struct wm_slice_at at = { 0 };

	if (!ev)
		return wm_no_memory(err, NULL);
	for (ev += w->ev_count; wm_slice_event(s, &at, ev); ev++)
		ev->time >>= shift;
	w->ev_count += s->events;
	return WM_OK;
}

static enum wm_status decode_group(struct writer *w, const struct group *g,
				   struct wm_err *err)
{
	const struct wm_trace *t = &w->p->t;
	enum wm_status r = WM_OK;
	struct wm_event_data d;
	uint32_t i;

	w->ev_count = 0;
	wm_event_data_init(&d, t);
	for (i = g->first; !r && i != NOBODY; i = w->next[i])
		r = wm_repack_plan_events(t, &t->blocks[w->event_block[i]], &d,
					  take_slice, w, err);
	wm_event_data_release(&d);
	return r;
}

/* @to: the heads before this block go along. */
static enum wm_status put_group(struct writer *w, const struct group *g,
				size_t to, struct wm_err *err)
{
	const struct wm_repack_plan_block *b = &w->p->block[g->first];
	enum wm_status r = decode_group(w, g, err);

	if (r)
		return r;
	clear_columns(w);
	r = wm_ops_encode(w->ops, w->ev, w->ev_count, &w->out, w->plain, err);
	if (r)
		return r;
	begin_head(w, WMT_BLOCK_EVENTS);
	put_number(w, WMT_F_THREAD, b->thread);
	put_number(w, WMT_F_TID, b->tid);
	if (b->at)
		put_number(w, WMT_F_THREAD_AT, b->at);
	put_number(w, WMT_F_EVENTS, w->ev_count);
	if (b->numbered)
		put_number(w, WMT_F_EVENT_FIRST, b->event_first);
	put_number(w, WMT_F_TIME_FIRST, b->time_first);
	put_number(w, WMT_F_TIME_LAST, w->p->block[g->last].time_last);
	put_number(w, WMT_F_TIME_SHIFT, b->shift);
	put_number(w, WMT_F_GENERATION, b->generation);
	put_parts(w, to);
	return put_block(w, err);
}

/* ---- which blocks become one ---- */

static bool can_join(const struct wm_repack_plan_block *a,
		     const struct wm_repack_plan_block *b)
{
	return a->tid == b->tid && a->generation == b->generation &&
	       a->shift == b->shift && a->time_last <= b->time_first &&
	       a->numbered == b->numbered &&
	       (!a->numbered || a->event_first + a->events == b->event_first);
}

static enum wm_status add_block(struct writer *w, size_t i, struct wm_err *err)
{
	const struct wm_repack_plan_block *b = &w->p->block[i];
	const struct wm_trace *t = &w->p->t;
	size_t n = WM_FIRST(k, t->thread_count,
			    t->threads[k].number > b->thread);
	size_t at = n ? n - 1 : 0;
	struct group *g;

	if (w->open[at] != NOBODY) {
		g = &w->groups[w->open[at]];
		if (can_join(&w->p->block[g->last], b) &&
		    g->events + b->events <= JOIN_EVENTS) {
			w->next[g->last] = (uint32_t)i;
			g->last = (uint32_t)i;
			g->events += b->events;
			return WM_OK;
		}
	}
	if (!WM_ROOM(w->groups, w->group_cap, w->group_count + 1))
		return wm_no_memory(err, NULL);
	w->open[at] = (uint32_t)w->group_count;
	w->groups[w->group_count++] = (struct group){ (uint32_t)i, (uint32_t)i,
						      b->events };
	return WM_OK;
}

static int by_last(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	return WM_ORDER(x->last, y->last);
}

/* The blocks from @from to @to, not with it: none of them stays. */
static enum wm_status put_segment(struct writer *w, size_t from, size_t to,
				  struct wm_err *err)
{
	enum wm_status r = WM_OK;
	size_t i;

	w->group_count = 0;
	for (i = 0; i < w->p->t.thread_count; i++)
		w->open[i] = NOBODY;
	for (i = from; !r && i < to; i++) {
		r = take_pending(w, i, err);
		if (!r && w->p->block[i].type == WMT_BLOCK_EVENTS)
			r = add_block(w, i, err);
	}
	if (!r)
		r = flush_pending(w, err);
	if (w->group_count)
		qsort(w->groups, w->group_count, sizeof(*w->groups), by_last);
	for (i = 0; !r && i < w->group_count; i++)
		r = put_group(w, &w->groups[i],
			      i + 1 < w->group_count ? w->groups[i].last + 1 :
						       to,
			      err);
	if (r || w->told == to)
		return r;
	begin_head(w, WMT_BLOCK_STACKS);
	clear_columns(w);
	put_parts(w, to);
	return put_block(w, err);
}

/* ---- blocks that stay ---- */

/* Column LOADS, the last one of w->column; the version goes with its encoding. */
static enum wm_status pack_loads(struct writer *w,
				 const struct wm_head_column *c,
				 const uint8_t *data, struct wm_err *err)
{
	struct wm_head_column *to = &w->column[w->columns - 1];
	struct wm_packed *packed = &w->packed[w->columns - 1];
	enum wm_status r = wm_loads_pack(&w->loads, c, data, packed,
					 &to->encoding, err);

	to->size = packed->size;
	if (!w->head.failed)
		w->head.p[WMT_MAGIC_SIZE + 1] = to->encoding == WMT_ENC_LISTS ?
							WMT_MINOR_LISTS :
							WMT_MINOR_ACCESSES;
	return r;
}

static enum wm_status copy_column(void *context, const struct wm_head_column *c,
				  const uint8_t *data, struct wm_err *err)
{
	struct writer *w = context;
	size_t n = w->columns++;

	w->column[n] = *c;
	if (!c->size)
		return WM_OK;
	if (c->id == WMT_COL_LOADS)
		return pack_loads(w, c, data, err);
	return wm_pack_column(&w->packed[n], data, (size_t)c->size, err);
}

static enum wm_status put_as_it_is(struct writer *w, size_t i,
				   struct wm_err *err)
{
	const struct wm_repack_plan_block *b = &w->p->block[i];
	const uint8_t *at = wm_repack_plan_fields(w->p, b), *from = at;
	struct wm_part_field f;
	enum wm_status r;

	w->columns = 0;
	w->head.len = 0;
	wm_octets_add(&w->head, from - WMT_PREFIX_SIZE, WMT_PREFIX_SIZE);
	while (wm_repack_plan_field(&at, &f))
		;
	wm_octets_add(&w->head, from, (size_t)(at - 1 - from));
	if (i == 0)
		put_field(w, WMT_F_REPACKED, WM_VERSION, strlen(WM_VERSION));
	r = wm_repack_plan_columns(w->p, i, copy_column, w, err);
	if (!r)
		r = end_block(w, err);
	w->told = i + 1;
	return r;
}

/* ---- all of it ---- */

static enum wm_status make_room(struct writer *w, struct wm_err *err)
{
	const struct wm_trace *t = &w->p->t;
	size_t n = w->p->count, i;

	w->ops = wm_ops_encoder_new(w->p->may_number);
	w->next = malloc((n + 1) * sizeof(*w->next));
	w->event_block = malloc((n + 1) * sizeof(*w->event_block));
	w->open = malloc((t->thread_count + 1) * sizeof(*w->open));
	if (!w->ops || !w->next || !w->event_block || !w->open)
		return wm_no_memory(err, NULL);
	for (i = 0; i < n; i++)
		w->next[i] = w->event_block[i] = NOBODY;
	for (i = 0; i < t->block_count; i++)
		if (t->blocks[i].number < n)
			w->event_block[t->blocks[i].number] = (uint32_t)i;
	return WM_OK;
}

static void release_writer(struct writer *w)
{
	size_t i;

	for (i = 0; i < WMT_COL_LIMIT; i++)
		wm_octets_release(&w->out.col[i]);
	for (i = 0; i < WM_MAX_COLUMNS; i++)
		wm_packed_release(&w->packed[i]);
	wm_chooser_release(&w->chooser);
	wm_loads_release(&w->loads);
	wm_octets_release(&w->plain[0]);
	wm_octets_release(&w->plain[1]);
	wm_octets_release(&w->steps);
	wm_octets_release(&w->head);
	wm_octets_release(&w->stream);
	wm_octets_release(&w->pending.modules);
	wm_octets_release(&w->pending.dict);
	wm_octets_release(&w->pending.names);
	wm_ops_encoder_free(w->ops);
	free(w->ev);
	free(w->next);
	free(w->event_block);
	free(w->open);
	free(w->groups);
}

enum wm_status wm_repack_write(struct wm_repack_plan *p, int fd, uint64_t *tail,
			       uint64_t *blocks, struct wm_err *err)
{
	struct writer *w = calloc(1, sizeof(*w));
	size_t i, from = 0;
	enum wm_status r;

	if (!w)
		return wm_no_memory(err, NULL);
	w->p = p;
	w->fd = fd;
	r = make_room(w, err);
	for (i = 0; !r && i <= p->count; i++) {
		if (i < p->count && !p->block[i].stays)
			continue;
		if (i > from)
			r = put_segment(w, from, i, err);
		if (!r && i < p->count)
			r = put_as_it_is(w, i, err);
		from = i + 1;
	}
	*tail = w->at;
	*blocks = w->blocks;
	if (!r)
		r = copy_tail(w, err);
	release_writer(w);
	free(w);
	return r;
}
