/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that have another name in the second of two profiles.
 *
 * Candidates are names that one of the profiles alone has.  A call path with
 * one such name, and that name taken out, is a pattern.  Where both profiles
 * have a pattern, the two names that were taken out may be one function; if
 * they share patterns from at least two callers, and no other name competes,
 * they are.  A function with one caller is not told from one that was replaced
 * by something else, and keeps its name.
 */
#include "analyze/queries/compare.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/base/vec.h"

#define HOLE '\1' /* where the name was */

struct names {
	char **name; /* sorted, once each */
	size_t count, cap;
};

struct pattern {
	char *text; /* the path with HOLE */
	char *name; /* that was there */
	char *caller; /* "": none */
};

struct patterns {
	struct pattern *row;
	size_t count, cap;
};

/* Both names stand in the same place below this caller. */
struct vote {
	const char *from, *to, *caller;
};

struct votes {
	struct vote *row;
	size_t count, cap;
};

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void names_release(struct names *n)
{
	size_t i;

	for (i = 0; i < n->count; i++)
		free(n->name[i]);
	free(n->name);
}

static bool names_have(const struct names *n, const char *name)
{
	return n->count &&
	       bsearch(&name, n->name, n->count, sizeof(*n->name), by_text);
}

static void sort_names(struct names *n)
{
	size_t i, k = 0;

	if (n->count)
		qsort(n->name, n->count, sizeof(*n->name), by_text);
	for (i = 0; i < n->count; i++) {
		if (k && strcmp(n->name[k - 1], n->name[i]) == 0)
			free(n->name[i]);
		else
			n->name[k++] = n->name[i];
	}
	n->count = k;
}

static enum wm_status names_of(struct names *n, const struct wm_profile *p,
			       struct wm_err *err)
{
	size_t i, limit = 4096;

	for (i = 0; i < p->count; i++) {
		const char *at = p->row[i].path;

		while (*at) {
			size_t len = strcspn(at, ";");
			char **name = WM_MORE(n->name, n->cap, n->count);

			if (!name || !(*name = strndup(at, len)))
				return wm_no_memory(err, "the comparison");
			n->count++;
			at += len + (at[len] == ';');
		}
		if (n->count > limit) {
			sort_names(n);
			limit = 2 * n->count + 4096;
		}
	}
	sort_names(n);
	return WM_OK;
}

static void patterns_release(struct patterns *p)
{
	size_t i;

	for (i = 0; i < p->count; i++) {
		free(p->row[i].text);
		free(p->row[i].name);
		free(p->row[i].caller);
	}
	free(p->row);
}

/* @path without the @len bytes at @at. */
static enum wm_status add_pattern(struct patterns *p, const char *path,
				  const char *at, size_t len,
				  const char *caller, struct wm_err *err)
{
	size_t before = (size_t)(at - path), rest = strlen(at + len);
	struct pattern *row = WM_MORE(p->row, p->cap, p->count);

	if (!row)
		return wm_no_memory(err, "the comparison");
	p->count++;
	row->text = malloc(before + 1 + rest + 1);
	row->name = strndup(at, len);
	row->caller = caller ? strndup(caller, (size_t)(at - 1 - caller)) :
			       strdup("");
	if (!row->text || !row->name || !row->caller)
		return wm_no_memory(err, "the comparison");
	memcpy(row->text, path, before);
	row->text[before] = HOLE;
	memcpy(row->text + before + 1, at + len, rest + 1);
	return WM_OK;
}

/* Whether the @len bytes at @name are one of @n. */
static bool has_part(const struct names *n, const char *name, size_t len,
		     bool *known)
{
	char *copy = strndup(name, len);

	if (!copy)
		return false;
	*known = names_have(n, copy);
	free(copy);
	return true;
}

/* The patterns of @p: paths with one name that is not among @others. */
static enum wm_status find_patterns(struct patterns *found,
				    const struct wm_profile *p,
				    const struct names *others,
				    struct wm_err *err)
{
	enum wm_status s = WM_OK;
	size_t i;

	for (i = 0; i < p->count && !s; i++) {
		const char *path = p->row[i].path, *at, *own = NULL;
		const char *caller = NULL, *last = NULL;
		size_t len, own_len = 0, n = 0;
		bool known;

		for (at = path; *at; at += len + (at[len] == ';')) {
			len = strcspn(at, ";");
			if (!has_part(others, at, len, &known))
				return wm_no_memory(err, "the comparison");
			if (!known) {
				own = at;
				own_len = len;
				caller = last;
				n++;
			}
			last = at;
		}
		if (n == 1)
			s = add_pattern(found, path, own, own_len, caller, err);
	}
	return s;
}

static int by_pattern(const void *pa, const void *pb)
{
	const struct pattern *a = pa, *b = pb;
	int r = strcmp(a->text, b->text);

	return r ? r : strcmp(a->name, b->name);
}

static int by_vote(const void *pa, const void *pb)
{
	const struct vote *a = pa, *b = pb;
	int r = strcmp(a->from, b->from);

	if (!r)
		r = strcmp(a->to, b->to);
	return r ? r : strcmp(a->caller, b->caller);
}

static enum wm_status add_vote(struct votes *v, const struct pattern *a,
			       const struct pattern *b, struct wm_err *err)
{
	struct vote *row = WM_MORE(v->row, v->cap, v->count);

	if (!row)
		return wm_no_memory(err, "the comparison");
	*row = (struct vote){ a->name, b->name, a->caller };
	v->count++;
	return WM_OK;
}

/* How many rows from @i on have the pattern of row @i. */
static size_t same_pattern(const struct patterns *p, size_t i)
{
	size_t n = i + 1;

	while (n < p->count && strcmp(p->row[n].text, p->row[i].text) == 0)
		n++;
	return n - i;
}

/* Patterns that each profile has once. */
static enum wm_status collect_votes(struct votes *v, struct patterns *a,
				    struct patterns *b, struct wm_err *err)
{
	enum wm_status s = WM_OK;
	size_t i = 0, k = 0;

	if (!a->count || !b->count)
		return WM_OK;
	qsort(a->row, a->count, sizeof(*a->row), by_pattern);
	qsort(b->row, b->count, sizeof(*b->row), by_pattern);
	while (i < a->count && k < b->count && !s) {
		size_t n = same_pattern(a, i), m = same_pattern(b, k);
		int order = strcmp(a->row[i].text, b->row[k].text);

		if (!order && n == 1 && m == 1)
			s = add_vote(v, &a->row[i], &b->row[k], err);
		if (order <= 0)
			i += n;
		if (order >= 0)
			k += m;
	}
	if (v->count)
		qsort(v->row, v->count, sizeof(*v->row), by_vote);
	return s;
}

static enum wm_status add_rename(struct wm_renames *r, const struct vote *v,
				 size_t callers, struct wm_err *err)
{
	struct wm_rename *row = WM_MORE(r->row, r->cap, r->count);

	if (!row)
		return wm_no_memory(err, "the comparison");
	r->count++;
	row->from = strdup(v->from);
	row->to = strdup(v->to);
	row->callers = callers;
	return row->from && row->to ? WM_OK :
				      wm_no_memory(err, "the comparison");
}

/* Take out those that compete for a name. */
static void drop_rivals(struct wm_renames *r)
{
	size_t i, k, n = 0;
	char *rival = calloc(r->count + 1, 1);

	for (i = 0; rival && i < r->count; i++)
		for (k = 0; k < r->count; k++)
			if (k != i &&
			    (!strcmp(r->row[i].from, r->row[k].from) ||
			     !strcmp(r->row[i].to, r->row[k].to)))
				rival[i] = 1;
	for (i = 0; i < r->count; i++) {
		if (rival && !rival[i]) {
			r->row[n++] = r->row[i];
			continue;
		}
		free(r->row[i].from);
		free(r->row[i].to);
	}
	r->count = n;
	free(rival);
}

static enum wm_status count_votes(struct wm_renames *r, const struct votes *v,
				  struct wm_err *err)
{
	enum wm_status s = WM_OK;
	size_t i, n, callers;

	for (i = 0; i < v->count && !s; i += n) {
		const struct vote *first = &v->row[i];

		callers = 1;
		for (n = 1; i + n < v->count; n++) {
			const struct vote *w = &v->row[i + n];

			if (strcmp(w->from, first->from) != 0 ||
			    strcmp(w->to, first->to) != 0)
				break;
			callers += strcmp(w->caller, w[-1].caller) != 0;
		}
		if (callers > 1)
			s = add_rename(r, first, callers, err);
	}
	if (!s)
		drop_rivals(r);
	return s;
}

enum wm_status wm_renames_find(struct wm_renames *r, const struct wm_profile *a,
			       const struct wm_profile *b, struct wm_err *err)
{
	struct names in_a = { .count = 0 }, in_b = { .count = 0 };
	struct patterns of_a = { .count = 0 }, of_b = { .count = 0 };
	struct votes votes = { .count = 0 };
	enum wm_status s;

	memset(r, 0, sizeof(*r));
	s = names_of(&in_a, a, err);
	if (!s)
		s = names_of(&in_b, b, err);
	if (!s)
		s = find_patterns(&of_a, a, &in_b, err);
	if (!s)
		s = find_patterns(&of_b, b, &in_a, err);
	if (!s)
		s = collect_votes(&votes, &of_a, &of_b, err);
	if (!s)
		s = count_votes(r, &votes, err);
	free(votes.row);
	patterns_release(&of_a);
	patterns_release(&of_b);
	names_release(&in_a);
	names_release(&in_b);
	if (s)
		wm_renames_release(r);
	return s;
}

void wm_renames_release(struct wm_renames *r)
{
	size_t i;

	for (i = 0; i < r->count; i++) {
		free(r->row[i].from);
		free(r->row[i].to);
	}
	free(r->row);
	memset(r, 0, sizeof(*r));
}

static const char *rename_part(const struct wm_renames *r, const char *name,
			       size_t len)
{
	size_t i;

	for (i = 0; i < r->count; i++)
		if (strncmp(r->row[i].from, name, len) == 0 &&
		    !r->row[i].from[len])
			return r->row[i].to;
	return NULL;
}

const char *wm_rename(const struct wm_renames *r, const char *name)
{
	const char *to = rename_part(r, name, strlen(name));

	return to ? to : name;
}

char *wm_rename_path(const struct wm_renames *r, const char *path)
{
	size_t size = strlen(path) + 1, len, i;
	const char *at, *to;
	char *text, *end;

	for (at = path; *at; at += len + (at[len] == ';')) {
		len = strcspn(at, ";");
		to = rename_part(r, at, len);
		size += to ? strlen(to) : 0;
	}
	text = end = malloc(size);
	if (!text)
		return NULL;
	for (at = path; *at; at += len + (at[len] == ';')) {
		len = strcspn(at, ";");
		to = rename_part(r, at, len);
		i = to ? strlen(to) : len;
		memcpy(end, to ? to : at, i);
		end += i;
		if (at[len] == ';')
			*end++ = ';';
	}
	*end = 0;
	return text;
}
