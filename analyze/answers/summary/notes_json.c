/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/summary/notes_json.h"

#include <stdlib.h>

#include "analyze/answers/text.h"

/* Writes the names that blocks of @fn have at that moment, each name once. */
static enum wm_status put_tags(const struct wm_analysis *a,
			       const struct wm_function *fn,
			       enum wm_moment moment, struct wm_json *j,
			       struct wm_err *err)
{
	const struct wm_annotations *n = &a->annotations;
	char *said = calloc(n->name_count + 1, 1);
	size_t i, k, count;

	if (!said)
		return wm_err_set(err, WM_NO_MEMORY, "no memory");
	wm_json_flat_array(j, "names");
	for (i = 0; i < fn->held_count; i++) {
		const struct wm_tag *t = wm_annotations_tags(n,
							     fn->held[i].path,
							     &count);

		for (k = 0; k < count; k++, t++) {
			if (said[t->name] ||
			    !(moment == WM_AT_PEAK ? t->peak_blocks :
						     t->end_blocks))
				continue;
			said[t->name] = 1;
			wm_json_text(j, NULL, n->name[t->name].name);
		}
	}
	wm_json_end_array(j);
	free(said);
	return WM_OK;
}

enum wm_status wm_json_functions(const struct wm_analysis *a,
				 const struct wm_functions *f,
				 const struct wm_json_owner *owner,
				 struct wm_json *j, const char *key,
				 struct wm_err *err)
{
	enum wm_status s = WM_OK;

	wm_json_array(j, key);
	for (size_t i = 0; i < f->count && !s; i++) {
		const struct wm_function *fn = &f->function[i];

		wm_json_flat_object(j, NULL);
		wm_json_text(j, "name", fn->name);
		if (fn->symbol->region)
			wm_json_text(j, "symbol", fn->symbol->linkage);
		WM_JSON_ADD(j, "file line bytes blocks", fn->file, fn->line,
			    fn->bytes, fn->blocks);
		if (owner)
			WM_JSON_ADD(j, "runtime made_by", owner[i].runtime,
				    owner[i].made_by);
		if (a->annotations.tag_count && f->moment != WM_AT_SNAPSHOT)
			s = put_tags(a, fn, f->moment, j, err);
		wm_json_end_object(j);
	}
	wm_json_end_array(j);
	return s;
}

static enum wm_status put_snapshot(const struct wm_analysis *a,
				   const struct wm_snapshot *s,
				   struct wm_doc *d, struct wm_err *err)
{
	const struct wm_annotations *n = &a->annotations;
	struct wm_json *j = &d->data;
	struct wm_functions f;
	enum wm_status r;

	wm_json_object(j, NULL);
	WM_JSON_ADD(j, "name phase time_s.6 bytes blocks listed!", s->name,
		    s->phase != WM_NO_PHASE ? n->phase[s->phase].name : NULL,
		    s->seconds, s->bytes, s->blocks, s->listed);
	if (j->tight) {
		wm_json_end_object(j);
		return WM_OK;
	}
	wm_tell_named(a, s, WM_FOR_DATA, d);
	r = wm_functions_snapshot(&f, a, s, err);
	if (!r)
		r = wm_json_functions(a, &f, NULL, j, "functions", err);
	wm_functions_release(&f);
	wm_json_end_object(j);
	return r;
}

void wm_json_static(const struct wm_census *c, struct wm_json *j)
{
	WM_JSON_ADD(j, "bytes data bss tls rodata relro other", c->static_bytes,
		    c->data, c->bss, c->tls, c->rodata, c->relro, c->other);
}

void wm_json_paused(const struct wm_analysis *a, struct wm_json *j)
{
	WM_JSON_ROW(j, "paused", "ranks allocations releases seconds.6",
		    a->paused_ranks, a->paused_allocations, a->unrecorded,
		    a->paused_seconds);
}

enum wm_status wm_json_notes(const struct wm_analysis *a, struct wm_doc *d,
			     struct wm_err *err)
{
	const struct wm_annotations *n = &a->annotations;
	struct wm_json *j = &d->data;
	enum wm_status s = WM_OK;
	size_t i;

	wm_tell_phases(a, 0, WM_FOR_DATA, d);
	wm_tell_names(a, 0, WM_FOR_DATA, d);
	wm_tell_marks(a, 0, WM_FOR_DATA, d);
	wm_tell_regions(a, 0, WM_FOR_DATA, d);
	wm_json_array(j, "snapshots");
	for (i = 0; i < n->snapshot_count && !s && (!d->most || i < d->most);
	     i++)
		s = put_snapshot(a, &n->snapshot[i], d, err);
	d->left_out += n->snapshot_count - i;
	wm_json_end_array(j);
	wm_json_paused(a, j);
	return s;
}

void wm_json_rank(struct wm_json *j, const struct wm_analysis *a)
{
	if (a->chosen == WM_ALL_RANKS)
		wm_json_text(j, "rank", "all");
	else
		wm_json_uint(j, "rank", a->ranks[a->chosen].rank);
}

void wm_json_moment(struct wm_json *j, const struct wm_analysis *a)
{
	bool one = a->chosen != WM_ALL_RANKS;

	wm_json_text(j, "at", a->at_time ? a->moment.text : NULL);
	if (a->at_time && (one || a->moment.way == WM_MOMENT_SECONDS))
		wm_json_real(j, "at_s",
			     one ? a->ranks[a->chosen].moment_seconds :
				   a->moment.value,
			     9);
	else
		wm_json_text(j, "at_s", NULL);
}
