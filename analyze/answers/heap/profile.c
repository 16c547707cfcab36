/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/heap/profile.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/plain.h"
#include "analyze/lib/base/vec.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/heap/forwarders.h"
#include "analyze/answers/heap/path_frames.h"
#include "analyze/answers/heap/threads.h"
#include "analyze/symbols/namesakes.h"
#include "wm/search.h"

/* Writes @name without characters that would end the part or the line. */
static char *put_name(char *to, const char *name)
{
	for (; *name; name++)
		*to++ = *name == ';'		   ? ':' :
			(unsigned char)*name < ' ' ? ' ' :
						     *name;
	return to;
}

#define LOCATION_DIGITS 18 /* ":+ffffffffffffffff" */

/* Names that contain lines are only for people who look at one run, as such
 * names differ between runs. */
static const char *name_of(const struct wm_symbol *s, bool people)
{
	return people ? s->name : wm_symbol_stable(s);
}

/* Returns the file that follows a name of several functions, or NULL.  A name
 * that contains lines already has its file. */
static const char *file_of(const struct wm_analysis *a,
			   const struct wm_symbol *s, bool people)
{
	if (people && s->region)
		return NULL;
	return wm_namesakes_file(a->namesakes, s);
}

/* Joins the names of @s, with the places of the calls if @lines is set.  If
 * @root is not NULL, its name comes first. */
static char *join_path(const struct wm_path_frames *s,
		       const struct wm_analysis *a, bool lines,
		       const struct wm_symbol *root, bool people)
{
	size_t size = 1 + (root ? strlen(root->name) + 1 : 0), i;
	const char *file;
	char *text, *at;

	for (i = 0; i < s->count; i++) {
		file = file_of(a, s->frame[i].symbol, people);
		size += strlen(name_of(s->frame[i].symbol, people)) +
			(file ? 2 + strlen(file) : 0) + LOCATION_DIGITS + 1;
	}
	text = at = malloc(size);
	if (!text)
		return NULL;
	if (root) {
		at = put_name(at, root->name);
		if (s->count)
			*at++ = ';';
	}
	for (i = s->count; i-- > 0;) {
		const struct wm_frame *f = &s->frame[i];

		at = put_name(at, name_of(f->symbol, people));
		file = file_of(a, f->symbol, people);
		if (file)
			at = put_name(stpcpy(at, "  "), file);
		if (lines && f->symbol->line)
			at += sprintf(at, ":%" PRIu32, f->symbol->line);
		else if (lines)
			at += sprintf(at, ":+%" PRIx64,
				      a->paths.nodes[f->node].offset);
		if (i)
			*at++ = ';';
	}
	*at = 0;
	return text;
}

char *wm_profile_path(const struct wm_analysis *a,
		      const struct wm_path_frames *s)
{
	if (wm_namesakes_add(a->namesakes, a->symbols, &a->paths, NULL))
		return NULL;
	return join_path(s, a, false, NULL, true);
}

static enum wm_status fill_row(struct wm_profile_row *r,
			       const struct wm_path_frames *s,
			       const struct wm_analysis *a,
			       enum wm_profile_form form,
			       const struct wm_symbol *root, struct wm_err *err)
{
	const struct wm_symbol *site = s->count ? s->frame[0].symbol : NULL;
	bool people = form == WM_PROFILE_SHOWN;

	r->path = join_path(s, a, form == WM_PROFILE_BY_LINE, root, people);
	r->site = strdup(site ? name_of(site, people) : "??");
	if (site && site->file)
		r->file = strdup(site->file);
	r->line = site ? site->line : 0;
	return !r->path || !r->site || (site && site->file && !r->file) ?
		       wm_no_memory(err, "call paths") :
		       WM_OK;
}

static void row_release(struct wm_profile_row *r)
{
	free(r->path);
	free(r->site);
	free(r->file);
}

void wm_profile_release(struct wm_profile *p)
{
	for (size_t i = 0; i < p->count; i++)
		row_release(&p->row[i]);
	free(p->row);
	memset(p, 0, sizeof(*p));
}

/* Compares by path, then by bytes, most first. */
static int by_path(const void *a, const void *b)
{
	const struct wm_profile_row *x = a, *y = b;

	return WM_KEYS(strcmp(x->path, y->path),
		       WM_ORDER(y->use.peak_bytes, x->use.peak_bytes),
		       WM_ORDER(x->line, y->line));
}

static void join_rows(struct wm_profile *p)
{
	size_t i, n = 0;

	for (i = 0; i < p->count; i++) {
		struct wm_profile_row *last = n ? &p->row[n - 1] : NULL;

		if (!last || strcmp(last->path, p->row[i].path) != 0) {
			p->row[n++] = p->row[i];
			continue;
		}
		wm_use_add(&last->use, &p->row[i].use);
		row_release(&p->row[i]);
	}
	p->count = n;
}

/* Adds a row for @u, unless it has no blocks. */
static enum wm_status add_row(struct wm_profile *p, const struct wm_analysis *a,
			      const struct wm_rooted_use *u,
			      struct wm_path_frames *callpath,
			      enum wm_profile_form form, struct wm_err *err)
{
	struct wm_profile_row *row;
	struct wm_path_frames shown;
	enum wm_status s;
	size_t passed = 0;

	if (!u->use.peak_blocks && !u->use.end_blocks)
		return WM_OK;
	row = WM_MORE(p->row, p->cap, p->count);
	if (!row)
		return wm_no_memory(err, "call paths");
	p->count++;
	row->use = u->use;
	s = wm_path_frames_fill(callpath, a, u->path, err);
	if (s)
		return s;
	shown = *callpath;
	if (form == WM_PROFILE_BY_CALLER)
		passed = wm_forwarders_passed(a, callpath);
	shown.frame += passed;
	shown.count -= passed;
	return fill_row(row, &shown, a, form, u->root, err);
}

enum wm_status wm_profile_make(struct wm_profile *p,
			       const struct wm_analysis *a,
			       const struct wm_use *use,
			       const struct wm_thread_rows *rows,
			       enum wm_profile_form form, struct wm_err *err)
{
	struct wm_path_frames callpath = { .count = 0 };
	enum wm_status s;

	memset(p, 0, sizeof(*p));
	s = wm_namesakes_add(a->namesakes, a->symbols, &a->paths, err);
	for (size_t i = 0; !rows && i < a->paths.path_count && !s; i++) {
		struct wm_rooted_use u = { NULL, (uint32_t)i, use[i] };

		s = add_row(p, a, &u, &callpath, form, err);
	}
	for (size_t i = 0; rows && i < rows->uses && !s; i++)
		s = add_row(p, a, &rows->use[i], &callpath, form, err);
	wm_path_frames_release(&callpath);
	if (s) {
		wm_profile_release(p);
		return s;
	}
	WM_SORT(p->row, p->count, by_path);
	join_rows(p);
	return WM_OK;
}

static int find_path(const void *key, const void *row)
{
	return strcmp(key, ((const struct wm_profile_row *)row)->path);
}

const struct wm_profile_row *wm_profile_find(const struct wm_profile *p,
					     const char *path)
{
	if (!p->count)
		return NULL;
	return bsearch(path, p->row, p->count, sizeof(*p->row), find_path);
}

/* Returns the length of @part up to its address: "grab:29" is left whole, and
 * "grab:+1a2b" is cut after "grab". */
static int shown_length(const char *part, size_t length)
{
	size_t i = length;

	while (i && strchr("0123456789abcdef", part[i - 1]))
		i--;
	if (i > 1 && part[i - 1] == '+' && part[i - 2] == ':')
		return (int)i - 2;
	return (int)length;
}

const char *wm_profile_site(const char *path, char out[WM_SITE_TEXT])
{
	const char *site = strrchr(path, ';'), *caller = site;
	int n;

	if (!site) {
		n = snprintf(out, WM_SITE_TEXT, "%.*s",
			     *path ? shown_length(path, strlen(path)) : 2,
			     *path ? path : "??");
		wm_plain_trim(out, WM_SITE_TEXT, n);
		return out;
	}
	while (caller > path && caller[-1] != ';')
		caller--;
	n = snprintf(out, WM_SITE_TEXT, "%.*s < %.*s",
		     shown_length(site + 1, strlen(site + 1)), site + 1,
		     shown_length(caller, (size_t)(site - caller)), caller);
	wm_plain_trim(out, WM_SITE_TEXT, n);
	return out;
}
