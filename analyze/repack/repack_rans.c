/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/repack/repack_rans.h"

#include "analyze/trace/rans.h"

struct plane {
	const uint8_t *p; /* byte i is p[i * stride] */
	size_t n, stride;
	uint64_t count[256];
	uint32_t freq[256], first[256];
	unsigned used; /* symbols */
};

static void count_symbols(struct plane *t)
{
	size_t i;

	memset(t->count, 0, sizeof(t->count));
	for (i = 0; i < t->n; i++)
		t->count[t->p[i * t->stride]]++;
	t->used = 0;
	for (i = 0; i < 256; i++)
		t->used += t->count[i] != 0;
}

/* Frequencies that sum up to the total; what occurs has one. */
static void scale_counts(struct plane *t)
{
	uint32_t sum = 0, i, most = 0;

	for (i = 0; i < 256; i++) {
		t->freq[i] = (uint32_t)(t->count[i] * WM_RANS_TOTAL / t->n);
		if (t->count[i] && !t->freq[i])
			t->freq[i] = 1;
		sum += t->freq[i];
		if (t->freq[i] > t->freq[most])
			most = i;
	}
	if (sum <= WM_RANS_TOTAL)
		t->freq[most] += WM_RANS_TOTAL - sum;
	/* those that were lifted to 1: the others pay, in turn */
	for (i = 0; sum > WM_RANS_TOTAL; i = (i + 1) % 256)
		if (t->freq[i] > 1 && (t->freq[i] > 16 || i % 2)) {
			t->freq[i]--;
			sum--;
		}
	for (i = sum = 0; i < 256; i++) {
		t->first[i] = sum;
		sum += t->freq[i];
	}
}

static void put_table(struct wm_octets *to, const struct plane *t)
{
	uint32_t i, sum = 0;
	uint8_t zeros;

	for (i = 0; sum < WM_RANS_TOTAL; i++) {
		wm_octets_varint(to, t->freq[i]);
		sum += t->freq[i];
		if (t->freq[i])
			continue;
		for (zeros = 0; !t->freq[i + 1]; zeros++)
			i++;
		wm_octets_byte(to, zeros);
	}
}

/* What the reader takes first is made last. */
static void put_coded(struct wm_octets *to, struct plane *t)
{
	uint32_t state[WM_RANS_STATES], s;
	uint8_t *room, *at;
	size_t i = t->n;

	scale_counts(t);
	put_table(to, t);
	room = malloc(2 * t->n + 1);
	if (!room) {
		to->failed = 1;
		return;
	}
	at = room + 2 * t->n;
	for (s = 0; s < WM_RANS_STATES; s++)
		state[s] = WM_RANS_LOW;
	while (i--) {
		uint32_t *x = &state[i % WM_RANS_STATES], f;

		s = t->p[i * t->stride];
		f = t->freq[s];
		if (*x >= (uint64_t)f << (32 - WM_RANS_BITS)) {
			*--at = (uint8_t)(*x >> 8);
			*--at = (uint8_t)*x;
			*x >>= 16;
		}
		*x = (*x / f << WM_RANS_BITS) + *x % f + t->first[s];
	}
	wm_octets_varint(to, (size_t)(room + 2 * t->n - at) / 2);
	for (s = 0; s < WM_RANS_STATES; s++)
		wm_octets_le32(to, state[s]);
	wm_octets_add(to, at, (size_t)(room + 2 * t->n - at));
	free(room);
}

static void put_plane(struct wm_octets *to, struct plane *t)
{
	size_t start = to->len, i;

	count_symbols(t);
	if (t->used == 1) {
		wm_octets_byte(to, WM_PLANE_SAME);
		wm_octets_byte(to, *t->p);
		return;
	}
	if (t->n) {
		wm_octets_byte(to, WM_PLANE_CODED);
		put_coded(to, t);
		if (to->failed || to->len - start <= t->n)
			return;
		to->len = start;
	}
	wm_octets_byte(to, WM_PLANE_STORED);
	for (i = 0; i < t->n; i++)
		wm_octets_byte(to, t->p[i * t->stride]);
}

void wm_rans_put_plane(struct wm_octets *to, const uint8_t *data, size_t n)
{
	struct plane t = { .p = data, .n = n, .stride = 1 };

	put_plane(to, &t);
}

void wm_rans_pack(struct wm_octets *to, const uint8_t *data, size_t n,
		  size_t planes)
{
	size_t k;

	to->len = 0;
	wm_octets_varint(to, n);
	wm_octets_byte(to, (uint8_t)planes);
	for (k = 0; k < planes; k++) {
		struct plane t = { .p = data + k,
				   .n = (n + planes - 1 - k) / planes,
				   .stride = planes };

		put_plane(to, &t);
	}
}
