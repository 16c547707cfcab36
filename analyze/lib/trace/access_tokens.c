/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/access_tokens.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "wm/access_format.h"

#define MOST_SPOTS 65535
#define MOST_BYTES (UINT64_C(1) << 48)
#define MOST_SEEN 4096
#define MOST_SEEN_OF_TOKEN 255

struct wm_spot_model {
	uint64_t last, stride, bytes;
	uint64_t near; /* distance from the thread's access before */
	uint32_t jump, missed, mark; /* low halves */
	uint32_t next, other;
	uint8_t visits; /* 0 to 2 */
	bool is_near;
};

static enum wm_status malformed(struct wm_err *err)
{
	return wm_malformed("LOADS", err);
}

static void forget(struct wm_access_tokens *d)
{
	d->spots = d->cur = 0;
	d->pc = 0;
	d->sized = false;
	d->resets++;
	if (d->noted)
		memset(d->noted, 0, d->noted_cap * sizeof(*d->noted));
}

void wm_access_tokens_release(struct wm_access_tokens *d)
{
	free(d->spot);
	free(d->model);
	free(d->seen);
	free(d->noted);
	memset(d, 0, sizeof(*d));
}

size_t wm_access_tokens_memory(const struct wm_access_tokens *d)
{
	return d->spot_cap * sizeof(*d->spot) +
	       d->model_cap * sizeof(*d->model) +
	       d->seen_cap * sizeof(*d->seen) +
	       d->noted_cap * sizeof(*d->noted);
}

void wm_access_tokens_add(struct wm_access_tokens *d, const uint8_t *p,
			  size_t size, uint64_t accesses)
{
	d->in = (struct wm_column){ p, p + size };
	d->left = accesses;
	d->pending = false;
	d->run = 0;
}

static bool take_byte(struct wm_access_tokens *d, unsigned *v)
{
	if (d->in.p == d->in.end)
		return false;
	*v = *d->in.p++;
	return true;
}

static bool take_first(struct wm_access_tokens *d)
{
	if (!take_byte(d, &d->first))
		return false;
	d->run = d->first >> WMA_RUN_SHIFT;
	if (d->run == WMA_RUN_MORE) {
		if (!wm_take(&d->in, &d->run))
			return false;
		d->run += WMA_RUN_MORE;
	}
	d->pending = true;
	return d->run <= d->left;
}

static enum wm_status new_spot(struct wm_access_tokens *d, struct wm_err *err)
{
	struct wm_spot *spot;
	struct wm_spot_model *model;
	uint64_t pc, bytes;
	unsigned what;

	if (!wm_take(&d->in, &pc) || !take_byte(d, &what) ||
	    !wm_take(&d->in, &bytes) || bytes > MOST_BYTES ||
	    d->spots == MOST_SPOTS)
		return malformed(err);
	d->spots++;
	spot = WM_ROOM(d->spot, d->spot_cap, d->spots + 1);
	model = WM_ROOM(d->model, d->model_cap, d->spots + 1);
	if (!spot || !model)
		return wm_no_memory(err, NULL);
	d->pc += (uint64_t)wm_unzigzag(pc);
	spot[d->spots] = (struct wm_spot){
		.pc = d->pc,
		.kind = what & WMA_KIND,
		.how = (uint8_t)(what >> WMA_HOW_SHIFT),
	};
	memset(&model[d->spots], 0, sizeof(*model));
	model[d->spots].bytes = bytes;
	return WM_OK;
}

static enum wm_status take_seen(struct wm_access_tokens *d, struct wm_err *err)
{
	struct wm_access_seen *seen;
	uint64_t stream, count, *noted;
	unsigned n;

	if (!take_byte(d, &n))
		return malformed(err);
	seen = WM_ROOM(d->seen, d->seen_cap, d->seen_count + n + 1);
	if (!seen)
		return wm_no_memory(err, NULL);
	for (; n; n--) {
		if (!wm_take(&d->in, &stream) || stream >= UINT32_MAX ||
		    !wm_take(&d->in, &count) || count > MOST_BYTES)
			return malformed(err);
		if (stream < WMA_SEEN_STREAMS) {
			noted = WM_ZEROED(d->noted, d->noted_cap, stream + 1);
			if (!noted)
				return wm_no_memory(err, NULL);
			count = noted[stream] += count;
		}
		if (count > MOST_BYTES)
			return malformed(err);
		seen[d->seen_count++] = (struct wm_access_seen){
			d->events, count, (uint32_t)stream
		};
	}
	return WM_OK;
}

static enum wm_status take_special(struct wm_access_tokens *d,
				   struct wm_err *err)
{
	uint64_t v;
	unsigned what;

	if (!take_byte(d, &what))
		return malformed(err);
	switch (what) {
	case WMA_NOTHING:
		return WM_OK;
	case WMA_SPOT:
		return new_spot(d, err);
	case WMA_EVENTS:
		if (!wm_take(&d->in, &v) || v > MOST_BYTES)
			return malformed(err);
		d->events += v;
		return WM_OK;
	case WMA_SIZE:
		if (!wm_take(&d->in, &d->bytes) || d->bytes > MOST_BYTES)
			return malformed(err);
		d->sized = true;
		return WM_OK;
	case WMA_RESET:
		forget(d);
		return WM_OK;
	case WMA_GAP:
		d->gaps++;
		return WM_OK;
	case WMA_SEEN:
		return take_seen(d, err);
	default:
		return malformed(err);
	}
}

/* Learns, as the writer's choose_way() does, that @to followed @from. */
static void learn_way(struct wm_spot_model *from, uint32_t to, unsigned way)
{
	if (!from->next ||
	    (way == WMA_OTHER &&
	     (from->is_near || !from->stride ||
	      (uint32_t)from->last - from->mark == (uint32_t)from->stride))) {
		from->other = from->next;
		from->next = to;
	} else {
		from->other = to;
	}
	from->mark = (uint32_t)from->last;
}

static void learn_jump(struct wm_spot_model *s, uint64_t addr, uint64_t before)
{
	uint64_t jump = addr - s->last, near = addr - before;

	if (s->visits == 0) {
		s->visits = 1;
		s->stride = 0;
	} else if (s->visits == 1) {
		s->visits = 2;
		s->stride = jump;
	} else if ((uint32_t)s->last == s->missed) {
		if ((uint32_t)jump == s->jump) {
			s->stride = jump;
			s->is_near = false;
		} else if (near == s->near) {
			s->is_near = true;
		}
	}
	s->jump = (uint32_t)jump;
	s->missed = (uint32_t)addr;
	s->near = (uint64_t)(int64_t)(int32_t)(uint32_t)near;
}

static uint64_t predicted(const struct wm_spot_model *s, uint64_t before)
{
	return s->is_near ? before + s->near : s->last + s->stride;
}

static bool take_jump(struct wm_access_tokens *d, unsigned length, uint64_t *v)
{
	unsigned n = length == WMA_JUMP_WIDE ? 8 : length;

	if ((size_t)(d->in.end - d->in.p) < n)
		return false;
	*v = 0;
	for (unsigned i = 0; i < n; i++)
		*v |= (uint64_t)d->in.p[i] << 8 * i;
	d->in.p += n;
	return true;
}

static enum wm_status take_access(struct wm_access_tokens *d,
				  struct wm_access *out, struct wm_err *err)
{
	unsigned way = d->first & WMA_WHERE;
	unsigned length = d->first >> WMA_JUMP_SHIFT & 7;
	struct wm_spot_model *from, *s;
	uint64_t to = 0, jump, before;

	if (way == WMA_NUMBER && !wm_take(&d->in, &to))
		return malformed(err);
	if (!d->spots || (way != WMA_NUMBER && !d->cur))
		return malformed(err);
	from = &d->model[d->cur];
	if (way == WMA_NEXT)
		to = from->next;
	else if (way == WMA_OTHER)
		to = from->other;
	if (!to || to > d->spots || !d->left)
		return malformed(err);
	before = d->cur ? from->last : 0;
	if (d->cur && way != WMA_NEXT)
		learn_way(from, (uint32_t)to, way);
	s = &d->model[to];
	if (length) {
		if (!take_jump(d, length, &jump))
			return malformed(err);
		out->addr = s->last + (uint64_t)wm_unzigzag(jump);
		learn_jump(s, out->addr, before);
	} else {
		out->addr = predicted(s, before);
	}
	s->last = out->addr;
	if (d->sized)
		s->bytes = d->bytes;
	d->sized = false;
	out->bytes = s->bytes;
	out->spot = d->cur = (uint32_t)to;
	d->left--;
	return WM_OK;
}

/* Gives predicted accesses; returns false if there is no prediction. */
static bool give_run(struct wm_access_tokens *d, struct wm_access *out,
		     size_t room, size_t *n)
{
	size_t here = d->run < room ? (size_t)d->run : room;
	uint32_t cur = d->cur;

	*n = here;
	d->run -= here;
	d->left -= here;
	for (; here; here--, out++) {
		const struct wm_spot_model *from;
		struct wm_spot_model *s;

		if (!cur || !d->model[cur].next)
			return false;
		from = &d->model[cur];
		s = &d->model[cur = from->next];
		s->last = predicted(s, from->last);
		out->addr = s->last;
		out->bytes = s->bytes;
		out->spot = cur;
	}
	d->cur = cur;
	return true;
}

/* Returns whether the next token is about accesses of the next batch. */
static bool is_border(const struct wm_access_tokens *d)
{
	return d->in.p < d->in.end &&
	       (*d->in.p == WMA_EVENTS || *d->in.p == WMA_RESET ||
		*d->in.p == WMA_SEEN || *d->in.p == WMA_GAP);
}

enum wm_status wm_access_tokens_next(struct wm_access_tokens *d,
				     struct wm_access *out, size_t room,
				     size_t *n, struct wm_err *err)
{
	uint64_t events = d->events;
	enum wm_status r = WM_OK;
	size_t given;

	*n = d->seen_count = 0;
	while (*n < room && d->events == events && !r &&
	       d->seen_count < MOST_SEEN - MOST_SEEN_OF_TOKEN) {
		if (!d->pending) {
			if (d->in.p == d->in.end)
				return d->left		   ? malformed(err) :
				       *n || d->seen_count ? WM_OK :
							     WM_END;
			if (!take_first(d))
				return malformed(err);
		}
		if (d->run) {
			if (!give_run(d, out + *n, room - *n, &given))
				return malformed(err);
			*n += given;
			continue;
		}
		d->pending = false;
		if ((d->first & WMA_WHERE) != WMA_SPECIAL) {
			r = take_access(d, out + *n, err);
			*n += !r;
		} else if (*n && is_border(d)) {
			d->pending = true;
			break;
		} else {
			r = take_special(d, err);
			events = d->events;
		}
	}
	return r;
}
