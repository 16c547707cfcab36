/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/symbols/site.h"

#include <string.h>

struct candidates {
	struct wm_frame first, mpi, base, openmp, by_name;
};

/* Adds @f; returns true when the search is over.  @homeless: in no module. */
static bool consider_frame(struct candidates *c, const struct wm_frame *f,
			   bool homeless)
{
	/* the OpenMP functions so far worked for omp_alloc()'s caller */
	if (f->symbol && f->symbol->group == WM_GROUP_allocator)
		c->openmp.node = 0;
	switch (f->symbol ? f->symbol->site : WM_SITE_BY_OBJECT) {
	case WM_SITE_USER:
		/* in a part of MPI whose loading was not recorded */
		if (homeless && c->base.node)
			break;
		if (!c->mpi.node && !c->base.node && !c->openmp.node)
			c->base = *f;
		return true;
	case WM_SITE_MPI:
		/* the program called the outermost function; shims and bindings
		 * have its name */
		if (!c->mpi.node ||
		    strcmp(c->mpi.symbol->name, f->symbol->name) != 0)
			c->mpi = *f;
		break;
	case WM_SITE_OPENMP:
		c->openmp = *f;
		break;
	case WM_SITE_MPI_BASE:
		if (!c->base.node)
			c->base = *f;
		break;
	case WM_SITE_BY_NAME:
		/* the innermost frame is the allocator, whatever its name */
		if (!c->by_name.node && f->symbol != c->first.symbol)
			c->by_name = *f;
		break;
	default:
		break;
	}
	return false;
}

static bool is_in_main(const struct wm_paths *paths, const struct wm_frame *f)
{
	return paths->modules[paths->nodes[f->node].module].main;
}

static bool has_object(const struct wm_symbol *s)
{
	return s->object && s->object[0] != '(';
}

/*
 * Returns true if MPI may have called @f, and sets *@f to the innermost frame
 * of MPI around @f.  Such an @f is in a library, or its object file is unknown
 * while that of MPI is known.  Returns false if a function of the executable is
 * between @f and MPI.
 */
static bool is_below_mpi(struct wm_symbols *s, const struct wm_paths *paths,
			 struct wm_frame *f)
{
	struct wm_frame outer = *f;
	bool in_main = is_in_main(paths, f);

	if (in_main && has_object(f->symbol))
		return false;
	while (wm_frame_next(s, paths, &outer)) {
		int class = outer.symbol ? outer.symbol->site : WM_SITE_OWN;

		if (class == WM_SITE_MPI &&
		    (!in_main || has_object(outer.symbol))) {
			*f = outer;
			return true;
		}
		if (class == WM_SITE_MPI ||
		    (class == WM_SITE_USER && is_in_main(paths, &outer)))
			return false;
	}
	return false;
}

/*
 * Returns true if OpenMP's runtime called @f, in a shared library, for its own
 * purposes; the body of a region or task would be in the executable.  Sets *@f
 * to the innermost frame of OpenMP around @f, or to that of omp_alloc(), which
 * allocates for its caller.
 */
static bool is_below_openmp(struct wm_symbols *s, const struct wm_paths *paths,
			    struct wm_frame *f)
{
	struct wm_frame outer = *f, openmp = { .node = 0 };

	while (!is_in_main(paths, &outer) && wm_frame_next(s, paths, &outer)) {
		if (!outer.symbol || outer.symbol->site == WM_SITE_MPI)
			return false;
		if (openmp.node && outer.symbol->group == WM_GROUP_allocator) {
			*f = outer;
			return true;
		}
		if (outer.symbol->site == WM_SITE_OPENMP && !openmp.node)
			openmp = outer;
		else if (openmp.node && outer.symbol->site == WM_SITE_USER)
			break;
	}
	if (!openmp.node || !is_in_main(paths, &outer) ||
	    outer.symbol->site != WM_SITE_USER)
		return false;
	*f = openmp;
	return true;
}

struct wm_frame wm_site_find(struct wm_symbols *s, const struct wm_paths *paths,
			     uint32_t path)
{
	struct wm_frame f = wm_frame_first(s, paths, paths->leaf[path]);
	struct candidates c = { .first = f };

	if (!f.node)
		return f;
	do {
		uint32_t module = paths->nodes[f.node].module;

		if (f.symbol && f.symbol->site == WM_SITE_USER && !c.mpi.node &&
		    module != WM_NO_MODULE && !is_below_mpi(s, paths, &f))
			is_below_openmp(s, paths, &f);
		if (consider_frame(&c, &f, module == WM_NO_MODULE))
			break;
	} while (wm_frame_next(s, paths, &f));
	if (c.mpi.node)
		return c.mpi;
	if (c.openmp.node)
		return c.openmp;
	if (c.base.node)
		return c.base;
	return c.by_name.node ? c.by_name : c.first;
}

bool wm_site_may_be(const struct wm_symbol *s)
{
	return s->site == WM_SITE_USER || s->site == WM_SITE_MPI ||
	       s->site == WM_SITE_MPI_BASE || s->site == WM_SITE_OPENMP;
}
