/* SPDX-License-Identifier: Apache-2.0 */
/* The list leaks of the JSON object, with whose each function's blocks are. */
#include "analyze/report/json_notes.h"

#include <stdlib.h>

#include "analyze/queries/handles.h"
#include "analyze/render/json.h"

/* In the order of the list. */
enum { PROGRAM, LIBRARY, RUNTIME, OWNERS };

/* The program's where a call path of @f is. */
static enum wm_group group_of(const struct wm_handles *h,
			      const struct wm_analysis *a,
			      const struct wm_function *f)
{
	enum wm_group g, first = WM_GROUP_none;
	size_t k;

	for (k = 0; k < f->held_count; k++) {
		g = wm_handles_group(h, a, f->held[k].path);
		if (g == WM_GROUP_none)
			return g;
		first = k ? first : g;
	}
	return first;
}

static size_t place_of(enum wm_group g)
{
	return g == WM_GROUP_none    ? PROGRAM :
	       g == WM_GROUP_library ? LIBRARY :
				       RUNTIME;
}

/* Most bytes stay first of each owner. */
static enum wm_status sort_by_owner(struct wm_functions *f,
				    struct wm_json_owner *owner,
				    const struct wm_handles *h,
				    const struct wm_analysis *a,
				    struct wm_err *err)
{
	enum wm_group *group = calloc(f->count + 1, sizeof(*group));
	struct wm_function *sorted = calloc(f->count + 1, sizeof(*sorted));
	size_t i, n = 0, place;

	for (i = 0; group && i < f->count; i++)
		group[i] = group_of(h, a, &f->function[i]);
	for (place = 0; group && sorted && place < OWNERS; place++)
		for (i = 0; i < f->count; i++) {
			const struct wm_lost_handles *lost;
			uint64_t handles;

			if (place_of(group[i]) != place)
				continue;
			lost = wm_handles_of(h, &f->function[i], &handles);
			owner[n].made_by = lost ? lost->maker : NULL;
			owner[n].runtime = group[i] == WM_GROUP_none ?
						   NULL :
						   wm_group_name[group[i]];
			sorted[n++] = f->function[i];
		}
	free(group);
	if (!group || !sorted) {
		free(sorted);
		return wm_no_memory(err, "leaks");
	}
	free(f->function);
	f->function = sorted;
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
