/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/repack/repack_loads.h"

#include <stdbool.h>

#include "analyze/repack/repack_rans.h"
#include "wm/access_format.h"
#include "wm/trace_format.h"

/* From this many bytes on a sample says whether LZMA2 is worth a try. */
#define LARGE (128u << 10)
#define SAMPLE (48u << 10)

struct lists {
	struct wm_octets follow[256], jump[256][8], rest;
	size_t tokens;
};

static unsigned jump_bytes(unsigned first)
{
	unsigned n = first >> WMA_JUMP_SHIFT & 7;

	return n == WMA_JUMP_WIDE ? 8 : n;
}

/* The end of @varints varints from @p on; NULL: there is none. */
static const uint8_t *skip(const uint8_t *p, const uint8_t *end,
			   unsigned varints)
{
	for (; varints && p; varints--) {
		while (p < end && *p & 0x80)
			p++;
		p = p < end ? p + 1 : NULL;
	}
	return p;
}

static const uint8_t *skip_special(const uint8_t *p, const uint8_t *end)
{
	if (!p || p == end)
		return NULL;
	switch (*p++) {
	case WMA_SPOT:
		p = skip(p, end, 1);
		return p && p < end ? skip(p + 1, end, 1) : NULL;
	case WMA_EVENTS:
	case WMA_SIZE:
		return skip(p, end, 1);
	case WMA_SEEN:
		return p < end ? skip(p + 1, end, 2u * *p) : NULL;
	default:
		return p;
	}
}

/* Behind the rest of a token: what is neither its first byte nor its jump. */
static const uint8_t *skip_rest(const uint8_t *p, const uint8_t *end,
				unsigned first)
{
	if (first >> WMA_RUN_SHIFT == WMA_RUN_MORE)
		p = skip(p, end, 1);
	if ((first & WMA_WHERE) == WMA_NUMBER)
		return skip(p, end, 1);
	if ((first & WMA_WHERE) == WMA_SPECIAL)
		return skip_special(p, end);
	return p;
}

/* false: these are no tokens. */
static bool sort_tokens(struct lists *l, const uint8_t *p, size_t n)
{
	const uint8_t *end = p + n, *rest;
	unsigned before = 0, first;

	for (; p < end; before = first, l->tokens++) {
		first = *p++;
		wm_octets_byte(&l->follow[before], (uint8_t)first);
		rest = p;
		p = skip_rest(p, end, first);
		if (!p || (size_t)(end - p) < jump_bytes(first))
			return false;
		if (p != rest)
			wm_octets_add(&l->rest, rest, (size_t)(p - rest));
		for (unsigned k = 0; k < jump_bytes(first); k++)
			wm_octets_byte(&l->jump[first][k], *p++);
	}
	return true;
}

static void put_counts(struct wm_octets *to, const struct lists *l)
{
	size_t sum = 0;

	for (unsigned i = 0; sum < l->tokens; i++) {
		uint8_t zeros = 0;

		wm_octets_varint(to, l->follow[i].len);
		sum += l->follow[i].len;
		if (l->follow[i].len)
			continue;
		for (; !l->follow[i + 1].len; i++)
			zeros++;
		wm_octets_byte(to, zeros);
	}
}

/* One after the other, each released. */
static void put_list(struct wm_octets *to, struct wm_octets *list)
{
	to->failed |= list->failed;
	if (list->len && !to->failed)
		wm_rans_put_plane(to, list->p, list->len);
	wm_octets_release(list);
}

/* l->lists of @n bytes of tokens; it is empty if they are none. */
static enum wm_status make_lists(struct wm_loads *l, const uint8_t *p, size_t n,
				 struct wm_err *err)
{
	struct lists *all = calloc(1, sizeof(*all));
	struct wm_octets *to = &l->lists;
	bool fine;

	if (!all)
		return wm_no_memory(err, NULL);
	to->len = 0;
	fine = n <= WMT_MAX_LISTS && sort_tokens(all, p, n);
	if (fine) {
		wm_octets_varint(to, n);
		wm_octets_varint(to, all->tokens);
		wm_octets_varint(to, all->rest.len);
		put_counts(to, all);
	}
	put_list(to, &all->rest);
	for (unsigned i = 0; i < 256; i++)
		put_list(to, &all->follow[i]);
	for (unsigned i = 0; i < 256; i++)
		for (unsigned k = 0; k < 8; k++)
			put_list(to, &all->jump[i][k]);
	free(all);
	if (!fine)
		to->len = 0;
	return to->failed ? wm_no_memory(err, NULL) : WM_OK;
}

enum wm_status wm_loads_tokens(struct wm_loads *l,
			       const struct wm_head_column *c,
			       const uint8_t *data, const uint8_t **tokens,
			       size_t *n, struct wm_err *err)
{
	enum wm_status r;

	*tokens = data;
	*n = (size_t)c->size;
	if (c->encoding != WMT_ENC_LISTS)
		return WM_OK;
	r = wm_access_lists_unpack(&l->unpacked, data, *n, n, err);
	*tokens = l->unpacked.tokens;
	return r;
}

/* Is LZMA2 worth a try on @n bytes of tokens? */
static enum wm_status is_promising(struct wm_loads *l, const uint8_t *p,
				   size_t n, bool *yes, struct wm_err *err)
{
	enum wm_status r;

	*yes = true;
	if (n < LARGE || !l->lists.len)
		return WM_OK;
	r = wm_pack_column(&l->sample, p + (n - SAMPLE) / 2, SAMPLE, err);
	*yes = l->sample.block.len / (double)SAMPLE <
	       1.1 * (double)l->lists.len / (double)n;
	return r;
}

enum wm_status wm_loads_pack(struct wm_loads *l, const struct wm_head_column *c,
			     const uint8_t *data, struct wm_packed *to,
			     uint64_t *encoding, struct wm_err *err)
{
	struct wm_err why;
	const uint8_t *p;
	bool promising;
	enum wm_status r;
	size_t n;

	*encoding = c->encoding;
	/* lists that are none stay as they are */
	if (wm_loads_tokens(l, c, data, &p, &n, &why))
		return wm_pack_column(to, data, (size_t)c->size, err);
	r = make_lists(l, p, n, err);
	if (!r)
		r = is_promising(l, p, n, &promising, err);
	if (r)
		return r;
	*encoding = WMT_ENC_TOKENS;
	if (promising)
		r = wm_pack_column(to, p, n, err);
	if (r || !l->lists.len || (promising && to->block.len < l->lists.len))
		return r;
	*encoding = WMT_ENC_LISTS;
	return wm_pack_stored(to, l->lists.p, l->lists.len, err);
}

void wm_loads_release(struct wm_loads *l)
{
	wm_access_lists_release(&l->unpacked);
	wm_octets_release(&l->lists);
	wm_packed_release(&l->sample);
}
