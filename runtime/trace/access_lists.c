/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/trace/access_lists.h"

#include <stdbool.h>
#include <string.h>

#include "wm/access_format.h"
#include "wm/varint.h"

#include "runtime/trace/plane.h"

struct kind {
	uint32_t used;
	uint32_t follow; /* index of the list of the first bytes that follow */
	uint32_t jump; /* index of the lists of the bytes of its jumps */
	uint32_t tokens; /* length of each list of jumps */
};

#define HAS_REST 16 /* between first byte and jump */

struct work {
	struct kind kind[256];
	uint8_t shape[256]; /* bytes of the jump, HAS_REST */
	uint32_t follow[256]; /* tokens after a token with this first byte */
	size_t tokens, rest;
	struct wm_plane_room plane;
};

static unsigned jump_bytes(unsigned first)
{
	unsigned n = first >> WMA_JUMP_SHIFT & 7;

	return n == WMA_JUMP_WIDE ? 8 : n;
}

static const uint8_t *skip(const uint8_t *p, unsigned varints)
{
	while (varints--)
		while (*p++ & 0x80)
			;
	return p;
}

static void begin(struct work *w)
{
	memset(w, 0, sizeof(*w));
	for (unsigned i = 0; i < 256; i++)
		w->shape[i] = (uint8_t)(jump_bytes(i) |
					((i & WMA_WHERE) > WMA_OTHER ||
							 i >> WMA_RUN_SHIFT ==
								 WMA_RUN_MORE ?
						 HAS_REST :
						 0));
}

/* Returns the end of the rest of a token, which begins at @p, behind the first
 * byte.  The tokens are our own, and zero bytes follow them. */
static const uint8_t *rest_end(const uint8_t *p, unsigned first)
{
	unsigned what;

	if (first >> WMA_RUN_SHIFT == WMA_RUN_MORE)
		p = skip(p, 1);
	if ((first & WMA_WHERE) == WMA_NUMBER)
		return skip(p, 1);
	if ((first & WMA_WHERE) != WMA_SPECIAL)
		return p;
	what = *p++;
	if (what == WMA_SPOT)
		return skip(skip(p, 1) + 1, 1);
	if (what == WMA_EVENTS || what == WMA_SIZE)
		return skip(p, 1);
	if (what == WMA_SEEN)
		return skip(p + 1, 2u * *p);
	return p;
}

static bool count_tokens(struct work *w, const uint8_t *p, size_t n)
{
	const uint8_t *end = p + n;
	unsigned before = 0;

	while (p < end) {
		unsigned first = *p++, bytes = w->shape[first];

		w->follow[before]++;
		if (bytes & HAS_REST) {
			const uint8_t *rest = rest_end(p, first);

			w->rest += (size_t)(rest - p);
			p = rest;
			bytes -= HAS_REST;
		}
		p += bytes;
		before = first;
	}
	for (unsigned i = 0; i < 256; i++) {
		w->kind[i].tokens = w->follow[i];
		w->tokens += w->follow[i];
	}
	w->kind[0].tokens--;
	w->kind[before].tokens++;
	return p == end;
}

static void place(struct work *w)
{
	size_t at = w->rest;

	for (unsigned i = 0; i < 256; i++) {
		w->kind[i].follow = (uint32_t)at;
		at += w->follow[i];
	}
	for (unsigned i = 0; i < 256; i++) {
		w->kind[i].jump = (uint32_t)at;
		at += (size_t)w->kind[i].tokens * jump_bytes(i);
	}
	/* kind 0 also counts the start, before any token */
	w->kind[0].jump--;
}

static void sort_bytes(struct work *w, const uint8_t *p, size_t n, uint8_t *to)
{
	const uint8_t *end = p + n;
	struct kind *before = &w->kind[0];
	uint8_t *rest_at = to;

	while (p < end) {
		unsigned first = *p++, bytes = w->shape[first];
		struct kind *k = &w->kind[first];
		uint8_t *jump;

		to[before->follow + before->used++] = (uint8_t)first;
		before = k;
		if (bytes & HAS_REST) {
			size_t rest = (size_t)(rest_end(p, first) - p);

			memcpy(rest_at, p, rest);
			rest_at += rest;
			p += rest;
			bytes -= HAS_REST;
		}
		jump = to + k->jump + k->used;
		for (; bytes; bytes--) {
			*jump = *p++;
			jump += k->tokens;
		}
	}
}

static uint8_t *put_counts(uint8_t *to, const struct work *w)
{
	size_t sum = 0;

	for (unsigned i = 0; sum < w->tokens; i++) {
		uint8_t zeros = 0;

		to = wm_varint_put(to, w->follow[i]);
		sum += w->follow[i];
		if (w->follow[i])
			continue;
		for (; !w->follow[i + 1]; i++)
			zeros++;
		*to++ = zeros;
	}
	return to;
}

struct output {
	uint8_t *p, *end;
	const uint8_t *from; /* bytes that are in no list yet */
};

/* Returns false if the list may not fit. */
static bool put_list(struct output *o, size_t n, struct work *w)
{
	if (!n)
		return true;
	if ((size_t)(o->end - o->p) < WM_PLANE_MOST(n))
		return false;
	o->p = wm_plane_put(o->p, o->from, n, &w->plane);
	o->from += n;
	return true;
}

static bool put_lists(struct output *o, struct work *w)
{
	bool fits = put_list(o, w->rest, w);

	for (unsigned i = 0; i < 256 && fits; i++)
		fits = put_list(o, w->follow[i], w);
	for (unsigned i = 0; i < 256 && fits; i++)
		for (unsigned k = 0; k < jump_bytes(i) && fits; k++)
			fits = put_list(o, w->kind[i].tokens, w);
	return fits;
}

/* three varints, the counts, and one byte for each list */
#define MOST_BESIDES (3 * 10 + 256 * 5 + 1 + 256 + 256 * 8)

size_t wm_access_lists_room(size_t n)
{
	/* sorted, words, lists */
	return sizeof(struct work) + n + (2 * n + 2) + n + MOST_BESIDES;
}

const uint8_t *wm_access_lists_make(const uint8_t *p, size_t n, void *room,
				    size_t *size)
{
	struct work *w = room;
	uint8_t *sorted = (uint8_t *)(w + 1), *out;
	struct output o;

	begin(w);
	if (!n || !count_tokens(w, p, n))
		return NULL;
	place(w);
	sort_bytes(w, p, n, sorted);
	w->plane.words = sorted + n;
	out = w->plane.words + 2 * n + 2;
	o = (struct output){ out, out + n + MOST_BESIDES, sorted };
	o.p = wm_varint_put(o.p, n);
	o.p = wm_varint_put(o.p, w->tokens);
	o.p = wm_varint_put(o.p, w->rest);
	o.p = put_counts(o.p, w);
	if (!put_lists(&o, w))
		return NULL;
	*size = (size_t)(o.p - out);
	return *size < n ? out : NULL;
}
