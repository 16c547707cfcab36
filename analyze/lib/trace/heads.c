/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/lib/trace/heads.h"

#include <string.h>

#include "analyze/lib/trace/head.h"

#define PREFIX (WMT_PREFIX_SIZE - WMT_MAGIC_SIZE)

void wm_heads_begin(struct wm_heads *h, const uint8_t *data, size_t size)
{
	memset(h, 0, sizeof(*h));
	h->p = data;
	h->end = data + size;
}

static bool take(struct wm_heads *h, uint64_t *v)
{
	const uint8_t *p = wm_varint_get(h->p, h->end, v);

	if (p)
		h->p = p;
	return p != NULL;
}

/* @n numbers as differences to the last ones of their field. */
static bool copy_numbers(struct wm_heads *h, uint64_t tag, unsigned n,
			 struct wm_octets *out)
{
	uint8_t numbers[3 * WM_VARINT_MAX], *to = numbers;
	uint64_t code;

	if (tag >= WMT_HEADS_TAGS)
		return false;
	for (unsigned i = 0; i < n; i++) {
		if (!take(h, &code))
			return false;
		h->last[tag][i] += (uint64_t)wm_unzigzag(code);
		to = wm_varint_put(to, h->last[tag][i]);
	}
	wm_octets_varint(out, (uint64_t)(to - numbers));
	wm_octets_add(out, numbers, (size_t)(to - numbers));
	return true;
}

static bool copy_field(struct wm_heads *h, uint64_t code, struct wm_octets *out)
{
	uint64_t size;

	if (!(code >> 2))
		return false;
	wm_octets_varint(out, code >> 2);
	if (code & 3)
		return copy_numbers(h, code >> 2, code & 3, out);
	if (!take(h, &size) || size > (uint64_t)(h->end - h->p))
		return false;
	wm_octets_varint(out, size);
	wm_octets_add(out, h->p, (size_t)size);
	h->p += size;
	return true;
}

/* How many columns there are, and three numbers of each. */
static bool copy_columns(struct wm_heads *h, struct wm_octets *out)
{
	uint64_t n, v;

	if (!take(h, &n) || n > WM_MAX_COLUMNS)
		return false;
	wm_octets_varint(out, n);
	for (n *= 3; n; n--) {
		if (!take(h, &v))
			return false;
		wm_octets_varint(out, v);
	}
	return true;
}

bool wm_heads_next(struct wm_heads *h, struct wm_octets *out)
{
	uint64_t code;

	out->len = 0;
	if (h->end - h->p < PREFIX)
		return false;
	wm_octets_add(out, WMT_MAGIC, WMT_MAGIC_SIZE);
	wm_octets_add(out, h->p, PREFIX);
	h->p += PREFIX;
	for (;;) {
		if (!take(h, &code))
			return false;
		if (!code)
			break;
		if (!copy_field(h, code, out))
			return false;
	}
	wm_octets_varint(out, 0);
	return copy_columns(h, out) && !out->failed;
}
