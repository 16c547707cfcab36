/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/pages/page_map.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/vec.h"
#include "wm/search.h"

void wm_page_map_release(struct wm_page_map *m)
{
	for (size_t i = 0; i < m->leaves; i++) {
		for (unsigned k = 0; k < m->leaf[i]->count; k++)
			free(m->leaf[i]->stretch[k].part);
		free(m->leaf[i]);
	}
	free(m->leaf);
	memset(m, 0, sizeof(*m));
}

static uint64_t leaf_end(const struct wm_page_leaf *l)
{
	return l->stretch[l->count - 1].end;
}

/* Leaf @leaf has the page @page. */
static struct wm_page_place find_in(const struct wm_page_map *m, size_t leaf,
				    uint64_t page)
{
	const struct wm_page_leaf *l = m->leaf[leaf];
	size_t at = WM_FIRST(i, l->count - 1, l->stretch[i].end > page);

	return (struct wm_page_place){ leaf, (unsigned)at };
}

struct wm_page_place wm_page_map_find(const struct wm_page_map *m,
				      uint64_t page)
{
	size_t leaf = WM_FIRST(i, m->leaves, leaf_end(m->leaf[i]) > page);

	return leaf < m->leaves ? find_in(m, leaf, page) :
				  (struct wm_page_place){ leaf, 0 };
}

struct wm_page_place wm_page_map_seek(const struct wm_page_map *m,
				      struct wm_page_place p, uint64_t page)
{
	/* mostly the page is in this leaf, or in the next one */
	for (int i = 0; i < 2 && p.leaf < m->leaves; i++) {
		if (m->leaf[p.leaf]->stretch[p.at].end > page)
			return p;
		p = wm_page_map_next(m, p);
	}
	if (p.leaf < m->leaves && leaf_end(m->leaf[p.leaf]) > page)
		return find_in(m, p.leaf, page);
	return wm_page_map_find(m, page);
}

struct wm_page_stretch *wm_page_map_at(const struct wm_page_map *m,
				       struct wm_page_place p)
{
	return p.leaf < m->leaves ? &m->leaf[p.leaf]->stretch[p.at] : NULL;
}

struct wm_page_place wm_page_map_next(const struct wm_page_map *m,
				      struct wm_page_place p)
{
	if (++p.at == m->leaf[p.leaf]->count)
		p = (struct wm_page_place){ p.leaf + 1, 0 };
	return p;
}

const struct wm_page_stretch *wm_page_map_take(const struct wm_page_map *m,
					       struct wm_page_place *p,
					       struct wm_page_range *left,
					       uint64_t *pages)
{
	const struct wm_page_stretch *s;
	uint64_t first, end;

	*p = wm_page_map_seek(m, *p, left->first);
	s = wm_page_map_at(m, *p);
	if (!s || left->first >= left->end || s->first >= left->end)
		return NULL;
	first = s->first > left->first ? s->first : left->first;
	end = s->end < left->end ? s->end : left->end;
	*pages = end - first;
	left->first = end;
	return s;
}

static struct wm_page_leaf *new_leaf(struct wm_page_map *m, size_t at)
{
	struct wm_page_leaf *l = malloc(sizeof(*l)), **p;

	if (!l || !WM_MORE(m->leaf, m->cap, m->leaves)) {
		free(l);
		return NULL;
	}
	p = m->leaf + at;
	memmove(p + 1, p, (m->leaves - at) * sizeof(*p));
	*p = l;
	m->leaves++;
	l->count = 0;
	return l;
}

/* Moves half of the full leaf at @p to a new leaf. */
static bool halve_leaf(struct wm_page_map *m, struct wm_page_place *p)
{
	struct wm_page_leaf *l = new_leaf(m, p->leaf + 1), *full;

	if (!l)
		return false;
	full = m->leaf[p->leaf];
	full->count = WM_PAGE_LEAF / 2;
	l->count = WM_PAGE_LEAF - WM_PAGE_LEAF / 2;
	memcpy(l->stretch, full->stretch + full->count,
	       l->count * sizeof(*l->stretch));
	if (p->at > full->count) {
		p->at -= full->count;
		p->leaf++;
	}
	return true;
}

/* @p becomes the place of the new stretch, which is before the old @p. */
static bool insert_stretch(struct wm_page_map *m, struct wm_page_place *p,
			   uint64_t first, uint64_t end)
{
	struct wm_page_stretch *s;
	struct wm_page_leaf *l;

	if (p->leaf && (p->leaf == m->leaves || p->at == 0)) {
		/* prefers the end of the leaf before */
		p->leaf--;
		p->at = m->leaf[p->leaf]->count;
	} else if (p->leaf == m->leaves && !new_leaf(m, p->leaf)) {
		return false;
	}
	if (m->leaf[p->leaf]->count == WM_PAGE_LEAF && !halve_leaf(m, p))
		return false;
	l = m->leaf[p->leaf];
	s = &l->stretch[p->at];
	memmove(s + 1, s, (l->count - p->at) * sizeof(*s));
	l->count++;
	m->count++;
	memset(s, 0, sizeof(*s));
	s->first = first;
	s->end = end;
	return true;
}

/* The first half stays at @p. */
static bool cut_stretch(struct wm_page_map *m, struct wm_page_place *p,
			uint64_t page)
{
	struct wm_page_stretch *s = wm_page_map_at(m, *p), *t;
	struct wm_page_part *part = NULL;
	struct wm_page_place next;

	if (s->part) {
		part = malloc(s->parts * sizeof(*part));
		if (!part)
			return false;
		memcpy(part, s->part, s->parts * sizeof(*part));
	}
	/* the new stretch is the first half of the old one */
	if (!insert_stretch(m, p, s->first, page)) {
		free(part);
		return false;
	}
	next = wm_page_map_next(m, *p);
	s = wm_page_map_at(m, *p);
	t = wm_page_map_at(m, next);
	*s = *t;
	s->part = part;
	s->cap = s->parts;
	s->end = t->first = page;
	return true;
}

void wm_page_map_remove(struct wm_page_map *m, struct wm_page_place *p)
{
	struct wm_page_leaf *l = m->leaf[p->leaf];

	free(l->stretch[p->at].part);
	l->count--;
	m->count--;
	memmove(l->stretch + p->at, l->stretch + p->at + 1,
		(l->count - p->at) * sizeof(*l->stretch));
	if (!l->count) {
		free(l);
		m->leaves--;
		memmove(m->leaf + p->leaf, m->leaf + p->leaf + 1,
			(m->leaves - p->leaf) * sizeof(*m->leaf));
	} else if (p->at == l->count) {
		*p = (struct wm_page_place){ p->leaf + 1, 0 };
	}
}

static bool same_part(const struct wm_page_part *a,
		      const struct wm_page_part *b, uint32_t epoch)
{
	uint32_t most_a = a->epoch == epoch ? a->most : a->now;
	uint32_t most_b = b->epoch == epoch ? b->most : b->now;

	return a->owner == b->owner && a->now == b->now && most_a == most_b &&
	       a->touched == b->touched && a->written == b->written &&
	       a->counted == b->counted && a->in == b->in &&
	       a->in_written == b->in_written;
}

static bool same(struct wm_page_stretch *a, struct wm_page_stretch *b,
		 uint32_t epoch)
{
	if (a->end != b->first || a->in != b->in ||
	    a->in_written != b->in_written || a->shared != b->shared ||
	    a->other != b->other || a->parts != b->parts)
		return false;
	/* these epochs do not matter while pages are accessed, or written */
	if ((!a->in && a->accessed != b->accessed) ||
	    (!a->in_written && a->written != b->written))
		return false;
	for (uint32_t i = 0; i < a->parts; i++)
		if (!same_part(&wm_page_parts(a)[i], &wm_page_parts(b)[i],
			       epoch))
			return false;
	return true;
}

void wm_page_map_join(struct wm_page_map *m, struct wm_page_place *p,
		      uint32_t epoch)
{
	struct wm_page_place before = *p;
	struct wm_page_stretch *a, *b = wm_page_map_at(m, *p);

	if (!b || (!before.at && !before.leaf))
		return;
	if (before.at)
		before.at--;
	else
		before.at = m->leaf[--before.leaf]->count - 1;
	a = wm_page_map_at(m, before);
	if (!same(a, b, epoch))
		return;
	a->end = b->end;
	wm_page_map_remove(m, p);
	*p = before;
}

struct wm_page_part *wm_page_part_of(struct wm_page_stretch *s, uint32_t owner)
{
	struct wm_page_part *p = wm_page_parts(s);

	for (uint32_t i = 0; i < s->parts; i++)
		if (p[i].owner == owner)
			return &p[i];
	if (s->parts && s->parts >= s->cap) {
		uint32_t cap = s->parts < 2 ? 2 : 2 * s->parts;

		p = realloc(s->part, cap * sizeof(*p));
		if (!p)
			return NULL;
		if (!s->part)
			p[0] = s->one;
		s->part = p;
		s->cap = cap;
	}
	p = wm_page_parts(s) + s->parts++;
	*p = (struct wm_page_part){ .owner = owner };
	return p;
}

void wm_page_part_remove(struct wm_page_stretch *s, uint32_t i)
{
	struct wm_page_part *p = wm_page_parts(s);

	p[i] = p[--s->parts];
	if (s->parts)
		return;
	free(s->part);
	s->part = NULL;
	s->cap = 0;
}

bool wm_page_map_bring(struct wm_page_map *m, struct wm_page_place *p,
		       uint64_t page, uint64_t end)
{
	struct wm_page_stretch *s;

	*p = wm_page_map_seek(m, *p, page);
	s = wm_page_map_at(m, *p);
	if (!s || s->first > page) {
		if (s && s->first < end)
			end = s->first;
		return insert_stretch(m, p, page, end);
	}
	if (s->first < page) {
		if (!cut_stretch(m, p, page))
			return false;
		*p = wm_page_map_next(m, *p);
		s = wm_page_map_at(m, *p);
	}
	return s->end <= end || cut_stretch(m, p, end);
}
