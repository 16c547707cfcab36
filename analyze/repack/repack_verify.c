/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/repack/repack_verify.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/repack/repack_loads.h"
#include "analyze/repack/repack_ops.h"
#include "analyze/trace/decode.h"

static enum wm_status say_differs(struct wm_err *err, const char *what,
				  uint64_t n)
{
	return wm_err_set(err, WM_BAD_INPUT,
			  "%s %" PRIu64 " is not what it was", what, n);
}

/* ---- call paths, modules, names ---- */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_module(const struct wm_module *a, const struct wm_module *b)
{
	return same_text(a->path, b->path) && a->main == b->main &&
	       a->build_id_size == b->build_id_size &&
	       (!a->build_id_size ||
		memcmp(a->build_id, b->build_id, a->build_id_size) == 0);
}

static bool same_node(const struct wm_path_node *a,
		      const struct wm_path_node *b)
{
	return a->offset == b->offset && a->module == b->module &&
	       a->parent == b->parent && a->path == b->path;
}

/* Both trees grew in the same order, if they are equal. */
static enum wm_status compare_paths(const struct wm_paths *a,
				    const struct wm_paths *b,
				    struct wm_err *err)
{
	size_t i;

	for (i = 0; i < a->module_count; i++)
		if (i >= b->module_count ||
		    !same_module(&a->modules[i], &b->modules[i]))
			return say_differs(err, "module", i);
	for (i = 0; i < a->node_count; i++)
		if (i >= b->node_count ||
		    !same_node(&a->nodes[i], &b->nodes[i]))
			return say_differs(err, "frame", i);
	for (i = 0; i < a->path_count; i++)
		if (i >= b->path_count || a->leaf[i] != b->leaf[i])
			return say_differs(err, "call path", i);
	if (b->module_count != a->module_count ||
	    b->node_count != a->node_count || b->path_count != a->path_count)
		return say_differs(err, "call path", a->path_count);
	return WM_OK;
}

static enum wm_status compare_dictionary(const struct wm_trace *a,
					 const struct wm_trace *b,
					 struct wm_err *err)
{
	size_t i;

	if (a->gen_count != b->gen_count)
		return say_differs(err, "dictionary", a->gen_count);
	for (i = 0; i < a->gen_count; i++) {
		const struct wm_generation *x = &a->gen[i], *y = NULL;
		size_t k;

		/* events may name a generation before its first path comes */
		for (k = 0; k < b->gen_count && !y; k++)
			if (b->gen[k].id == x->id)
				y = &b->gen[k];
		if (!y || !wm_generation_equal(x, y))
			return say_differs(err, "dictionary", x->id);
	}
	if (a->name_count != b->name_count)
		return say_differs(err, "name", a->name_count);
	for (i = 0; i < a->name_count; i++)
		if (!same_text(a->names[i], b->names[i]))
			return say_differs(err, "name", i + 1);
	return WM_OK;
}

/*
 * ---- blocks: heads, and columns that are not of events ----
 *
 * Heads are compared byte for byte: what the trace says of itself is in them.
 */

static bool same_fields(const uint8_t *a, const uint8_t *b, bool first)
{
	struct wm_part_field x, y;

	while (wm_repack_plan_field(&a, &x)) {
		if (!wm_repack_plan_field(&b, &y) || x.tag != y.tag ||
		    x.size != y.size || memcmp(x.data, y.data, x.size) != 0)
			return false;
	}
	if (!wm_repack_plan_field(&b, &y))
		return !first;
	return first && y.tag == WMT_F_REPACKED &&
	       !wm_repack_plan_field(&b, &y);
}

static bool same_part(struct wm_parts *parts, const uint8_t *head)
{
	const uint8_t *at = head + WMT_PREFIX_SIZE, *prefix;
	struct wm_part_field x, y;

	if (!wm_parts_prefix(parts, &prefix) ||
	    memcmp(prefix, head + WMT_MAGIC_SIZE,
		   WMT_PREFIX_SIZE - WMT_MAGIC_SIZE) != 0)
		return false;
	while (wm_repack_plan_field(&at, &x)) {
		if (wm_parts_field(parts, &y) <= 0 || x.tag != y.tag ||
		    x.size != y.size || memcmp(x.data, y.data, x.size) != 0)
			return false;
	}
	return wm_parts_field(parts, &y) == 0;
}

static enum wm_status compare_parts(struct wm_repack_plan *a, size_t *number,
				    struct wm_repack_plan *b, size_t i,
				    struct wm_octets *buf, struct wm_err *err)
{
	struct wm_parts *parts = malloc(sizeof(*parts));
	uint64_t n = b->block[i].parts;
	enum wm_status r;

	if (!parts)
		return wm_no_memory(err, NULL);
	r = wm_repack_plan_column(b, i, WMT_COL_PARTS, buf, err);
	if (!r)
		wm_parts_init(parts, buf->p, buf->len);
	for (; !r && n--; ++*number)
		if (*number >= a->count ||
		    !same_part(parts, a->heads.p + a->block[*number].head))
			r = say_differs(err, "the head of block", *number);
	free(parts);
	return r;
}

/* LOADS as tokens, or else as it is. */
static enum wm_status all_bytes(void *context, const struct wm_head_column *c,
				const uint8_t *data, struct wm_err *err)
{
	uint64_t encoding = c->encoding;
	size_t n = (size_t)c->size;
	struct wm_octets *out = context;
	struct wm_loads loads = { 0 };
	const uint8_t *p = data;
	struct wm_err why;

	if (c->id == WMT_COL_LOADS && n &&
	    !wm_loads_tokens(&loads, c, data, &p, &n, &why))
		encoding = WMT_ENC_TOKENS;
	wm_octets_varint(out, c->id);
	wm_octets_varint(out, encoding);
	wm_octets_varint(out, n);
	wm_octets_add(out, p, n);
	wm_loads_release(&loads);
	if (out->failed)
		return wm_no_memory(err, NULL);
	return WM_OK;
}

/* What is before the fields; minor versions of ACCESSES go with encodings. */
static bool same_prefix(const uint8_t *a, const uint8_t *b)
{
	uint8_t minor = a[6] == WMT_BLOCK_ACCESSES ? b[5] : a[5];

	return memcmp(a, b, WMT_MAGIC_SIZE + 1) == 0 && minor == b[5] &&
	       a[6] == b[6] && a[7] == b[7];
}

/* A block that was not joined: all its columns as they were. */
static enum wm_status compare_whole(struct wm_repack_plan *a, size_t k,
				    struct wm_repack_plan *b, size_t i,
				    struct wm_err *err)
{
	struct wm_octets x = { 0 }, y = { 0 };
	enum wm_status r = WM_OK;

	if (k >= a->count ||
	    !same_prefix(a->heads.p + a->block[k].head,
			 b->heads.p + b->block[i].head) ||
	    !same_fields(wm_repack_plan_fields(a, &a->block[k]),
			 wm_repack_plan_fields(b, &b->block[i]), i == 0))
		return say_differs(err, "the head of block", k);
	r = wm_repack_plan_columns(a, k, all_bytes, &x, err);
	if (!r)
		r = wm_repack_plan_columns(b, i, all_bytes, &y, err);
	if (!r && (x.len != y.len || (x.len && memcmp(x.p, y.p, x.len) != 0)))
		r = say_differs(err, "a column of block", k);
	wm_octets_release(&x);
	wm_octets_release(&y);
	return r;
}

static enum wm_status compare_blocks(struct wm_repack_plan *a,
				     struct wm_repack_plan *b,
				     struct wm_err *err)
{
	struct wm_octets buf = { 0 };
	enum wm_status r = WM_OK;
	size_t i, k = 0;

	for (i = 0; !r && i < b->count; i++) {
		if (b->block[i].joined)
			r = compare_parts(a, &k, b, i, &buf, err);
		else
			r = compare_whole(a, k++, b, i, err);
	}
	if (!r && k != a->count)
		r = say_differs(err, "the number of blocks,", a->count);
	wm_octets_release(&buf);
	return r;
}

/* Lists of modules, one after the other: also those that no call path
 * needs. */
static enum wm_status compare_modules(struct wm_repack_plan *a,
				      struct wm_repack_plan *b,
				      struct wm_err *err)
{
	struct wm_octets x = { 0 }, y = { 0 };
	enum wm_status r = WM_OK;
	size_t i = 0, k = 0;

	while (!r) {
		while (k < a->count && !a->block[k].has[WMT_COL_MODULES])
			k++;
		while (i < b->count && !b->block[i].has[WMT_COL_MODULES])
			i++;
		if (k == a->count && i == b->count)
			break;
		if (k == a->count || i == b->count) {
			r = say_differs(err, "modules of block", k);
			break;
		}
		r = wm_repack_plan_column(a, k, WMT_COL_MODULES, &x, err);
		if (!r)
			r = wm_repack_plan_column(b, i, WMT_COL_MODULES, &y,
						  err);
		if (!r && (x.len != y.len || memcmp(x.p, y.p, x.len) != 0))
			r = say_differs(err, "modules of block", k);
		i++;
		k++;
	}
	wm_octets_release(&x);
	wm_octets_release(&y);
	return r;
}

/* ---- events ---- */

/* The events of one thread, one after the other. */
struct lane {
	const struct wm_trace *t;
	size_t block, end;
	struct wm_event_data data;
	struct wm_cursor cursor;
	struct wm_slice slice;
	struct wm_slice_at at;
	bool begun;
	uint64_t number; /* of the event in its thread */
};

static enum wm_status next_slice(struct lane *l, struct wm_err *err)
{
	enum wm_status r;

	l->at = (struct wm_slice_at){ 0 };
	for (;;) {
		if (l->begun) {
			r = wm_cursor_next(&l->cursor, &l->slice, err);
			if (r != WM_END)
				return r;
			l->block++;
			l->begun = false;
		}
		if (l->block == l->end)
			return WM_END;
		l->number = l->t->blocks[l->block].event_first;
		r = wm_trace_load(l->t, &l->t->blocks[l->block], &l->data, err);
		if (!r)
			r = wm_cursor_init(&l->cursor, l->t,
					   &l->t->blocks[l->block], &l->data,
					   err);
		if (r)
			return r;
		l->cursor.numbers = 1;
		l->begun = true;
	}
}

static enum wm_status next_event(struct lane *l, struct wm_event *ev,
				 struct wm_err *err)
{
	enum wm_status r = WM_OK;

	if (l->at.event == l->slice.events)
		r = next_slice(l, err);
	if (r)
		return r;
	wm_slice_event(&l->slice, &l->at, ev);
	l->number++;
	return WM_OK;
}

static struct lane *lane_new(const struct wm_trace *t, size_t thread)
{
	struct lane *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->t = t;
	l->block = t->threads[thread].first;
	l->end = l->block + t->threads[thread].count;
	wm_event_data_init(&l->data, t);
	return l;
}

static void lane_free(struct lane *l)
{
	if (l)
		wm_event_data_release(&l->data);
	free(l);
}

static uint64_t generation_of(const struct lane *l)
{
	return l->t->gen[l->t->blocks[l->block].generation].id;
}

/* The number of the event within its thread is the same, if there is one. */
static bool same_number(const struct wm_repack_plan *p, const struct lane *x,
			const struct lane *y)
{
	return !p->block[x->t->blocks[x->block].number].numbered ||
	       x->number == y->number;
}

static enum wm_status compare_thread(const struct wm_repack_plan *p,
				     const struct wm_trace *b, size_t thread,
				     struct wm_err *err)
{
	const struct wm_trace *a = &p->t;
	struct lane *x = lane_new(a, thread), *y = lane_new(b, thread);
	struct wm_event e = { 0 }, f = { 0 };
	enum wm_status r = WM_OK, s = WM_OK;
	uint64_t n = 0;

	if (!x || !y)
		r = wm_no_memory(err, NULL);
	while (!r) {
		r = next_event(x, &e, err);
		if (!r || r == WM_END)
			s = next_event(y, &f, err);
		if ((s && s != WM_END) || (r && r != WM_END) ||
		    (r == WM_END && s == WM_END))
			break;
		if (r != s || e.kind != f.kind || e.time != f.time ||
		    e.addr != f.addr || e.size != f.size || e.path != f.path ||
		    !same_number(p, x, y) ||
		    generation_of(x) != generation_of(y)) {
			r = wm_err_set(err, WM_BAD_INPUT,
				       "event %" PRIu64 " of "
				       "thread %u is not what it was",
				       n, a->threads[thread].number);
		}
		n++;
	}
	lane_free(x);
	lane_free(y);
	if (r == WM_END)
		r = s;
	return r == WM_END ? WM_OK : r;
}

static enum wm_status compare_events(const struct wm_repack_plan *p,
				     const struct wm_trace *b,
				     struct wm_err *err)
{
	const struct wm_trace *a = &p->t;
	enum wm_status r = WM_OK;
	size_t i;

	if (a->thread_count != b->thread_count)
		return say_differs(err, "the number of threads,",
				   a->thread_count);
	for (i = 0; !r && i < a->thread_count; i++) {
		if (a->threads[i].number != b->threads[i].number)
			r = say_differs(err, "thread", a->threads[i].number);
		else
			r = compare_thread(p, b, i, err);
	}
	return r;
}

/* ---- the part that cannot be read ---- */

static enum wm_status compare_tails(struct wm_source *a, uint64_t from,
				    struct wm_source *b, uint64_t at,
				    struct wm_err *err)
{
	const uint8_t *x, *y;
	enum wm_status r = WM_OK;

	if (from > a->size || at > b->size || a->size - from != b->size - at)
		return say_differs(err, "the length of the rest,",
				   a->size - from);
	while (!r && from < a->size) {
		uint64_t left = a->size - from;
		size_t n = left < 1 << 20 ? (size_t)left : 1 << 20;

		r = wm_source_view(a, from, n, &x, err);
		if (!r)
			r = wm_source_view(b, at, n, &y, err);
		if (!r && memcmp(x, y, n) != 0)
			r = say_differs(err, "the rest from byte", from);
		from += n;
		at += n;
	}
	return r;
}

enum wm_status wm_repack_verify(struct wm_repack_plan *p, const char *path,
				uint64_t tail, uint64_t blocks,
				struct wm_err *err)
{
	struct wm_repack_plan q;
	enum wm_status r;

	r = wm_repack_plan_open(&q, path, "the new trace", blocks,
				p->t.damage.text[0] ? &p->t.damage : NULL, err);
	if (r)
		return r;
	if (q.tail != tail || q.count != blocks)
		r = wm_err_set(err, WM_BAD_INPUT,
			       "only %zu of %" PRIu64 " new blocks "
			       "can be read: %.300s",
			       q.count, blocks, q.t.damage.text);
	if (!r && p->t.max_shift != q.t.max_shift)
		r = say_differs(err, "the coarsest time,", p->t.max_shift);
	if (!r)
		r = compare_paths(&p->t.paths, &q.t.paths, err);
	if (!r)
		r = compare_dictionary(&p->t, &q.t, err);
	if (!r)
		r = compare_modules(p, &q, err);
	if (!r)
		r = compare_blocks(p, &q, err);
	if (!r)
		r = compare_events(p, &q.t, err);
	if (!r)
		r = compare_tails(&p->t.src, p->tail, &q.t.src, tail, err);
	wm_repack_plan_release(&q);
	return r;
}
