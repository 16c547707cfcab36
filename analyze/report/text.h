/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What reports tell people alike: what lists are about, notes, and the list of
 * functions with their call paths.
 */
#ifndef WM_ANALYZE_TEXT_H
#define WM_ANALYZE_TEXT_H

#include <stdint.h>

#include "analyze/base/shorten.h"
#include "analyze/base/units.h"
#include "analyze/job/analysis.h"
#include "analyze/queries/functions.h"
#include "analyze/render/doc.h"
#include "analyze/report/opts.h"

/* What the lists are about: "rank 3", "all ranks". */
const char *wm_chosen(struct wm_buf *b, const struct wm_analysis *a);

/* @text cut to @columns, with "..." where it was; in @buf, which has 4 bytes
 * a column and one more. */
const char *wm_cut(const char *text, size_t columns, char *buf);
/* " in phase 'solve'", or "" when @r's peak is in none. */
#define WM_PHASE_TEXT 256
const char *wm_peak_phase(const struct wm_rank *r, char buf[WM_PHASE_TEXT]);

/* ", in 3 ranks, most in rank 2 (@most)" into @buf; @count: of the ranks. */
void wm_text_shared(const struct wm_shared *s, const char *most,
		    const char *count, char *buf, size_t size);
/* Rows of a list: as many as the user wants, else @usual. */
static inline size_t wm_top(const struct wm_opts *o, size_t usual)
{
	return o->top_given ? o->top : usual;
}

/* How what ranks without an end held is called; of the chosen one, or all. */
const char *wm_held_when(const struct wm_analysis *a);

/*
 * When the lists of who holds memory are: "at the peak of rank 3 (0.5 s in
 * phase 'solve')", "at 1.5 s of rank 3", "all ranks, each at its own peak".
 */
#define WM_WHEN_TEXT 384
const char *wm_when(const struct wm_analysis *a, char buf[WM_WHEN_TEXT]);

/* Notes about what is missing, under a heading; nothing when all is well. */
void wm_text_notes(const struct wm_analysis *a, struct wm_doc *d);

/* A name of a function, in what a line has left of which @used columns are
 * taken; in @buf. */
#define WM_TEXT_NAME (WM_NAME_COLUMNS + 1)
const char *wm_text_name(const struct wm_doc *d, const char *name, size_t used,
			 char buf[WM_TEXT_NAME]);
/* A name of a file or what the user gave, without what terminals obey. */
void wm_text_plain(const char *text, struct wm_doc *d);
/* " 12.3 %" */
void wm_text_share(uint64_t part, uint64_t whole, struct wm_doc *d);
/* "  mesh.c:123", or the library, or nothing. */
void wm_text_place(const struct wm_symbol *s, const struct wm_module *m,
		   struct wm_doc *d);
/* text_functions.c: wrappers are folded (analyze/queries/wrappers.h).  At most
 * @top functions, below each at most @paths call paths; 0: all. */
void wm_text_functions(const struct wm_analysis *a,
		       const struct wm_functions *f, size_t top, size_t paths,
		       struct wm_doc *d);
/* text_paths.c: at most @paths call paths of @f, 0: all; shares of @whole. */
void wm_text_paths(const struct wm_analysis *a, const struct wm_function *f,
		   enum wm_moment moment, uint64_t whole, size_t paths,
		   struct wm_doc *d);

/*
 * text_notes.c: what the program says of itself.
 */
/* The names of the blocks of one path, on the line that has begun. */
void wm_text_tags(const struct wm_analysis *a, uint32_t path,
		  enum wm_moment moment, struct wm_doc *d);
/* Tables of phases, names and snapshots, where there are any. */
void wm_text_phases(const struct wm_analysis *a, const struct wm_opts *o,
		    struct wm_doc *d);
void wm_text_names(const struct wm_analysis *a, const struct wm_opts *o,
		   struct wm_doc *d);
void wm_text_snapshots(const struct wm_analysis *a, const struct wm_opts *o,
		       struct wm_doc *d);

#endif
