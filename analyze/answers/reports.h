/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions behind the rows of the table of reports (report.h), one file
 * report_<name>.c each.
 */
#pragma once

#include <stdio.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/heap/layers.h"
#include "analyze/render/doc.h"
#include "analyze/answers/opts.h"

struct wm_functions;
struct wm_imbalance;
struct wm_node_row;
struct wm_site_differences;
struct wm_tree;

/* imbalance_json.c: writes key imbalance, with a row for each rank. */
enum wm_status wm_imbalance_data(const struct wm_imbalance *m,
				 const struct wm_analysis *a,
				 const struct wm_opts *o, struct wm_doc *d,
				 struct wm_err *err);
/* fit_text.c: writes how many ranks fit a node of --node-memory and how much
 * memory --ranks-per-node ranks need; key fit. */
enum wm_status wm_tell_fit(const struct wm_analysis *a, const struct wm_opts *o,
			   unsigned audience, struct wm_doc *d,
			   struct wm_err *err);
#define WM_PAGE_ROWS 512 /* of the heat map of the page */
/* wm_imbalance_sites() writes the sites of a rank beside their means;
 * wm_imbalance_nodes() writes nodes in order of their lowest ranks, or for
 * people the neediest nodes first. */
void wm_imbalance_sites(const struct wm_site_differences *list, size_t top,
			unsigned audience, struct wm_doc *d);
enum wm_status wm_imbalance_nodes(const struct wm_imbalance *m, size_t top,
				  unsigned audience, struct wm_doc *d,
				  struct wm_err *err);
/* svg_heatmap.c: draws ranks over time. */
void wm_heatmap_svg(const struct wm_imbalance *m, const struct wm_analysis *a,
		    FILE *out);

struct wm_differences;
/* report_compare.c: writes a list called @key; with @paths it is of call
 * paths. */
void wm_differences_data(const struct wm_differences *list, bool paths,
			 const char *key, struct wm_doc *d);

/* svg_history.c: draws a struct wm_history. */
void wm_history_svg(const void *history, FILE *out);

/* svg_tree.c: draws a call tree. */
void wm_tree_svg(const struct wm_analysis *a, const struct wm_tree *t,
		 FILE *out);

struct wm_page_site;
struct wm_page_sites;

/* plans_text.c: writes the plans of --pages with --checkpoint and --tier, and
 * nothing without these options. */
void wm_pages_plans(const struct wm_analysis *a, const struct wm_page_sites *l,
		    const struct wm_opts *o, unsigned audience,
		    struct wm_doc *d);
/* Adds the next cell, for people: the place of a site. */
void wm_page_site_name(struct wm_table *t, const struct wm_page_site *s);

struct wm_access_named;
struct wm_access_names;

/* report_structures.c: writes the members that are hot, cold, or should be
 * split off.  @top limits the structures for people, 0: all.  @audience is
 * WM_FOR_TEXT or WM_FOR_DATA. */
enum wm_status wm_structures_tell(const struct wm_analysis *a,
				  const struct wm_access_names *n, size_t top,
				  unsigned audience, struct wm_doc *d,
				  struct wm_err *err);

/* Writes a line for each limit of the recording of loads and stores. */
void wm_accesses_limits(const struct wm_analysis *a, struct wm_doc *d);
/* If there are no loads and stores, writes the reason instead. */
void wm_accesses_none(const struct wm_analysis *a, struct wm_doc *d);
/* Writes key bursts, for a rank that recorded only in bursts. */
void wm_accesses_bursts(const struct wm_rank *r, struct wm_json *j);
/* simulated_text.c, for --cache, --reuse and --false-sharing: writes the title,
 * which is @what of the chosen rank, and the limits of the data.  Returns false
 * if there are no data. */
bool wm_simulated_head(const struct wm_analysis *a, const char *what,
		       bool is_there, struct wm_doc *d);
enum wm_status wm_one_rank_check(const struct wm_opts *o, struct wm_err *err);
/* For the page of all reports, which may be about all ranks: writes the title,
 * and that @what is of one rank. */
void wm_one_rank_only(const struct wm_analysis *a, const char *what,
		      struct wm_doc *d);
/* Adds the next cell, for people: a name, and its place. */
void wm_simulated_name(struct wm_table *t, const struct wm_access_named *n);

/* page_sites_text.c: writes a row for each site; @key is for programs. */
void wm_pages_sites(const struct wm_page_sites *l,
		    const struct wm_annotations *n, const char *key, size_t top,
		    unsigned audience, struct wm_doc *d);
/* Lists sites with memory that was never touched, became cold, or is only
 * read. */
void wm_pages_unused(const struct wm_page_sites *l,
		     const struct wm_annotations *n, size_t top,
		     struct wm_doc *d);

/* svg_pages.c: draws addresses over time; wm_wish.chart must have been set. */
enum wm_status wm_pages_svg(const struct wm_analysis *a,
			    const struct wm_opts *o, FILE *out,
			    struct wm_err *err);

/* phases_text.c: writes a row for each phase in which epochs ended. */
void wm_pages_phases(const struct wm_analysis *a, size_t top, unsigned audience,
		     struct wm_doc *d);
/* sharers_text.c: lists threads and processors that touch pages; key
 * touched_by. */
enum wm_status wm_pages_sharers(const struct wm_analysis *a, size_t top,
				unsigned audience, struct wm_doc *d,
				struct wm_err *err);
/* Returns the phase that the program was in at @seconds, or NULL if it was in
 * none or @seconds is negative. */
const char *wm_pages_phase(const struct wm_annotations *n, double seconds);

/* report_mpi.c: MPI's share of memory, as text under a heading, or nothing if
 * MPI has no share; and as key mpi.  @f has the functions that hold memory. */
enum wm_status wm_mpi_share_text(const struct wm_analysis *a,
				 const struct wm_functions *f, struct wm_doc *d,
				 struct wm_err *err);
enum wm_status wm_mpi_share_json(const struct wm_analysis *a,
				 const struct wm_functions *f,
				 struct wm_json *j, struct wm_err *err);

/* Writes the keys of the object of rank number @rank in `timeline`; with
 * @points also the keys for finer bins. */
void wm_timeline_data(const struct wm_analysis *a, size_t rank, bool points,
		      struct wm_doc *d);
/* Draws the timeline.  @l has its layers, or is NULL. */
enum wm_status wm_timeline_svg(const struct wm_analysis *a,
			       const struct wm_layers *l, FILE *out,
			       struct wm_err *err);
/* report_layers.c: returns the layers that --by and --svg ask for; with --rank
 * all it returns WM_BY_NOTHING. */
enum wm_by wm_timeline_by(const struct wm_opts *o);
/* Write layers: as text with about @rows rows, 0: all; as keys of the object of
 * a rank; as one table for spreadsheets. */
void wm_layers_text(const struct wm_analysis *a, const struct wm_layers *l,
		    size_t rows, struct wm_doc *d);
void wm_layers_data(const struct wm_layers *l, enum wm_by by, struct wm_doc *d);
void wm_layers_table(const struct wm_analysis *a, const struct wm_layers *l,
		     struct wm_doc *d);
unsigned wm_timeline_wants(const struct wm_opts *o);
enum wm_status wm_timeline_check(const struct wm_opts *o, struct wm_err *err);
