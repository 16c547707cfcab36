/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/repack/repack_plan.h"

#include "analyze/base/vec.h"
#include "analyze/repack/repack_known.h"
#include "analyze/trace/block.h"
#include "analyze/trace/decode.h"

bool wm_repack_plan_field(const uint8_t **at, struct wm_part_field *f)
{
	const uint8_t *end = *at + WM_VARINT_MAX;
	uint64_t size;

	*at = wm_varint_get(*at, end, &f->tag);
	if (!*at || f->tag == 0)
		return false;
	*at = wm_varint_get(*at, *at + WM_VARINT_MAX, &size);
	if (!*at)
		return false;
	f->data = *at;
	f->size = (size_t)size;
	*at += f->size;
	return true;
}

/* ---- blocks and heads ---- */

static bool known_column(uint64_t id)
{
#define X(name, number, encoding) [number] = 1,
	static const uint8_t known[WMT_COL_LIMIT] = { WMT_COLUMN_LIST(X) };
#undef X

	return id < WMT_COL_LIMIT && known[id];
}

static void take_head(struct wm_repack_plan_block *b, const struct wm_head *h)
{
	size_t i;

	b->type = (uint8_t)h->type;
	b->thread = wm_head_uint(h, WMT_F_THREAD);
	b->tid = wm_head_uint(h, WMT_F_TID);
	b->at = wm_head_uint(h, WMT_F_THREAD_AT);
	b->events = wm_head_uint(h, WMT_F_EVENTS);
	b->event_first = wm_head_uint(h, WMT_F_EVENT_FIRST);
	b->time_first = wm_head_uint(h, WMT_F_TIME_FIRST);
	b->time_last = wm_head_uint(h, WMT_F_TIME_LAST);
	b->shift = wm_head_uint(h, WMT_F_TIME_SHIFT);
	b->generation = wm_head_uint(h, WMT_F_GENERATION);
	b->stack_first = wm_head_uint(h, WMT_F_STACK_FIRST);
	b->stacks = wm_head_uint(h, WMT_F_STACKS);
	b->name_first = wm_head_uint(h, WMT_F_NAME_FIRST);
	b->parts = wm_head_uint(h, WMT_F_PARTS);
	b->dict_encoding = wm_block_column_encoding(h, WMT_COL_DICT);
	b->frame_first = wm_head_uint(h, WMT_F_FRAME_FIRST);
	b->frames = wm_head_uint(h, WMT_F_FRAMES);
	b->stays = (h->type != WMT_BLOCK_EVENTS &&
		    h->type != WMT_BLOCK_STACKS) ||
		   wm_head_has(h, WMT_F_PARTS);
	b->numbered = wm_head_has(h, WMT_F_EVENT_FIRST);
	b->joined = wm_head_has(h, WMT_F_PARTS);
	for (i = 0; i < h->columns; i++) {
		if (!known_column(h->column[i].id))
			b->stays = 1;
		else
			b->has[h->column[i].id] = h->column[i].size != 0;
	}
}

/* The head in the first xz Block of the Stream that @xz is at. */
static enum wm_status read_head(struct wm_repack_plan *p, struct wm_xz *xz,
				struct wm_repack_plan_block *b,
				struct wm_head *h, struct wm_err *err)
{
	struct wm_xz_block x;
	enum wm_status r;
	uint8_t *to;

	r = wm_xz_next(xz, &x, err);
	if (r)
		return r;
	/* varints may be looked for a little behind the end */
	to = wm_octets_room(&p->heads, (size_t)x.size + 2 * WM_VARINT_MAX);
	if (!to)
		return wm_no_memory(err, NULL);
	memset(to + x.size, 0, 2 * WM_VARINT_MAX);
	r = wm_xz_decode(&p->t.src, &x, to, err);
	if (!r)
		r = wm_head_parse(h, to, (size_t)x.size, err);
	if (r)
		return r;
	b->head = p->heads.len;
	b->head_size = (size_t)x.size;
	p->heads.len += (size_t)x.size;
	take_head(b, h);
	return WM_OK;
}

/* The blocks before p->tail and before number @limit. */
static enum wm_status read_blocks(struct wm_repack_plan *p, uint64_t limit,
				  struct wm_err *err)
{
	struct wm_head *h = malloc(sizeof(*h));
	struct wm_xz xz = { 0 };
	struct wm_xz_block x;
	enum wm_status r = h ? WM_OK : wm_no_memory(err, NULL);
	uint64_t at = 0;

	while (!r && at < p->tail && p->count < limit) {
		struct wm_repack_plan_block *b;

		b = WM_MORE(p->block, p->cap, p->count);
		if (!b) {
			r = wm_no_memory(err, NULL);
			break;
		}
		b->offset = at;
		r = wm_xz_begin(&xz, &p->t.src, at, err);
		if (!r)
			r = read_head(p, &xz, b, h, err);
		while (!r)
			r = wm_xz_next(&xz, &x, err);
		if (r == WM_END) {
			r = WM_OK;
			at = xz.pos;
			p->count++;
		}
	}
	p->tail = at;
	wm_xz_release(&xz);
	free(h);
	return r;
}

/* ---- are all events readable? ---- */

enum wm_status wm_repack_plan_events(const struct wm_trace *t,
				     const struct wm_event_block *b,
				     struct wm_event_data *d,
				     wm_repack_plan_slice *f, void *context,
				     struct wm_err *err)
{
	struct wm_slice *s = malloc(sizeof(*s));
	struct wm_cursor c;
	struct wm_err why;
	enum wm_status r;

	if (!s)
		return wm_no_memory(err, NULL);
	r = wm_trace_load(t, b, d, err);
	if (!r) {
		r = wm_cursor_init(&c, t, b, d, &why);
		c.numbers = 1;
		while (!r && !(r = wm_cursor_next(&c, s, &why)))
			r = f(context, s, c.shift, &why);
		if (r != WM_END)
			wm_trace_blame(t, b->number, b->offset, r, why.text,
				       err);
	}
	free(s);
	return r == WM_END ? WM_OK : r;
}

static enum wm_status look_at_slice(void *context, const struct wm_slice *s,
				    unsigned shift, struct wm_err *err)
{
	(void)shift;
	return wm_known_look_at(context, s, err);
}

/* The number of the first block whose events cannot be read; and whether
 * numbers would do for all events. */
static enum wm_status find_damage(struct wm_repack_plan *p, uint64_t max_blocks,
				  uint64_t *bad, struct wm_err *damage)
{
	const struct wm_trace *t = &p->t;
	struct wm_known_look look;
	struct wm_event_data d;
	struct wm_err why;
	enum wm_status r;
	size_t i;

	r = wm_known_look_init(&look, t, max_blocks, damage);
	wm_event_data_init(&d, t);
	for (i = 0; i < p->count; i++)
		if (p->block[i].type == WMT_BLOCK_EVENTS && p->block[i].stays)
			look.good = false;
	for (i = 0; i < t->block_count && r != WM_NO_MEMORY; i++) {
		if (t->blocks[i].number >= *bad)
			continue;
		r = wm_repack_plan_events(t, &t->blocks[i], &d, look_at_slice,
					  &look, &why);
		if (!r)
			continue;
		*damage = why;
		*bad = t->blocks[i].number;
	}
	p->may_number = look.good;
	wm_event_data_release(&d);
	wm_known_look_release(&look);
	return r == WM_NO_MEMORY ? r : WM_OK;
}

enum wm_status wm_repack_plan_open(struct wm_repack_plan *p, const char *path,
				   const char *name, uint64_t limit,
				   const struct wm_err *damage,
				   struct wm_err *err)
{
	uint64_t stood;
	enum wm_status r;

	memset(p, 0, sizeof(*p));
	r = wm_trace_open_alone(&p->t, path, name, limit, damage, &stood, err);
	if (r)
		return r;
	p->tail = p->t.read_bytes;
	r = read_blocks(p, limit, err);
	if (r)
		wm_repack_plan_release(p);
	return r;
}

enum wm_status wm_repack_plan_read(struct wm_repack_plan *p, const char *path,
				   const char *name, uint64_t max_blocks,
				   struct wm_err *err)
{
	uint64_t limit = WM_ALL_BLOCKS, bad = limit;
	struct wm_err damage = { "" };
	enum wm_status r;

	for (;;) {
		r = wm_repack_plan_open(p, path, name, limit,
					damage.text[0] ? &damage : NULL, err);
		if (!r)
			r = find_damage(p, max_blocks, &bad, &damage);
		if (r || bad == limit)
			return r;
		limit = bad;
		wm_repack_plan_release(p);
	}
}

void wm_repack_plan_release(struct wm_repack_plan *p)
{
	wm_trace_release(&p->t);
	free(p->block);
	wm_octets_release(&p->heads);
	memset(p, 0, sizeof(*p));
	p->t.src.fd = -1;
}

/* ---- columns ---- */

struct one_column {
	uint64_t id;
	struct wm_octets *out;
};

static enum wm_status take_one(void *context, const struct wm_head_column *c,
			       const uint8_t *data, struct wm_err *err)
{
	struct one_column *one = context;

	if (c->id == one->id)
		wm_octets_add(one->out, data, (size_t)c->size);
	return one->out->failed ? wm_no_memory(err, NULL) : WM_OK;
}

static enum wm_status decode_column(struct wm_repack_plan *p,
				    const struct wm_xz_block *x,
				    struct wm_octets *buf, struct wm_err *err)
{
	uint8_t *to;

	buf->len = 0;
	to = wm_octets_room(buf, (size_t)x->size);
	return to ? wm_xz_decode(&p->t.src, x, to, err) :
		    wm_no_memory(err, NULL);
}

enum wm_status wm_repack_plan_columns(struct wm_repack_plan *p, size_t i,
				      wm_repack_plan_each *f, void *context,
				      struct wm_err *err)
{
	const struct wm_repack_plan_block *b = &p->block[i];
	struct wm_head *h = malloc(sizeof(*h));
	struct wm_octets buf = { 0 };
	struct wm_xz xz = { 0 };
	struct wm_xz_block x;
	struct wm_err why;
	enum wm_status r = h ? WM_OK : wm_no_memory(&why, NULL);
	size_t k;

	if (!r)
		r = wm_head_parse(h, p->heads.p + b->head, b->head_size, &why);
	if (!r)
		r = wm_xz_begin(&xz, &p->t.src, b->offset, &why);
	if (!r)
		r = wm_xz_next(&xz, &x, &why);
	for (k = 0; !r && k < h->columns; k++) {
		const struct wm_head_column *c = &h->column[k];

		buf.len = 0;
		if (c->size)
			r = wm_xz_next(&xz, &x, &why);
		if (!r && c->size)
			r = decode_column(p, &x, &buf, &why);
		if (!r)
			r = f(context, c, buf.p, &why);
	}
	wm_xz_release(&xz);
	wm_octets_release(&buf);
	free(h);
	if (r)
		wm_trace_blame(&p->t, i, b->offset, r, why.text, err);
	return r;
}

enum wm_status wm_repack_plan_column(struct wm_repack_plan *p, size_t i,
				     uint64_t column, struct wm_octets *out,
				     struct wm_err *err)
{
	struct one_column one = { column, out };

	out->len = 0;
	return wm_repack_plan_columns(p, i, take_one, &one, err);
}
