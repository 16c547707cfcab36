/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory model of a program: the need of a rank as a function F(P,N) of the
 * size of the problem and the ranks of the job (docs/model.md).
 *
 * Each rank of the runs has a role: rank 0, the last rank, and kinds of other
 * ranks with similar sites.  Each role has a formula for each phase, the sum of
 * the formulas of its sites.  A job needs as much as its highest role in its
 * highest phase.
 *
 * Mathematics only: no input or output.  A wm_model owns all that it points to;
 * a wm_design borrows its points.  One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/base/keys.h"

/* model_fit.c: the formula of one site, the simplest sum of one to three terms
 * that explains the bytes of several runs, with coefficients that are not
 * negative. */

/* In order of preference, if several terms explain the same bytes. */
enum wm_term {
	WM_TERM_CONST,
	WM_TERM_SHARE,
	WM_TERM_SHARE_23,
	WM_TERM_SHARE_12,
	WM_TERM_LOG,
	WM_TERM_SQRT,
	WM_TERM_RANKS,
	WM_TERM_PAIRS,
	WM_TERM_SIZE,
	WM_TERMS
};
#define WM_TERM_BIT(t) (1u << (t))
/* Terms that grow with the ranks while the problem stays the same. */
#define WM_TERMS_GROWING                                                       \
	(WM_TERM_BIT(WM_TERM_LOG) | WM_TERM_BIT(WM_TERM_SQRT) |                \
	 WM_TERM_BIT(WM_TERM_RANKS) | WM_TERM_BIT(WM_TERM_PAIRS))

extern const char *const wm_term_symbol[WM_TERMS]; /* by term: "P/N" */

struct wm_point {
	double n, p; /* ranks, size of the problem; both above 0 */
};

void wm_term_values(double v[WM_TERMS], const struct wm_point *x);

#define WM_MODEL_RUNS 64 /* at most */
#define WM_FIT_TERMS 3
#define WM_FIT_ALSO 8

/* Different points. */
struct wm_design {
	const struct wm_point *point;
	double weight[WM_MODEL_RUNS]; /* of the error; 0: unused point */
	size_t count, used;
	bool one_n, one_p, one_share; /* all used points have one N, P, P/N */
	unsigned terms; /* bits of the terms that can be distinguished */
	double value[WM_MODEL_RUNS][WM_TERMS];
};

/* Makes a design of up to WM_MODEL_RUNS points.  @weight NULL: all alike. */
void wm_design_make(struct wm_design *d, const struct wm_point *point,
		    const double *weight, size_t count);

struct wm_formula {
	size_t count;
	enum wm_term term[WM_FIT_TERMS];
	double coefficient[WM_FIT_TERMS]; /* above 0 */
};

struct wm_fit {
	struct wm_formula best;
	/* formulas that explain the measurements about as well as .best */
	struct wm_formula also[WM_FIT_ALSO];
	size_t also_count;
	/* the formulas hold for several ranks; a job of one rank has .alone */
	bool many;
	double alone;
	double error; /* relative, root of the mean square */
	/* prediction from the other points - measured */
	double left_out[WM_MODEL_RUNS];
};

/*
 * Fits a sum of terms to @y, which has a value for each point.  Takes the sum
 * with the fewest terms among those whose relative error is below @noise or
 * within a third of the lowest error.  With two points the candidates are a
 * constant, P/N and N; with more points, errors are found by leave-one-out
 * cross-validation.  If the jobs of several ranks alone follow a simpler
 * formula, jobs of one rank get a value of their own.
 */
void wm_fit_make(struct wm_fit *f, const struct wm_design *d, const double *y,
		 double noise);

/* The value of the best formula, and the range of all that are as good. */
struct wm_fit_range {
	double value, low, high;
};
struct wm_fit_range wm_fit_at(const struct wm_fit *f, const struct wm_point *x);

/* Further roles follow. */
enum { WM_ROLE_FIRST, WM_ROLE_LAST, WM_ROLE_OTHERS };
#define WM_ROLES 8 /* at most */

struct wm_model_cell {
	bool held; /* in some run, the highest rank of the role holds bytes */
	/* errors for runs left out: relative, and in bytes for the largest */
	double off, least_off;
	struct wm_fit fit;
};

/* A site in a phase.  A function inside of MPI is one site. */
struct wm_model_site {
	/* "main:12;solve:3" or "main;solve", unique in its phase */
	const char *path;
	char *name; /* function of the allocation site */
	uint32_t part;
	uint64_t seen; /* bits of the runs that have it */
	bool start, mpi; /* MPI_Init() or static memory; inside of MPI later */
	/* its blocks double when they are full, like those of a vector */
	bool doubles;
	double scatter; /* relative, between ranks of one role and run */
	/* in jobs of several ranks, further bytes depend on timing */
	double sure;
};

struct wm_sample {
	size_t run;
	uint64_t rank;
	double *held; /* bytes by site; further sites have none */
	size_t count, cap;
	size_t role;
};

struct wm_model_role {
	char name[48];
	uint64_t seen; /* bits of the runs that have it */
	size_t leader; /* the sample to which others are compared */
};

#define WM_MODEL_PARTS 64 /* at most */

struct wm_model {
	struct wm_point point[WM_MODEL_RUNS]; /* the runs, which differ */
	/* by run: its sample with the lowest rank */
	size_t first[WM_MODEL_RUNS];
	size_t runs;
	struct wm_design design; /* of all runs */
	/* the run with most ranks, and of these with the largest P */
	size_t largest;
	bool mpich; /* linked with MPICH or a derivative */
	struct wm_model_site *site;
	/* of parts and sites, with the numbers of sites */
	struct wm_keys paths;
	size_t sites, site_cap;
	struct wm_sample *sample;
	size_t samples, sample_cap;
	/* names of phases; 0: outside of phases, or no phases */
	struct wm_keys parts;
	uint64_t part_seen[WM_MODEL_PARTS]; /* bits of the runs that have it */
	struct wm_model_role role[WM_ROLES];
	size_t roles;
	double *usual; /* [run * sites + site] */
	struct wm_model_cell *cell; /* [site * roles + role] */
	double timed; /* the most bytes that a rank had by timing */
	/* name of most of these bytes; NULL: no rank had any */
	const char *timed_name;
};

/* Returns the cell, or NULL if the role has nothing in @part. */
static inline struct wm_model_cell *
wm_model_cell(const struct wm_model *m, size_t part, size_t site, size_t role)
{
	struct wm_model_cell *c = &m->cell[site * m->roles + role];

	return c->held && m->site[site].part == part ? c : NULL;
}

/* Why an answer is an interval instead of a figure. */
enum wm_untold {
	WM_TOLD,
	/* all runs have one N, P or P/N, and the job has another */
	WM_UNTOLD_OTHER,
	WM_UNTOLD_WIDE, /* the interval spans more than a factor of 2 */
	/* the model missed a run, so there is not even an interval */
	WM_UNTOLD_MISSED,
};

struct wm_prediction {
	double bytes;
	enum wm_untold untold;
	/* .low and .high are known: there are three runs or more */
	bool has_range;
	double low, high;
	size_t part, role; /* the highest */
	/* the largest site that may double; NULL: none is large */
	const struct wm_model_site *doubles;
	double doubling; /* the bytes of .doubles */
};

/* Returns the part called @name, new or not, or UINT32_MAX (no memory). */
uint32_t wm_model_part(struct wm_model *m, const char *name);
/* Returns the run of job @x.  Jobs that are alike are one run. */
size_t wm_model_run(struct wm_model *m, struct wm_point x);
struct wm_sample *wm_model_sample(struct wm_model *m, size_t run,
				  uint64_t rank);
/* Adds bytes to the last sample.  Returns false if memory is short. */
bool wm_model_add(struct wm_model *m, uint32_t part, const char *path,
		  const char *name, double bytes, bool doubles);
void wm_model_release(struct wm_model *m);

/* model_roles.c: puts all samples into roles. */
enum wm_status wm_model_roles(struct wm_model *m, struct wm_err *err);
/* Finds roles and formulas.  All samples must have their bytes. */
enum wm_status wm_model_fit(struct wm_model *m, struct wm_err *err);

/*
 * Predicts the need of the worst rank of job @x, with an interval of about
 * 95 %.  The interval contains all formulas of a site that are about as good,
 * the errors of predicting runs that were left out, which grow with the
 * distance from the runs, and the memory that MPI may have by timing.  If all
 * runs have one P, one P/N or one N, and the job has another, the interval
 * reaches from no growth with this quantity to growth of all memory with it.
 */
struct wm_prediction wm_model_predict(const struct wm_model *m,
				      const struct wm_point *x);

/* Sums of the coefficients of a role's sites in a part, most bytes first. */
struct wm_law {
	size_t role, part, site; /* .site SIZE_MAX: all sites */
	double bytes; /* at the point in question */
	bool grows; /* it grows with the number of ranks */
	size_t terms;
	struct wm_law_term {
		enum wm_term term;
		bool many; /* the term holds only in jobs of several ranks */
		double coefficient, bytes;
	} term[2 * WM_TERMS];
};
struct wm_law wm_model_law(const struct wm_model *m, size_t role, size_t part,
			   size_t site, const struct wm_point *x);
