/* SPDX-License-Identifier: Apache-2.0 */
/* The owners of the pages of the chosen rank, by allocation site or variable.
 * The list owns its rows and some names; other names belong to the analysis.
 * An epoch is given by the moment of its end. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/pages/page_statics.h"

struct wm_page_site {
	const char *kind; /* heap, static, tls, stack, map, mpi */
	const char *name, *file; /* .file NULL: unknown */
	uint32_t line; /* 0: unknown */
	bool nobody; /* no site: pages on which no site has bytes */
	/* as in struct wm_page_owner, summed over the call paths of the site */
	uint64_t bytes, touched, written, untouched;
	uint64_t last_epoch, median_epoch;
	uint64_t page_epochs, written_page_epochs, shared_page_epochs;
	double byte_time; /* ns */
	uint64_t end, end_untouched, cold, read_only;
	/* seconds on the clock of the job; negative: never */
	double first, last, last_write, cold_since, read_only_since;
};

struct wm_page_sites {
	struct wm_page_site *site; /* most bytes first */
	size_t count, cap;
	uint64_t not_watched; /* bytes of sites whose memory is not watched */
	uint64_t untouched, cold, read_only; /* of all sites */
	uint64_t nobody_page_epochs, shared_page_epochs; /* of all pages */
	bool has_variables; /* else static memory is one site without owner */
	struct wm_page_statics statics;
};

/* The named rows of a census, which owns them, in order of name. */
struct wm_declarations {
	const struct wm_census_row **row;
	size_t count;
};

/* @c may be NULL.  Returns false if memory is short. */
bool wm_declarations_make(struct wm_declarations *d, const struct wm_census *c);
void wm_declarations_release(struct wm_declarations *d);
/*
 * Sets the name and kind of @v, makes the name readable, and sets the
 * declaration if exactly one in @d has the name and size of @v.  A variable
 * that is not in @d is the tool's own, unless @d is empty or @hooked is set.
 * With @hooked all accesses are the program's; the plain link may have removed
 * a variable from @d.  Returns false if memory is short.
 */
bool wm_page_site_variable(struct wm_page_site *s, struct wm_variable *v,
			   const struct wm_declarations *d, bool hooked);
/* Sets only name, place and kind.  Returns false if memory is short. */
bool wm_page_site_of(struct wm_page_site *s, const struct wm_analysis *a,
		     const struct wm_page_owner *o);
/* Returns whether name, place and kind are the same. */
bool wm_page_site_is(const struct wm_page_site *s,
		     const struct wm_page_site *other);
enum wm_status wm_page_sites_make(struct wm_page_sites *l,
				  const struct wm_analysis *a,
				  struct wm_err *err);
void wm_page_sites_release(struct wm_page_sites *l);
