/* SPDX-License-Identifier: Apache-2.0 */
/* The list leaks of the JSON object, with the owners of blocks. */
#include "analyze/answers/summary/notes_json.h"

#include <stdlib.h>

#include "analyze/answers/leaks/handles.h"
#include "analyze/render/json.h"
#include "wm/search.h"

/* in the order of the list */
enum { PROGRAM, UNKNOWN, LIBRARY, RUNTIME, OWNERS };

static size_t owner_of(const struct wm_handles *h, uint32_t path,
		       enum wm_group group)
{
	return group == WM_GROUP_none	      ? PROGRAM :
	       wm_handles_is_unknown(h, path) ? UNKNOWN :
	       group == WM_GROUP_library      ? LIBRARY :
						RUNTIME;
}

/* Returns the first owner, in the order of the enum, of a path of @f.  Stores
 * the group of the first path with this owner in *@group. */
static size_t first_owner(const struct wm_handles *h,
			  const struct wm_analysis *a,
			  const struct wm_function *f, enum wm_group *group)
{
	size_t first = OWNERS, k;

	*group = WM_GROUP_none;
	for (k = 0; k < f->held_count; k++) {
		uint32_t path = f->held[k].path;
		enum wm_group g = wm_handles_group(h, a, path);
		size_t owner = owner_of(h, path, g);

		if (owner >= first)
			continue;
		first = owner;
		*group = g;
	}
	return first < OWNERS ? first : PROGRAM;
}

struct owned {
	struct wm_function function;
	struct wm_json_owner owner;
	size_t place, index;
};

static int by_place(const void *a, const void *b)
{
	const struct owned *x = a, *y = b;

	return WM_KEYS(WM_ORDER(x->place, y->place),
		       WM_ORDER(x->index, y->index));
}

/* Functions with the same owner stay in order of bytes. */
static enum wm_status sort_by_owner(struct wm_functions *f,
				    struct wm_json_owner *owner,
				    const struct wm_handles *h,
				    const struct wm_analysis *a,
				    struct wm_err *err)
{
	struct owned *o = calloc(f->count + 1, sizeof(*o));

	if (!o)
		return wm_no_memory(err, "leaks");
	for (size_t i = 0; i < f->count; i++) {
		struct wm_function *fn = &f->function[i];
		const struct wm_lost_handles *lost;
		enum wm_group group;
		uint64_t handles;
		size_t place = first_owner(h, a, fn, &group);

		lost = wm_handles_of(h, fn, &handles);
		o[i] = (struct owned){ *fn, .place = place, .index = i };
		o[i].owner.made_by = lost ? lost->maker : NULL;
		if (place != PROGRAM)
			o[i].owner.runtime = place == UNKNOWN ?
						     "unknown" :
						     wm_group_name[group];
	}
	WM_SORT(o, f->count, by_place);
	for (size_t i = 0; i < f->count; i++) {
		f->function[i] = o[i].function;
		owner[i] = o[i].owner;
	}
	free(o);
	return WM_OK;
}

enum wm_status wm_json_leaks(const struct wm_analysis *a, struct wm_json *j,
			     struct wm_err *err)
{
	struct wm_json_owner *owner = NULL;
	struct wm_handles h;
	struct wm_functions f;
	enum wm_status s;

	s = wm_handles_find(&h, a, a->use, a->lifetime, a->lifetime_count, err);
	if (s)
		return s;
	s = wm_functions_make(&f, a, WM_AT_END, err);
	if (!s) {
		owner = calloc(f.count + 1, sizeof(*owner));
		s = owner ? sort_by_owner(&f, owner, &h, a, err) :
			    wm_no_memory(err, "leaks");
		if (!s)
			s = wm_json_functions(a, &f, owner, j, "leaks", err);
		wm_functions_release(&f);
	}
	free(owner);
	wm_handles_release(&h);
	return s;
}
