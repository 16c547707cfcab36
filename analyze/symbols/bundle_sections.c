/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/symbols/bundle_tables.h"

#include <stdlib.h>
#include <string.h>

#include "wm/search.h"

/* Orders rows by descending bytes.  The other keys make the order unique. */
static int compare_rows(const void *pa, const void *pb)
{
	const struct wm_census_row *a = pa, *b = pb;

	return WM_KEYS(WM_ORDER(b->bytes, a->bytes),
		       WM_ORDER(a->address, b->address),
		       WM_ORDER(!a->object, !b->object),
		       a->object ? strcmp(a->object, b->object) : 0);
}

/* Returns NULL, or an error text if the rows from @at on do not add up to
 * @s. */
static const char *take_rows(struct wm_bundle *b, struct wm_census_section *s,
			     size_t at)
{
	struct wm_census_row *r = b->rows;
	uint64_t sum = 0;

	if (s->rows > b->census.row_count - at)
		return "sections claim more rows than there are";
	for (size_t i = at; i < at + s->rows; i++) {
		r[i].section = s->name;
		if (__builtin_add_overflow(sum, r[i].bytes, &sum))
			return "rows do not add up to their section";
	}
	if (sum != s->bytes)
		return "rows do not add up to their section";
	s->first_row = at;
	if (s->rows)
		qsort(r + at, s->rows, sizeof(*r), compare_rows);
	return NULL;
}

static const char *add_totals(struct wm_bundle *b)
{
	struct wm_census *c = &b->census;
	uint64_t *const totals[] = {
		[WM_CENSUS_DATA] = &c->data,   [WM_CENSUS_BSS] = &c->bss,
		[WM_CENSUS_TLS] = &c->tls,     [WM_CENSUS_RODATA] = &c->rodata,
		[WM_CENSUS_RELRO] = &c->relro, [WM_CENSUS_OTHER] = &c->other,
	};
	uint64_t sum = 0, *to;

	for (size_t i = 0; i < c->section_count; i++) {
		to = totals[c->sections[i].class];
		/* no total can overflow if the sum of all does not */
		if (__builtin_add_overflow(sum, c->sections[i].bytes, &sum))
			return "sections too large";
		*to += c->sections[i].bytes;
	}
	c->static_bytes = c->data + c->bss + c->tls;
	return NULL;
}

const char *wm_bundle_sections(struct wm_bundle *b)
{
	const char *bad = NULL;
	size_t i, at = 0;

	b->census.rows = b->rows;
	b->census.sections = b->sections;
	for (i = 0; i < b->census.section_count && !bad; i++) {
		bad = take_rows(b, &b->sections[i], at);
		at += b->sections[i].rows;
	}
	if (!bad && at != b->census.row_count)
		bad = "rows without a section";
	return bad ? bad : add_totals(b);
}
