/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts that reports share: the subject of lists, notes, facts, and the list of
 * functions with their call paths.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "analyze/lib/base/shorten.h"
#include "analyze/lib/base/units.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/heap/functions.h"
#include "analyze/answers/heap/path_frames.h"
#include "analyze/render/doc.h"
#include "analyze/answers/opts.h"

/* Returns the subject of the lists: "rank 3", "all ranks". */
const char *wm_chosen(struct wm_figure *b, const struct wm_analysis *a);

/* Returns @text, which is plain, cut to @columns between characters, with "..."
 * where text was cut off.  @buf must have 4 bytes for each column and one
 * more. */
const char *wm_cut(const char *text, size_t columns, char *buf);
/* Returns " in phase 'solve'", or "" if the peak of @r is in no phase. */
#define WM_PHASE_TEXT 256
const char *wm_peak_phase(const struct wm_rank *r, char buf[WM_PHASE_TEXT]);

/* Writes ", in 3 ranks, most in rank 2 (@most)" into @buf; @count: 3. */
void wm_text_shared(const struct wm_shared *s, const char *most,
		    const char *count, char *buf, size_t size);
/* Returns the rows of a list: as many as the user wants, else @usual. */
static inline size_t wm_top(const struct wm_opts *o, size_t usual)
{
	return o->top_given ? o->top : usual;
}

/* Returns the title of memory that ranks without an end hold: the chosen rank,
 * or all. */
const char *wm_held_when(const struct wm_analysis *a);

/*
 * Returns the moment at which lists show the holders of memory: "at the peak of
 * rank 3 (0.5 s in phase 'solve')", "at 1.5 s of rank 3", "all ranks, each at
 * its own peak".
 */
#define WM_WHEN_TEXT 384
const char *wm_when(const struct wm_analysis *a, char buf[WM_WHEN_TEXT]);
/* Returns only the moment: "the peak", "1.5 s", "the end", "'assembled'". */
const char *wm_moment_text(const struct wm_analysis *a, char buf[WM_WHEN_TEXT]);

/* Writes notes about missing data under a heading, or nothing if all is
 * well. */
void wm_text_notes(const struct wm_analysis *a, struct wm_doc *d);
/* Writes the title of a list of functions that hold so much, and the notes. */
void wm_tell_held(const struct wm_analysis *a, uint64_t bytes, uint64_t blocks,
		  struct wm_doc *d);

/* Writes a file name or an argument of the user without control characters. */
void wm_text_plain(const char *text, struct wm_doc *d);
/* Writes "  mesh.c:123", or the library, or nothing. */
void wm_put_place(const struct wm_symbol *s, const struct wm_module *m,
		  FILE *out);
/* Adds the next cell: the name of @s and, for people, that text. */
void wm_add_place(struct wm_table *t, const struct wm_symbol *s,
		  const struct wm_module *m);

/*
 * Begins a list of facts for people: a name, the bytes, the exact number, and a
 * remark, which is a cell that the caller adds to each row.
 */
void wm_facts_init(struct wm_table *t);
void wm_fact(struct wm_table *t, const char *what, uint64_t bytes);
/* Adds a row that has only a remark. */
void wm_fact_more(struct wm_table *t);

/*
 * functions_text.c: writes functions as rows.  For people forwarders are folded
 * (analyze/answers/heap/forwarders.h); at most @top functions are shown, each
 * with at most @paths call paths below it; 0: all.
 */
void wm_text_functions(const struct wm_analysis *a,
		       const struct wm_functions *f, size_t top, size_t paths,
		       struct wm_doc *d);
/* Writes all functions for spreadsheets, without folding. */
void wm_functions_csv(const struct wm_functions *f, struct wm_doc *d);

/* paths_text.c: adds rows of at most @paths call paths of @f with their frames;
 * percentages are shares of @whole. */
void wm_add_paths(struct wm_table *t, const struct wm_analysis *a,
		  const struct wm_function *f, enum wm_moment moment,
		  uint64_t whole, size_t paths);
/* annotations_text.c: adds the cell with the names of the blocks of a path; the
 * path has @whole bytes. */
void wm_add_tags(struct wm_table *t, const struct wm_analysis *a, uint32_t path,
		 enum wm_moment moment, uint64_t whole);

/* annotations_text.c: adds a row with the variables that point at blocks of @f,
 * if there are any. */
void wm_add_variables(struct wm_table *t, const struct wm_analysis *a,
		      const struct wm_function *f, enum wm_moment moment);

/* annotations_text.c: write the program's annotations, if any, as tables: for
 * people under a heading, for programs under their keys. */
void wm_tell_phases(const struct wm_analysis *a, size_t top, unsigned audience,
		    struct wm_doc *d);
void wm_tell_names(const struct wm_analysis *a, size_t top, unsigned audience,
		   struct wm_doc *d);
void wm_tell_snapshots(const struct wm_analysis *a, size_t top,
		       struct wm_doc *d);
void wm_tell_marks(const struct wm_analysis *a, size_t top, unsigned audience,
		   struct wm_doc *d);
void wm_tell_regions(const struct wm_analysis *a, size_t top, unsigned audience,
		     struct wm_doc *d);
/* Writes the named blocks of @s. */
void wm_tell_named(const struct wm_analysis *a, const struct wm_snapshot *s,
		   unsigned audience, struct wm_doc *d);

/* deaths_text.c: writes how ranks ended, unless all of them ended in order; key
 * deaths.  @top limits the groups, 0: all. */
enum wm_status wm_tell_deaths(const struct wm_analysis *a, size_t top,
			      unsigned audience, struct wm_doc *d,
			      struct wm_err *err);

/* Returns "dgemm < solve < main" for @path "main;solve;dgemm", or "" for the
 * empty path.  At most @max names are shown, 0: all, each in at most @columns
 * columns, which must not exceed WM_NAME_COLUMNS.  The caller frees the text.
 * Returns NULL if memory is short. */
char *wm_callers_text(const char *path, size_t max, size_t columns);

/* ask_text.c: write the memory to ask a batch system for (need/ask.h): as the
 * beginning of the summary, and as key ask (docs/json.md) of an object. */
enum wm_status wm_tell_ask(const struct wm_analysis *a, struct wm_doc *d,
			   struct wm_err *err);
void wm_json_ask(const struct wm_analysis *a, struct wm_json *j);

/* failed_text.c: "grid (failed.c:4) < main": the place, and at most four names. */
#define WM_PATH_TEXT 400
void wm_path_in_words(const struct wm_path_frames *f, char buf[WM_PATH_TEXT]);
/* failed_text.c: writes the requests that failed; key failed_requests.  @top
 * limits the call paths, 0: all. */
enum wm_status wm_tell_failed(const struct wm_analysis *a, size_t top,
			      unsigned audience, struct wm_doc *d,
			      struct wm_err *err);

/* report_ranks.c: writes a row for each rank; people see only the highest peaks
 * unless @all is set.  @audience is only one of the two. */
enum wm_status wm_tell_ranks(const struct wm_analysis *a, bool all,
			     unsigned audience, struct wm_doc *d,
			     struct wm_err *err);
/* For spreadsheets: writes all data of each rank, and its bins. */
struct wm_heatmap;
enum wm_status wm_tell_ranks_over_time(const struct wm_analysis *a,
				       const struct wm_heatmap *h,
				       struct wm_doc *d, struct wm_err *err);
