/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/access_tokens.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "analyze/lib/trace/rans.h"
#include "wm/access_format.h"
#include "wm/trace_format.h"

/* A column that is being read.  Places are indices into `lists`. */
struct column {
	struct wm_column in;
	uint64_t size, tokens, rest;
	uint8_t *lists;
	size_t used;
	size_t follow[256]; /* tokens after a token with this first byte */
	size_t follow_at[256], follow_end[256];
	size_t first[256]; /* tokens with this first byte */
	size_t jump_at[256];
	const uint8_t *rest_at, *rest_end;
};

static enum wm_status malformed(struct wm_err *err)
{
	return wm_malformed("LOADS", err);
}

void wm_access_lists_release(struct wm_access_lists *l)
{
	free(l->tokens);
	free(l->lists);
	memset(l, 0, sizeof(*l));
}

static unsigned jump_bytes(unsigned first)
{
	unsigned n = first >> WMA_JUMP_SHIFT & 7;

	return n == WMA_JUMP_WIDE ? 8 : n;
}

static bool take_head(struct column *c)
{
	return wm_take(&c->in, &c->size) && c->size <= WMT_MAX_LISTS &&
	       wm_take(&c->in, &c->tokens) && c->tokens <= c->size &&
	       wm_take(&c->in, &c->rest) && c->rest <= c->size - c->tokens;
}

/* Reads sizes of lists; each 0 is followed by the number of further zeros. */
static bool take_counts(struct column *c)
{
	uint64_t sum = 0, n;

	for (unsigned i = 0; sum < c->tokens; i++) {
		if (i > 255 || !wm_take(&c->in, &n) || n > c->tokens - sum)
			return false;
		c->follow[i] = (size_t)n;
		sum += n;
		if (n)
			continue;
		if (c->in.p == c->in.end)
			return false;
		i += *c->in.p++;
	}
	return true;
}

static bool take_list(struct column *c, size_t n)
{
	if (!n)
		return true;
	if (n > c->size - c->used)
		return false;
	c->in.p = wm_rans_plane(c->in.p, c->in.end, c->lists + c->used, n);
	c->used += n;
	return c->in.p != NULL;
}

static bool take_lists(struct column *c)
{
	if (!take_list(c, (size_t)c->rest))
		return false;
	c->rest_at = c->lists;
	c->rest_end = c->lists + c->used;
	for (unsigned i = 0; i < 256; i++) {
		c->follow_at[i] = c->used;
		if (!take_list(c, c->follow[i]))
			return false;
		c->follow_end[i] = c->used;
		for (size_t k = c->follow_at[i]; k < c->used; k++)
			c->first[c->lists[k]]++;
	}
	for (unsigned i = 0; i < 256; i++) {
		c->jump_at[i] = c->used;
		for (unsigned k = 0; k < jump_bytes(i); k++)
			if (!take_list(c, c->first[i]))
				return false;
	}
	return c->used == c->size && c->in.p == c->in.end;
}

/* Returns the end of @varints varints from @p on, or NULL. */
static const uint8_t *skip(const struct column *c, const uint8_t *p,
			   unsigned varints)
{
	for (; varints && p; varints--) {
		while (p < c->rest_end && *p & 0x80)
			p++;
		p = p < c->rest_end ? p + 1 : NULL;
	}
	return p;
}

static const uint8_t *skip_special(const struct column *c, const uint8_t *p)
{
	if (!p || p == c->rest_end)
		return NULL;
	switch (*p++) {
	case WMA_SPOT:
		p = skip(c, p, 1);
		return p && p < c->rest_end ? skip(c, p + 1, 1) : NULL;
	case WMA_EVENTS:
	case WMA_SIZE:
		return skip(c, p, 1);
	case WMA_SEEN:
		return p < c->rest_end ? skip(c, p + 1, 2u * *p) : NULL;
	default:
		return p;
	}
}

/* Copies other bytes than first bytes and jumps; returns the end, or NULL. */
static uint8_t *give_rest(struct column *c, unsigned first, uint8_t *to)
{
	const uint8_t *p = c->rest_at;
	size_t n;

	if (first >> WMA_RUN_SHIFT == WMA_RUN_MORE)
		p = skip(c, p, 1);
	if ((first & WMA_WHERE) == WMA_NUMBER)
		p = skip(c, p, 1);
	else if ((first & WMA_WHERE) == WMA_SPECIAL)
		p = skip_special(c, p);
	if (!p)
		return NULL;
	n = (size_t)(p - c->rest_at);
	if (n)
		memcpy(to, c->rest_at, n);
	c->rest_at = p;
	return to + n;
}

/* @to has space for all bytes, as each byte of a list is copied once. */
static bool give_tokens(struct column *c, uint8_t *to)
{
	unsigned before = 0, first;

	for (uint64_t n = c->tokens; n; n--, before = first) {
		size_t jump;

		if (c->follow_at[before] == c->follow_end[before])
			return false;
		first = c->lists[c->follow_at[before]++];
		*to++ = (uint8_t)first;
		if ((first & WMA_WHERE) > WMA_OTHER ||
		    first >> WMA_RUN_SHIFT == WMA_RUN_MORE) {
			to = give_rest(c, first, to);
			if (!to)
				return false;
		}
		jump = c->jump_at[first]++;
		for (unsigned bytes = jump_bytes(first); bytes; bytes--) {
			*to++ = c->lists[jump];
			jump += c->first[first];
		}
	}
	return c->rest_at == c->rest_end;
}

enum wm_status wm_access_lists_unpack(struct wm_access_lists *l,
				      const uint8_t *p, size_t n, size_t *size,
				      struct wm_err *err)
{
	struct column c = { .in = { p, p + n } };
	uint8_t *tokens;

	if (!take_head(&c) || !take_counts(&c))
		return malformed(err);
	c.lists = WM_ROOM(l->lists, l->list_cap, (size_t)c.size + 1);
	tokens = WM_ROOM(l->tokens, l->token_cap, (size_t)c.size + 1);
	if (!c.lists || !tokens)
		return wm_no_memory(err, NULL);
	if (!take_lists(&c) || !give_tokens(&c, tokens))
		return malformed(err);
	*size = (size_t)c.size;
	return WM_OK;
}
