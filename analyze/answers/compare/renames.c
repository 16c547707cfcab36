/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds functions that have another name in the second of two profiles.
 *
 * Candidates are names that only one of the profiles has.  If a candidate is
 * taken out of a call path, the rest of the path is a place.  If both profiles
 * have a place, the two names that were taken out may be names of one function.
 * They are if they share places below at least two callers, and no other name
 * competes.  A function with one caller keeps its name, as it may as well have
 * been replaced by another function.
 */
#include "analyze/answers/compare/compare.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/keys.h"
#include "analyze/lib/base/vec.h"
#include "wm/search.h"

#define HOLE '\1' /* stands for the name that was taken out */
#define SEVERAL UINT32_MAX

/* The numbers of the names that each profile has at a place, from 1 on, 0:
 * none, and the number of the caller's name. */
struct place {
	uint32_t name[2], caller;
};

/* Both names have the same place below this caller. */
struct vote {
	const char *from, *to, *caller;
};

struct search {
	const struct wm_profile *profile[2];
	struct wm_keys names[2]; /* of each profile, then of the other one */
	size_t own[2]; /* how many names are the profile's own */
	struct wm_keys places;
	struct place *place;
	struct vote *vote;
	size_t place_cap, votes, vote_cap;
};

/* Moves *@at behind ";" and returns the length of the part of a path there. */
static size_t next_part(const char **at)
{
	*at += **at == ';';
	return strcspn(*at, ";");
}

static void find_names(struct search *s, int side)
{
	const struct wm_profile *p = s->profile[side];
	const char *at;
	size_t i, n;

	for (i = 0; i < p->count; i++)
		for (at = p->row[i].path; *at; at += n) {
			n = next_part(&at);
			wm_keys_number(&s->names[side], at, n);
		}
	s->own[side] = s->names[side].count;
}

/* Adds the place @path without the @n bytes at @at, and the name that was
 * there. */
static enum wm_status add_place(struct search *s, int side, const char *path,
				const char *at, size_t n, uint32_t caller)
{
	uint32_t name = wm_keys_number(&s->names[side], at, n) + 1, number;
	size_t places = s->places.count;
	size_t before = (size_t)(at - path), rest = strlen(at + n);
	char *text = malloc(before + 1 + rest);
	struct place *place;

	if (!text)
		return WM_NO_MEMORY;
	memcpy(text, path, before);
	text[before] = HOLE;
	memcpy(text + before + 1, at + n, rest);
	number = wm_keys_number(&s->places, text, before + 1 + rest);
	free(text);
	if (number == places && !WM_MORE(s->place, s->place_cap, places))
		return WM_NO_MEMORY;
	place = &s->place[number];
	place->name[side] = place->name[side] ? SEVERAL : name;
	place->caller = caller;
	return WM_OK;
}

/* Finds the places of paths with one name that the other profile does not
 * have. */
static enum wm_status find_places(struct search *s, int side)
{
	const struct wm_profile *p = s->profile[side];
	enum wm_status r = WM_OK;
	size_t i, n;

	for (i = 0; i < p->count && !r; i++) {
		const char *path = p->row[i].path, *at, *own = NULL;
		uint32_t last = 0, caller = 0;
		size_t own_size = 0, owns = 0;

		for (at = path; *at; at += n) {
			n = next_part(&at);
			if (wm_keys_number(&s->names[!side], at, n) >=
			    s->own[!side]) {
				own = at;
				own_size = n;
				caller = last;
				owns++;
			}
			last = wm_keys_number(&s->names[0], at, n) + 1;
		}
		if (owns == 1)
			r = add_place(s, side, path, own, own_size, caller);
	}
	return r;
}

static int by_vote(const void *pa, const void *pb)
{
	const struct vote *a = pa, *b = pb;

	return WM_KEYS(strcmp(a->from, b->from), strcmp(a->to, b->to),
		       strcmp(a->caller, b->caller));
}

/* Makes a vote for each place that both profiles have exactly once. */
static enum wm_status find_votes(struct search *s)
{
	for (size_t i = 0; i < s->places.count; i++) {
		const struct place *p = &s->place[i];
		struct vote *v;

		if (!p->name[0] || p->name[0] == SEVERAL || !p->name[1] ||
		    p->name[1] == SEVERAL)
			continue;
		v = WM_MORE(s->vote, s->vote_cap, s->votes);
		if (!v)
			return WM_NO_MEMORY;
		s->votes++;
		v->from = s->names[0].item[p->name[0] - 1].key;
		v->to = s->names[1].item[p->name[1] - 1].key;
		v->caller = p->caller ? s->names[0].item[p->caller - 1].key :
					"";
	}
	WM_SORT(s->vote, s->votes, by_vote);
	return WM_OK;
}

static enum wm_status add_rename(struct wm_renames *r, const struct vote *v,
				 size_t callers)
{
	struct wm_rename *row = WM_MORE(r->row, r->cap, r->count);

	if (!row)
		return WM_NO_MEMORY;
	r->count++;
	row->from = strdup(v->from);
	row->to = strdup(v->to);
	row->callers = callers;
	return row->from && row->to ? WM_OK : WM_NO_MEMORY;
}

static enum wm_status count_votes(struct wm_renames *r, const struct search *s)
{
	enum wm_status status = WM_OK;
	size_t i, n, callers;

	for (i = 0; i < s->votes && !status; i += n) {
		const struct vote *v = &s->vote[i];

		callers = 1;
		for (n = 1; i + n < s->votes && !strcmp(v[n].from, v->from) &&
			    !strcmp(v[n].to, v->to);
		     n++)
			callers += strcmp(v[n].caller, v[n - 1].caller) != 0;
		if (callers > 1)
			status = add_rename(r, v, callers);
	}
	return status;
}

static bool is_rival(const struct wm_rename *a, const struct wm_rename *b)
{
	return !strcmp(a->from, b->from) || !strcmp(a->to, b->to);
}

/* Removes rows that compete for a name: they are no renames. */
static void drop_rivals(struct wm_renames *r)
{
	size_t i, k, n = 0;

	for (i = 0; i < r->count; i++)
		for (k = 0; k < i; k++)
			if (is_rival(&r->row[i], &r->row[k]))
				r->row[i].callers = r->row[k].callers = 0;
	for (i = 0; i < r->count; i++) {
		if (r->row[i].callers) {
			r->row[n++] = r->row[i];
			continue;
		}
		free(r->row[i].from);
		free(r->row[i].to);
	}
	r->count = n;
}

enum wm_status wm_renames_find(struct wm_renames *r, const struct wm_profile *a,
			       const struct wm_profile *b, struct wm_err *err)
{
	struct search s = { .profile = { a, b } };
	enum wm_status status;

	memset(r, 0, sizeof(*r));
	for (int side = 0; side < 2; side++)
		find_names(&s, side);
	status = find_places(&s, 0);
	if (!status)
		status = find_places(&s, 1);
	if (s.names[0].failed || s.names[1].failed || s.places.failed)
		status = WM_NO_MEMORY;
	if (!status)
		status = find_votes(&s);
	if (!status)
		status = count_votes(r, &s);
	if (!status)
		drop_rivals(r);
	wm_keys_release(&s.names[0]);
	wm_keys_release(&s.names[1]);
	wm_keys_release(&s.places);
	free(s.place);
	free(s.vote);
	if (!status)
		return WM_OK;
	wm_renames_release(r);
	return wm_no_memory(err, "the comparison");
}

void wm_renames_release(struct wm_renames *r)
{
	for (size_t i = 0; i < r->count; i++) {
		free(r->row[i].from);
		free(r->row[i].to);
	}
	free(r->row);
	memset(r, 0, sizeof(*r));
}

/* Returns the other name of the @n bytes at @name, or @name if there is
 * none. */
static const char *rename_part(const struct wm_renames *r, const char *name,
			       size_t n)
{
	for (size_t i = 0; i < r->count; i++)
		if (!strncmp(r->row[i].from, name, n) && !r->row[i].from[n])
			return r->row[i].to;
	return name;
}

const char *wm_rename(const struct wm_renames *r, const char *name)
{
	return rename_part(r, name, strlen(name));
}

char *wm_rename_path(const struct wm_renames *r, const char *path)
{
	size_t longest = 0, parts = 1, i, n;
	char *text, *end;
	const char *at;

	for (i = 0; i < r->count; i++)
		if (strlen(r->row[i].to) > longest)
			longest = strlen(r->row[i].to);
	for (at = path; *at; at++)
		parts += *at == ';';
	text = end = malloc(strlen(path) + parts * longest + 1);
	for (; text && *path; path += n) {
		n = strcspn(path, ";");
		at = rename_part(r, path, n);
		end = mempcpy(end, at, at == path ? n : strlen(at));
		if (path[n] == ';')
			*end++ = path[n++];
	}
	if (text)
		*end = 0;
	return text;
}
