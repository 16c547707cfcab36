/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/repack/repack_choose.h"

#include <stdbool.h>

#include "analyze/repack/repack_rans.h"

/* From this many bytes on a sample says whether LZMA2 is worth a try. */
#define LARGE (96u << 10)
#define SAMPLE (48u << 10)
/* What a packed column costs besides. */
#define OVERHEAD 64

/* LZMA2 is worth its time: 10 % and more are saved. */
static bool is_worth(size_t lzma, size_t packed)
{
	return lzma + lzma / 10 < packed + OVERHEAD;
}

/* Whether LZMA2 may be worth a try on @way. */
static enum wm_status is_promising(struct wm_chooser *c,
				   const struct wm_octets *b, size_t planes,
				   int *yes, struct wm_err *err)
{
	const uint8_t *at = b->p + (b->len - SAMPLE) / 2 / 4 * 4;
	struct wm_octets packed = { 0 };
	enum wm_status r;

	wm_rans_pack(&packed, at, SAMPLE, planes);
	r = packed.failed ? wm_no_memory(err, NULL) :
			    wm_pack_quickly(&c->other, at, SAMPLE, err);
	/* half of what is_worth() asks for */
	*yes = c->other.block.len + c->other.block.len / 20 <
	       packed.len + OVERHEAD;
	wm_octets_release(&packed);
	return r;
}

/* The smallest of the ways by LZMA2; *@best: which one, or @n: none. */
static enum wm_status try_lzma(struct wm_chooser *c, const struct wm_way *way,
			       size_t n, size_t planes, struct wm_packed *to,
			       size_t *best, struct wm_err *err)
{
	enum wm_status r = WM_OK;
	struct wm_packed swap;
	size_t i;
	int yes;

	*best = n;
	for (i = 0; i < n && !r; i++) {
		yes = 1;
		if (way[i].bytes->len >= LARGE)
			r = is_promising(c, way[i].bytes, planes, &yes, err);
		if (!r && yes)
			r = wm_pack_like(&c->other, way[i].like,
					 way[i].bytes->p, way[i].bytes->len,
					 err);
		if (r || !yes ||
		    (*best < n && c->other.block.len >= to->block.len))
			continue;
		swap = *to;
		*to = c->other;
		c->other = swap;
		*best = i;
	}
	return r;
}

enum wm_status wm_choose(struct wm_chooser *c, const struct wm_way *way,
			 size_t n, size_t planes, struct wm_packed *to,
			 uint8_t *encoding, struct wm_err *err)
{
	size_t i, lzma, small = 0, plain = 0;
	enum wm_status r;

	for (i = 0; i < n; i++) {
		wm_rans_pack(&c->rans[i], way[i].bytes->p, way[i].bytes->len,
			     planes);
		if (c->rans[i].failed)
			return wm_no_memory(err, NULL);
		if (c->rans[i].len < c->rans[small].len)
			small = i;
		if (way[i].bytes->len < way[plain].bytes->len)
			plain = i;
	}
	r = try_lzma(c, way, n, planes, to, &lzma, err);
	if (r)
		return r;
	if (lzma < n && is_worth(to->block.len, c->rans[small].len)) {
		*encoding = way[lzma].encoding;
		return WM_OK;
	}
	/* 2 % are not worth even that */
	if (way[plain].bytes->len <=
	    c->rans[small].len + c->rans[small].len / 50) {
		*encoding = way[plain].encoding;
		return wm_pack_stored(to, way[plain].bytes->p,
				      way[plain].bytes->len, err);
	}
	*encoding = way[small].encoding | WMT_ENC_PACKED;
	return wm_pack_stored(to, c->rans[small].p, c->rans[small].len, err);
}

void wm_chooser_release(struct wm_chooser *c)
{
	wm_packed_release(&c->other);
	wm_octets_release(&c->rans[0]);
	wm_octets_release(&c->rans[1]);
}
