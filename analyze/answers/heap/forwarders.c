/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/answers/heap/forwarders.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/lib/base/keys.h"
#include "analyze/lib/base/vec.h"
#include "analyze/answers/heap/path_frames.h"

struct fn {
	/* of its allocation, or of its call of .inner */
	const struct wm_symbol *location;
	uint32_t inner; /* function that it calls; 0: it allocates */
	uint32_t caller; /* number of a calling function; 0: none so far */
	/* known to forward */
	uint8_t forwards;
	uint8_t listed; /* a rule names it */
	/* a path of this round shows that it does more than forward */
	uint8_t spoiled;
	uint8_t callers; /* more than one function calls it */
};

/* A frame of call paths.  Paths with the same callers share the frames of
 * these callers: otherwise half a million paths would have some ten million
 * frames. */
struct frame {
	const struct wm_symbol *symbol;
	uint32_t outer; /* number of the caller's frame; 0: none */
	/* last round that marked this function and its callers */
	uint32_t round;
};

struct search {
	const struct wm_analysis *a;
	struct frame *frame; /* by number, from 1 on */
	size_t count, cap;
	uint32_t *by_node; /* number of the shared frame; 0: none */
	uint32_t *site; /* by path: the number of its first frame */
	struct fn *fn; /* by number of function */
	uint32_t functions, round;
};

/* Adds the frames of @p inside of frame number *@at.  Stores the number of the
 * innermost frame in *@at. */
static enum wm_status add_frames(struct search *s,
				 const struct wm_path_frames *p, bool same,
				 uint32_t *at, struct wm_err *err)
{
	size_t k = p->count;

	if (s->count + k >= UINT32_MAX ||
	    !WM_ROOM(s->frame, s->cap, s->count + k + 1))
		return wm_no_memory(err, "wrappers");
	while (k--) {
		s->frame[++s->count] = (struct frame){
			.symbol = p->frame[k].symbol,
			.outer = *at,
		};
		*at = (uint32_t)s->count;
		if (same && !p->frame[k].symbol->outer)
			s->by_node[p->frame[k].node] = *at;
	}
	return WM_OK;
}

static enum wm_status collect_frames(struct search *s, struct wm_err *err)
{
	size_t n = s->a->paths.path_count, i;
	struct wm_path_frames callpath = { .count = 0 };
	enum wm_status r = WM_OK;
	bool same;

	s->site = calloc(n + 1, sizeof(*s->site));
	s->by_node = calloc(s->a->paths.node_count + 1, sizeof(*s->by_node));
	if (!s->site || !s->by_node)
		return wm_no_memory(err, "wrappers");
	for (i = 0; i < n && !r; i++) {
		r = wm_path_frames_fill_to(&callpath, s->a, (uint32_t)i,
					   s->by_node, &s->site[i], &same, err);
		if (!r)
			r = add_frames(s, &callpath, same, &s->site[i], err);
	}
	wm_path_frames_release(&callpath);
	s->functions = s->a->symbols->functions.count;
	s->fn = calloc((size_t)s->functions + 1, sizeof(*s->fn));
	return r ? r : s->fn ? WM_OK : wm_no_memory(err, "wrappers");
}

static bool same_location(const struct wm_symbol *a, const struct wm_symbol *b)
{
	return a == b || (a->file && b->file && a->line == b->line &&
			  strcmp(a->file, b->file) == 0);
}

/* Marks the functions on the path from frame number @i outwards.  The first
 * function that is not yet known to forward may forward; all its callers do
 * more. */
static void look_at(struct search *s, uint32_t i)
{
	const struct wm_symbol *symbol = NULL;
	struct fn *f = NULL;
	uint32_t inner = 0;

	for (; i; i = s->frame[i].outer) {
		symbol = s->frame[i].symbol;
		f = &s->fn[symbol->function];
		if (!f->forwards && !f->listed)
			break;
		inner = symbol->function;
	}
	if (!i)
		return;
	if (!f->location) {
		f->location = symbol;
		f->inner = inner;
	}
	i = s->frame[i].outer;
	if (!i || !symbol->forward || !symbol->linkage ||
	    symbol->site != WM_SITE_USER || f->inner != inner ||
	    !same_location(f->location, symbol))
		f->spoiled = 1;
	for (; i && s->frame[i].round != s->round; i = s->frame[i].outer) {
		s->frame[i].round = s->round;
		s->fn[s->frame[i].symbol->function].spoiled = 1;
	}
}

/* Finds functions that call only known forwarders, or returns false. */
static bool next_round(struct search *s)
{
	size_t i, n = s->a->paths.path_count, found = 0;

	for (uint32_t k = 0; k <= s->functions; k++) {
		s->fn[k].spoiled = 0;
		s->fn[k].location = NULL;
	}
	s->round++;
	for (i = 0; i < n; i++)
		look_at(s, s->site[i]);
	for (uint32_t k = 1; k <= s->functions; k++)
		if (s->fn[k].location && !s->fn[k].spoiled &&
		    !s->fn[k].forwards)
			s->fn[k].forwards = ++found > 0;
	return found > 0;
}

static void find_callers(struct search *s)
{
	for (size_t i = 1; i <= s->count; i++) {
		const struct frame *x = &s->frame[i];
		struct fn *f = &s->fn[x->symbol->function];
		uint32_t caller;

		if (!x->outer)
			continue;
		caller = s->frame[x->outer].symbol->function;
		f->callers |= f->caller && f->caller != caller;
		f->caller = caller;
	}
}

/* Drops forwarders with only one caller, unless this caller is a forwarder. */
static void keep_unshared(struct search *s)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (uint32_t k = 1; k <= s->functions; k++) {
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

	for (size_t i = 1; i <= s.count && !r; i++)
		s.fn[s.frame[i].symbol->function].listed |=
			s.frame[i].symbol->wrapper;
	while (!r && next_round(&s))
		;
	if (!r) {
		find_callers(&s);
		keep_unshared(&s);
		w->folded = calloc((size_t)s.functions + 1, 1);
		r = w->folded ? WM_OK : wm_no_memory(err, "wrappers");
	}
	for (uint32_t k = 1; k <= s.functions && !r; k++)
		w->folded[k] = s.fn[k].forwards || s.fn[k].listed;
	w->count = s.functions + 1;
	w->found = !r;
	free(s.frame);
	free(s.by_node);
	free(s.site);
	free(s.fn);
	return r;
}

enum wm_status wm_forwarders_find(const struct wm_analysis *a,
				  struct wm_err *err)
{
	return a->forwarders->found ? WM_OK :
				      find_forwarders(a->forwarders, a, err);
}

bool wm_forwarders_has(const struct wm_forwarders *w, const struct wm_symbol *s)
{
	return s->function < w->count && w->folded[s->function];
}

size_t wm_forwarders_passed(const struct wm_analysis *a,
			    const struct wm_path_frames *callpath)
{
	size_t i;

	for (i = 0; i < callpath->count; i++)
		if (!wm_forwarders_has(a->forwarders,
				       callpath->frame[i].symbol))
			break;
	return i < callpath->count ? i : 0;
}

/* Moves @h to its first caller that is no forwarder, if there is one. */
static enum wm_status move_out(struct wm_held *h, const struct wm_analysis *a,
			       struct wm_path_frames *callpath,
			       struct wm_err *err)
{
	enum wm_status s;
	size_t i;

	/* the usual case: the site of the path is no forwarder */
	if (!h->passed && h->site.symbol &&
	    !wm_forwarders_has(a->forwarders, h->site.symbol))
		return WM_OK;
	s = wm_path_frames_fill(callpath, a, h->path, err);
	i = s ? 0 : wm_forwarders_passed(a, callpath);
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

	memset(to, 0, sizeof(*to));
	if (!held)
		return wm_no_memory(err, "wrappers");
	s = wm_forwarders_find(a, err);
	for (size_t i = 0; i < f->held_count && !s; i++) {
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

/* If @known is 0, collects in @names the functions that @a folds.  Otherwise
 * folds each function of @a whose name is one of the first @known names. */
static enum wm_status share_names(const struct wm_analysis *a,
				  struct wm_keys *names, size_t known,
				  struct wm_err *err)
{
	struct wm_path_frames callpath = { .count = 0 };
	uint8_t *folded = a->forwarders->folded;
	enum wm_status r = WM_OK;

	for (size_t i = 0; i < a->paths.path_count && !r; i++) {
		r = wm_path_frames_fill(&callpath, a, (uint32_t)i, err);
		for (size_t k = 0; k < callpath.count && !r; k++) {
			const struct wm_symbol *s = callpath.frame[k].symbol;

			if (s->function >= a->forwarders->count ||
			    !folded[s->function] != !!known)
				continue;
			if (!known)
				wm_keys_text(names, wm_symbol_stable(s));
			else if (s->forward && s->linkage &&
				 s->site == WM_SITE_USER &&
				 wm_keys_text(names, wm_symbol_stable(s)) <
					 known)
				folded[s->function] = 1;
		}
	}
	wm_path_frames_release(&callpath);
	return r;
}

enum wm_status wm_forwarders_agree(const struct wm_analysis *a,
				   const struct wm_analysis *b,
				   struct wm_err *err)
{
	const struct wm_analysis *const both[] = { a, b };
	struct wm_keys names = { .count = 0 };
	enum wm_status s = WM_OK;
	size_t i, known;

	for (i = 0; i < 2 && !s; i++)
		s = wm_forwarders_find(both[i], err);
	for (i = 0; i < 2 && !s; i++)
		s = share_names(both[i], &names, 0, err);
	known = names.count;
	for (i = 0; i < 2 && !s && known; i++)
		s = share_names(both[i], &names, known, err);
	if (!s && names.failed)
		s = wm_no_memory(err, "wrappers");
	wm_keys_release(&names);
	return s;
}
