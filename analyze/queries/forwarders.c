/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/queries/forwarders.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/base/vec.h"
#include "analyze/queries/path_frames.h"
#include "analyze/symbols/site.h"

/* What call paths say of a function. */
struct fn {
	const struct wm_symbol *location; /* where it allocates or forwards */
	uint32_t inner; /* to whom it forwards; 0: it allocates */
	uint32_t caller; /* number of a function; 0: none seen */
	uint8_t forwards; /* so far nothing speaks against it */
	uint8_t listed; /* a rule names it */
	uint8_t spoiled; /* in this round: it does something else, too */
	uint8_t callers; /* more than one function calls it */
};

struct search {
	const struct wm_analysis *a;
	const struct wm_symbol **frame; /* of all paths, sites first */
	size_t count, cap;
	size_t *end; /* of each path, in frame */
	struct fn *fn; /* by number of function */
	uint32_t functions;
};

static enum wm_status collect_frames(struct search *s, struct wm_err *err)
{
	size_t n = s->a->paths.path_count, i, k;
	struct wm_path_frames callpath = { .count = 0 };
	const struct wm_symbol **frame;
	enum wm_status r = WM_OK;

	s->end = calloc(n + 1, sizeof(*s->end));
	if (!s->end)
		return wm_no_memory(err, "wrappers");
	for (i = 0; i < n && !r; i++) {
		r = wm_path_frames_fill(&callpath, s->a, (uint32_t)i, err);
		frame = WM_ROOM(s->frame, s->cap,
				s->count + callpath.count + 1);
		if (!frame) {
			r = wm_no_memory(err, "wrappers");
			break;
		}
		for (k = 0; k < callpath.count && !r; k++)
			frame[s->count++] = callpath.frame[k].symbol;
		s->end[i] = s->count;
	}
	wm_path_frames_release(&callpath);
	s->functions = s->a->symbols->functions.count;
	s->fn = calloc((size_t)s->functions + 1, sizeof(*s->fn));
	return r ? r : s->fn ? WM_OK : wm_no_memory(err, "wrappers");
}

static bool is_passed(const struct search *s, const struct wm_symbol *sym)
{
	const struct fn *f = &s->fn[sym->function];

	return f->forwards || f->listed;
}

static bool same_location(const struct wm_symbol *a, const struct wm_symbol *b)
{
	return a == b || (a->file && b->file && a->line == b->line &&
			  strcmp(a->file, b->file) == 0);
}

/* The path of frames [@i, @end): its first frame that is not passed over may
 * forward; what is outside of it does something else. */
static void look_at(struct search *s, size_t i, size_t end)
{
	uint32_t inner = 0;
	struct fn *f;

	for (; i < end && is_passed(s, s->frame[i]); i++)
		inner = s->frame[i]->function;
	if (i == end)
		return;
	f = &s->fn[s->frame[i]->function];
	if (!f->location) {
		f->location = s->frame[i];
		f->inner = inner;
	}
	if (i + 1 == end || !s->frame[i]->forward || !s->frame[i]->linkage ||
	    s->frame[i]->site != WM_SITE_USER || f->inner != inner ||
	    !same_location(f->location, s->frame[i]))
		f->spoiled = 1;
	while (++i < end)
		s->fn[s->frame[i]->function].spoiled = 1;
}

/* Functions that forward, when those found so far do; false: no more. */
static bool next_round(struct search *s)
{
	size_t i, n = s->a->paths.path_count, found = 0;
	uint32_t k;

	for (k = 0; k <= s->functions; k++) {
		s->fn[k].spoiled = 0;
		s->fn[k].location = NULL;
	}
	for (i = 0; i < n; i++)
		look_at(s, i ? s->end[i - 1] : 0, s->end[i]);
	for (k = 1; k <= s->functions; k++)
		if (s->fn[k].location && !s->fn[k].spoiled &&
		    !s->fn[k].forwards)
			s->fn[k].forwards = ++found > 0;
	return found > 0;
}

static void find_callers(struct search *s)
{
	size_t i, k, n = s->a->paths.path_count;

	for (i = 0; i < n; i++)
		for (k = i ? s->end[i - 1] : 0; k + 1 < s->end[i]; k++) {
			struct fn *f = &s->fn[s->frame[k]->function];
			uint32_t caller = s->frame[k + 1]->function;

			f->callers |= f->caller && f->caller != caller;
			f->caller = caller;
		}
}

/* Those stay that have one caller only, and it stays. */
static void keep_unshared(struct search *s)
{
	bool changed = true;
	uint32_t k;

	while (changed) {
		changed = false;
		for (k = 1; k <= s->functions; k++) {
			struct fn *f = &s->fn[k];

			if (!f->forwards || f->callers ||
			    s->fn[f->caller].forwards ||
			    s->fn[f->caller].listed)
				continue;
			f->forwards = 0;
			changed = true;
		}
	}
}

static enum wm_status find_forwarders(struct wm_forwarders *w,
				      const struct wm_analysis *a,
				      struct wm_err *err)
{
	struct search s = { .a = a };
	enum wm_status r = collect_frames(&s, err);
	size_t i;
	uint32_t k;

	for (i = 0; i < s.count && !r; i++)
		s.fn[s.frame[i]->function].listed |= s.frame[i]->wrapper;
	while (!r && next_round(&s))
		;
	if (!r) {
		find_callers(&s);
		keep_unshared(&s);
		w->folded = calloc((size_t)s.functions + 1, 1);
		r = w->folded ? WM_OK : wm_no_memory(err, "wrappers");
	}
	for (k = 1; k <= s.functions && !r; k++)
		w->folded[k] = s.fn[k].forwards || s.fn[k].listed;
	w->count = s.functions + 1;
	w->found = !r;
	free(s.frame);
	free(s.end);
	free(s.fn);
	return r;
}

static enum wm_status find_once(const struct wm_analysis *a, struct wm_err *err)
{
	return a->forwarders->found ? WM_OK :
				      find_forwarders(a->forwarders, a, err);
}

size_t wm_forwarders_passed(const struct wm_analysis *a,
			    const struct wm_path_frames *callpath)
{
	const struct wm_forwarders *w = a->forwarders;
	size_t i;

	for (i = 0; i < callpath->count; i++)
		if (callpath->frame[i].symbol->function >= w->count ||
		    !w->folded[callpath->frame[i].symbol->function])
			break;
	return i < callpath->count ? i : 0;
}

/* Move @h to its first caller that is no forwarder, if there is one. */
static enum wm_status move_out(struct wm_held *h, const struct wm_analysis *a,
			       struct wm_path_frames *callpath,
			       struct wm_err *err)
{
	enum wm_status s = wm_path_frames_fill(callpath, a, h->path, err);
	size_t i = s ? 0 : wm_forwarders_passed(a, callpath);

	if (i) {
		h->site = callpath->frame[i];
		h->passed = (uint32_t)i;
	}
	return s;
}

enum wm_status wm_forwarders_fold(struct wm_functions *to,
				  const struct wm_functions *f,
				  const struct wm_analysis *a,
				  struct wm_err *err)
{
	struct wm_held *held = calloc(f->held_count + 1, sizeof(*held));
	struct wm_path_frames callpath = { .count = 0 };
	enum wm_status s = WM_OK;
	size_t i;

	memset(to, 0, sizeof(*to));
	if (!held)
		return wm_no_memory(err, "wrappers");
	s = find_once(a, err);
	for (i = 0; i < f->held_count && !s; i++) {
		held[i] = f->held[i];
		s = move_out(&held[i], a, &callpath, err);
	}
	if (!s)
		s = wm_functions_group(to, a, held, f->held_count, f->moment,
				       err);
	wm_path_frames_release(&callpath);
	free(held);
	return s;
}

enum wm_status wm_forwarders_apply(struct wm_functions *f,
				   const struct wm_analysis *a,
				   struct wm_err *err)
{
	struct wm_functions folded;
	enum wm_status s = wm_forwarders_fold(&folded, f, a, err);

	if (s)
		return s;
	wm_functions_release(f);
	*f = folded;
	return WM_OK;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* What all frames of @a's paths are handed to. */
typedef enum wm_status visit(void *context, const struct wm_analysis *a,
			     const struct wm_symbol *s, struct wm_err *err);

static enum wm_status visit_frames(const struct wm_analysis *a, visit *take,
				   void *context, struct wm_err *err)
{
	struct wm_path_frames callpath = { .count = 0 };
	enum wm_status r = WM_OK;
	size_t i, k;

	for (i = 0; i < a->paths.path_count && !r; i++) {
		r = wm_path_frames_fill(&callpath, a, (uint32_t)i, err);
		for (k = 0; k < callpath.count && !r; k++)
			r = take(context, a, callpath.frame[k].symbol, err);
	}
	wm_path_frames_release(&callpath);
	return r;
}

/* Names of functions that one of two analyses folds. */
struct fold_names {
	const char **name;
	size_t count, cap;
	uint8_t *taken; /* by number of function */
};

static enum wm_status take_folded(void *context, const struct wm_analysis *a,
				  const struct wm_symbol *s, struct wm_err *err)
{
	struct fold_names *n = context;

	if (s->function >= a->forwarders->count || n->taken[s->function] ||
	    !a->forwarders->folded[s->function])
		return WM_OK;
	if (!WM_ROOM(n->name, n->cap, n->count + 1))
		return wm_no_memory(err, "wrappers");
	n->taken[s->function] = 1;
	n->name[n->count++] = wm_symbol_stable(s);
	return WM_OK;
}

static enum wm_status fold_named(void *context, const struct wm_analysis *a,
				 const struct wm_symbol *s, struct wm_err *err)
{
	const struct fold_names *n = context;
	const char *name = wm_symbol_stable(s);

	(void)err;
	if (n->count && s->forward && s->linkage && s->site == WM_SITE_USER &&
	    s->function < a->forwarders->count &&
	    bsearch(&name, n->name, n->count, sizeof(*n->name), by_name))
		a->forwarders->folded[s->function] = 1;
	return WM_OK;
}

enum wm_status wm_forwarders_agree(const struct wm_analysis *a,
				   const struct wm_analysis *b,
				   struct wm_err *err)
{
	const struct wm_analysis *both[2] = { a, b };
	struct fold_names n[2] = { { .name = NULL }, { .name = NULL } };
	enum wm_status s = WM_OK;
	size_t i;

	for (i = 0; i < 2 && !s; i++) {
		s = find_once(both[i], err);
		if (s)
			break;
		n[i].taken = calloc(both[i]->forwarders->count + 1u, 1);
		s = n[i].taken ?
			    visit_frames(both[i], take_folded, &n[i], err) :
			    wm_no_memory(err, "wrappers");
		if (n[i].count)
			qsort(n[i].name, n[i].count, sizeof(*n[i].name),
			      by_name);
	}
	for (i = 0; i < 2 && !s; i++)
		s = visit_frames(both[i], fold_named, &n[1 - i], err);
	for (i = 0; i < 2; i++) {
		free(n[i].name);
		free(n[i].taken);
	}
	return s;
}
