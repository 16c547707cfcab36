/* SPDX-License-Identifier: Apache-2.0 */
#include "wmcc/census/census_model.h"

#include <stdlib.h>
#include <string.h>

#include "wm/census_format.h"

/* Strings may fill half of a bundle, the tables the rest. */
#define STRINGS_MAX (WMC_MAX_BYTES / 2)

void *wm_vec_add(struct wm_vec *vec)
{
	char *p = vec->items;

	if (vec->count == vec->capacity) {
		size_t n = vec->capacity ? 2 * vec->capacity : 64;

		if (n > SIZE_MAX / 2 / vec->item)
			return NULL;
		p = realloc(p, n * vec->item);
		if (!p)
			return NULL;
		vec->items = p;
		vec->capacity = n;
	}
	p += vec->count++ * vec->item;
	memset(p, 0, vec->item);
	return p;
}

void wm_vec_sort(struct wm_vec *vec, int (*by)(const void *, const void *))
{
	if (vec->count)
		qsort(vec->items, vec->count, vec->item, by);
}

void wm_vec_release(struct wm_vec *vec)
{
	free(vec->items);
	vec->items = NULL;
	vec->count = vec->capacity = 0;
}

static uint32_t hash_text(const char *s, size_t n)
{
	uint64_t h = 0x9e3779b97f4a7c15u ^ n;
	size_t i;

	for (i = 0; i + 8 <= n; i += 8) {
		uint64_t v;

		memcpy(&v, s + i, 8);
		h = (h ^ v) * 0xff51afd7ed558ccdu;
		h ^= h >> 32;
	}
	for (; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * 0x100000001b3u;
	h ^= h >> 29;
	h *= 0xc4ceb9fe1a85ec53u;
	return (uint32_t)(h >> 32);
}

static int grow_slots(struct wm_strings *st)
{
	uint32_t n = st->slot_count ? 2 * st->slot_count : 1024, i, at;
	uint32_t *slots = calloc(n, sizeof(*slots));

	if (!slots)
		return -1;
	for (i = 0; i < st->count; i++) {
		const char *s = st->text + st->starts[i];

		at = hash_text(s, strlen(s)) & (n - 1);
		while (slots[at])
			at = (at + 1) & (n - 1);
		slots[at] = i + 1;
	}
	free(st->slots);
	st->slots = slots;
	st->slot_count = n;
	return 0;
}

static int reserve_text(struct wm_strings *st, size_t n)
{
	if (st->size + n + 1 > st->capacity) {
		size_t want = 2 * st->capacity + n + 4096;
		char *text = realloc(st->text, want);

		if (!text)
			return -1;
		st->text = text;
		st->capacity = want;
	}
	if (st->count == st->starts_capacity) {
		uint32_t want = 2 * st->starts_capacity + 256;
		uint32_t *starts = realloc(st->starts, want * sizeof(*starts));

		if (!starts)
			return -1;
		st->starts = starts;
		st->starts_capacity = want;
	}
	if (st->slot_count / 4 * 3 <= st->count)
		return grow_slots(st);
	return 0;
}

uint32_t wm_strings_add(struct wm_strings *st, const char *s)
{
	uint32_t at, number;
	size_t n;

	if (!s || !*s)
		return 0;
	n = strlen(s);
	if (n >= STRINGS_MAX || st->size + n + 1 > STRINGS_MAX)
		return 0;
	if (reserve_text(st, n) < 0) {
		st->failed = true;
		return 0;
	}
	at = hash_text(s, n) & (st->slot_count - 1);
	while ((number = st->slots[at])) {
		if (!strcmp(st->text + st->starts[number - 1], s))
			return number;
		at = (at + 1) & (st->slot_count - 1);
	}
	memcpy(st->text + st->size, s, n + 1);
	st->starts[st->count++] = (uint32_t)st->size;
	st->size += n + 1;
	return st->slots[at] = st->count;
}

uint32_t wm_strings_find(const struct wm_strings *st, const char *s)
{
	uint32_t at, number = 0;

	if (!s || !*s || !st->slot_count)
		return 0;
	at = hash_text(s, strlen(s)) & (st->slot_count - 1);
	while ((number = st->slots[at])) {
		if (!strcmp(st->text + st->starts[number - 1], s))
			break;
		at = (at + 1) & (st->slot_count - 1);
	}
	return number;
}

const char *wm_strings_get(const struct wm_strings *st, uint32_t number)
{
	if (!number || number > st->count)
		return NULL;
	return st->text + st->starts[number - 1];
}

void wm_model_init(struct wm_census_model *model)
{
	*model = (struct wm_census_model){
		.sections = WM_VEC(struct wm_model_section),
		.rows = WM_VEC(struct wm_model_row),
		.functions = WM_VEC(struct wm_model_function),
		.lines = WM_VEC(struct wm_model_line),
		.inlines = WM_VEC(struct wm_model_inline),
		.receivers = WM_VEC(struct wm_model_receiver),
		.hookless = WM_VEC(struct wm_model_hookless),
	};
}

void wm_model_release(struct wm_census_model *model)
{
	wm_vec_release(&model->sections);
	wm_vec_release(&model->rows);
	wm_vec_release(&model->functions);
	wm_vec_release(&model->lines);
	wm_vec_release(&model->inlines);
	wm_vec_release(&model->receivers);
	wm_vec_release(&model->hookless);
	free(model->strings.text);
	free(model->strings.starts);
	free(model->strings.slots);
	wm_model_init(model);
}
