/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/pages/page_bands.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NO_SITE UINT32_MAX
#define UNKNOWN (UINT32_MAX - 1) /* not yet looked for */

struct maker {
	const struct wm_analysis *a;
	const struct wm_page_sites *l;
	const struct wm_page_chart *c;
	uint32_t *site; /* by owner: index in l->site */
	uint32_t *fixed; /* by row: index in l->site of a variable */
	uint64_t *pages; /* by site: pages times columns */
};

static uint32_t find_site(const struct maker *m, uint32_t owner)
{
	const struct wm_page_owner *o = &m->a->pages.owner[owner];
	struct wm_page_site key;

	if (owner < WM_PAGE_OTHERS || !wm_page_site_of(&key, m->a, o))
		return NO_SITE;
	for (size_t i = 0; i < m->l->count; i++)
		if (wm_page_site_is(&m->l->site[i], &key))
			return (uint32_t)i;
	return NO_SITE;
}

static uint32_t site_of(const struct maker *m, uint32_t owner)
{
	if (owner == WM_CHART_NOBODY || owner >= m->a->pages.owners)
		return NO_SITE;
	if (m->site[owner] == UNKNOWN)
		m->site[owner] = find_site(m, owner);
	return m->site[owner];
}

/* Compares pointers, as sites of variables share strings with the table. */
static uint32_t site_of_variable(const struct maker *m, uint32_t owner)
{
	const struct wm_page_statics *s = &m->l->statics;
	const char *name;

	if (owner < WM_PAGE_OTHERS || owner >= s->use.owners)
		return NO_SITE;
	name = s->names.variable[s->use.owner[owner].key].name;
	for (size_t i = 0; i < m->l->count; i++)
		if (m->l->site[i].name == name)
			return (uint32_t)i;
	return NO_SITE;
}

/* Variables do not move, so a row has one variable for the whole run. */
static bool find_variables(struct maker *m)
{
	for (size_t i = 0; i < m->c->rows; i++)
		m->fixed[i] = WM_CHART_NOBODY;
	if (m->l->has_variables &&
	    !wm_page_chart_owners(m->c, &m->l->statics.use, m->fixed))
		return false;
	for (size_t i = 0; i < m->c->rows; i++)
		m->fixed[i] = m->fixed[i] == WM_CHART_NOBODY ?
				      NO_SITE :
				      site_of_variable(m, m->fixed[i]);
	return true;
}

static uint32_t site_at(const struct maker *m, size_t row, size_t column)
{
	uint32_t owner = m->c->owner[row * m->c->columns + column];

	return owner == WM_CHART_NOBODY ? m->fixed[row] : site_of(m, owner);
}

static void count_pages(struct maker *m)
{
	for (size_t r = 0; r < m->c->rows; r++)
		for (size_t k = 0; k < m->c->columns; k++) {
			uint32_t site = site_at(m, r, k);

			if (site != NO_SITE)
				m->pages[site] += m->c->row[r].pages;
		}
}

/* Numbers the sites with most pages times columns, if they have an owner. */
static void choose(struct wm_page_bands *b, struct maker *m, uint8_t *number)
{
	while (b->count < WM_BANDS) {
		size_t best = m->l->count;

		for (size_t i = 0; i < m->l->count; i++)
			if (m->pages[i] && !number[i] &&
			    !m->l->site[i].nobody &&
			    (best == m->l->count ||
			     m->pages[i] > m->pages[best]))
				best = i;
		if (best == m->l->count)
			return;
		b->site[b->count++] = &m->l->site[best];
		number[best] = (uint8_t)b->count;
	}
}

static enum wm_status fill(struct wm_page_bands *b, struct maker *m,
			   struct wm_err *err)
{
	uint8_t *number = calloc(m->l->count + 1, 1);

	if (!number || !find_variables(m)) {
		free(number);
		return wm_no_memory(err, NULL);
	}
	count_pages(m);
	choose(b, m, number);
	for (size_t r = 0; r < m->c->rows; r++)
		for (size_t k = 0; k < m->c->columns; k++) {
			uint32_t site = site_at(m, r, k);

			b->cell[r * m->c->columns + k] =
				site == NO_SITE ? WM_BAND_NOBODY :
				number[site]	? number[site] :
						  WM_BAND_SMALL;
		}
	free(number);
	return WM_OK;
}

enum wm_status wm_page_bands_make(struct wm_page_bands *b,
				  const struct wm_analysis *a,
				  const struct wm_page_sites *l,
				  struct wm_err *err)
{
	const struct wm_page_chart *c = &a->pages.chart;
	struct maker m = { .a = a, .l = l, .c = c };
	enum wm_status s;

	memset(b, 0, sizeof(*b));
	b->cell = malloc(c->rows * c->columns + 1);
	m.site = malloc((a->pages.owners + 1) * sizeof(*m.site));
	m.fixed = malloc((c->rows + 1) * sizeof(*m.fixed));
	m.pages = calloc(l->count + 1, sizeof(*m.pages));
	for (size_t i = 0; m.site && i < a->pages.owners; i++)
		m.site[i] = UNKNOWN;
	s = b->cell && m.site && m.fixed && m.pages ? fill(b, &m, err) :
						      wm_no_memory(err, NULL);
	free(m.site);
	free(m.fixed);
	free(m.pages);
	if (s)
		wm_page_bands_release(b);
	return s;
}

void wm_page_bands_release(struct wm_page_bands *b)
{
	free(b->cell);
	memset(b, 0, sizeof(*b));
}
