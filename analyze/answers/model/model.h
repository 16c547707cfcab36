/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory model of a program: the need of a rank as a function F(P,N) of the
 * size of the problem and the ranks of the job (docs/model.md).
 *
 * Each rank of the runs has a role: rank 0, the last rank, and among the other
 * ranks kinds with similar sites.  Each role has a formula for each phase, the
 * sum of the formulas of its sites.  A job needs as much as its highest role in
 * its highest phase.
 *
 * Mathematics only: no input or output.  A wm_model owns all that it points to,
 * a wm_design borrows its points.  One thread at a time.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/lib/base/keys.h"

/* ---- model_fit.c: the formula of one site ----
 * 
 * The simplest sum of one to three terms that explains the bytes of several
 * runs, with coefficients that are not negative. */

/* If several terms explain the same bytes, the first of them is preferred. */
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
/* Terms that grow with the ranks when the problem stays the same. */
#define WM_TERMS_GROWING                                                       \
	(WM_TERM_BIT(WM_TERM_LOG) | WM_TERM_BIT(WM_TERM_SQRT) |                \
	 WM_TERM_BIT(WM_TERM_RANKS) | WM_TERM_BIT(WM_TERM_PAIRS))

extern const char *const wm_term_symbol[WM_TERMS]; /* "P/N" */

struct wm_point {
	double n, p; /* ranks, size of the problem; both above 0 */
};

void wm_term_values(double v[WM_TERMS], const struct wm_point *x);

#define WM_MODEL_RUNS 64 /* at most */
#define WM_FIT_TERMS 3
#define WM_FIT_ALSO 8

/* Points that differ. */
struct wm_design {
	const struct wm_point *point;
	double weight
		/* weight of the error at each point; 0: unused */
		[WM_MODEL_RUNS];
	size_t count, used;
	bool one_n, one_p, one_share; /* all that are used have one N, P, P/N */
	unsigned terms; /* bits of terms that can be told apart */
	double value[WM_MODEL_RUNS][WM_TERMS];
};

/* Makes a design of at most WM_MODEL_RUNS points.  Without @weight all count
 * alike. */
void wm_design_make(struct wm_design *d, const struct wm_point *point,
		    const double *weight, size_t count);

struct wm_formula {
	size_t count;
	enum wm_term term[WM_FIT_TERMS];
	double coefficient[WM_FIT_TERMS]; /* above 0 */
};

struct wm_fit {
	struct wm_formula best;
	/* formulas that explain the measurements about as well as the best */
	struct wm_formula also[WM_FIT_ALSO];
	size_t also_count;
	bool many; /* formulas are for several ranks; a job of one has .alone */
	double alone;
	double error; /* relative, root of the mean square */
	double left_out[WM_MODEL_RUNS]; /* predicted by the others - measured */
};

/*
 * Fits a sum of terms to @y, which has a value for each point.  Among the sums
 * whose error is below @noise (relative), or within a third of the lowest
 * error, the sum with the fewest terms is taken.  With two points the
 * candidates are a constant, P/N and N; with more points their errors are found
 * by leave-one-out cross-validation.  If the jobs of several ranks follow a
 * simpler formula alone, jobs of one rank get a value of their own.
 */
void wm_fit_make(struct wm_fit *f, const struct wm_design *d, const double *y,
		 double noise);

/* The value, and the lowest and highest value of all formulas that are as
 * good. */
struct wm_fit_range {
	double value, low, high;
};
struct wm_fit_range wm_fit_at(const struct wm_fit *f, const struct wm_point *x);

/* ---- all sites, phases and ranks ---- */

/* The first roles; the others follow. */
enum { WM_ROLE_FIRST, WM_ROLE_LAST, WM_ROLE_OTHERS };
#define WM_ROLES 8 /* at most */

/* A site of a role. */
struct wm_model_cell {
	bool held; /* the highest rank of the role holds bytes, in some run */
	/* errors for runs that were left out: relative, and of the largest run
	 * in bytes */
	double off, least_off;
	struct wm_fit fit;
};

/* A site in a phase.  Inside of MPI a function is one site. */
struct wm_model_site {
	/* "main:12;solve:3", or "main;solve"; unique in its phase */
	const char *path;
	char *name; /* function of the allocation site */
	uint32_t part;
	uint64_t seen; /* runs that have it, as bits */
	bool start, mpi; /* MPI_Init(), static memory; inside of MPI later */
	bool doubles; /* its blocks double when they are full, as a vector's */
	double scatter; /* relative, of ranks of one role and run */
	/* bytes beyond this that a rank of several has are by timing */
	double sure;
};

/* A rank of a run. */
struct wm_sample {
	size_t run;
	uint64_t rank;
	double *held; /* bytes by site; further sites have none */
	size_t count, cap;
	size_t role;
};

struct wm_model_role {
	char name[48];
	uint64_t seen; /* runs that have it, as bits */
	size_t leader; /* the sample that others are like */
};

#define WM_MODEL_PARTS 64 /* at most */

struct wm_model {
	struct wm_point point[WM_MODEL_RUNS]; /* the runs: they differ */
	size_t first[WM_MODEL_RUNS]; /* samples of them, each the lowest rank */
	size_t runs;
	struct wm_design design; /* of all runs */
	size_t largest; /* the run with most ranks; of those with most of P */
	bool mpich; /* the program is linked with MPICH or a derivative */
	struct wm_model_site *site;
	struct wm_keys paths; /* of parts and sites, by the sites' numbers */
	size_t sites, site_cap;
	struct wm_sample *sample;
	size_t samples, sample_cap;
	struct wm_keys parts; /* names of phases; 0: outside of them, or none */
	uint64_t part_seen[WM_MODEL_PARTS]; /* runs that have it, as bits */
	struct wm_model_role role[WM_ROLES];
	size_t roles;
	struct wm_model_cell *cell; /* [site * roles + role] */
	double timed; /* the most that a rank had by timing */
	const char *timed_name; /* most of it; NULL: no rank had any */
};

/* Returns the cell of a role and a site, or NULL if the role has nothing in
 * @part. */
static inline struct wm_model_cell *
wm_model_cell(const struct wm_model *m, size_t part, size_t site, size_t role)
{
	struct wm_model_cell *c = &m->cell[site * m->roles + role];

	return c->held && m->site[site].part == part ? c : NULL;
}

/* Why the runs leave an answer open, so that it has no figure but an
 * interval. */
enum wm_untold {
	WM_TOLD,
	WM_UNTOLD_OTHER, /* all have one N, P or P/N, and the job another */
	WM_UNTOLD_WIDE, /* the interval spans more than a factor of 2 */
	WM_UNTOLD_MISSED, /* the model missed a run, so there is no interval */
};

struct wm_prediction {
	double bytes;
	enum wm_untold untold;
	bool has_range; /* low and high are known, with three runs or more */
	double low, high;
	size_t part, role; /* the highest */
	/* the site with most bytes that may double; NULL: no such site has many
	 * bytes */
	const struct wm_model_site *doubles;
	double doubling; /* its bytes */
};

/* Returns the part called @name, which is added if it is new, or UINT32_MAX if
 * memory is short. */
uint32_t wm_model_part(struct wm_model *m, const char *name);
/* Returns the run of such a job.  Jobs that are alike are one run. */
size_t wm_model_run(struct wm_model *m, struct wm_point x);
struct wm_sample *wm_model_sample(struct wm_model *m, size_t run,
				  uint64_t rank);
/* Adds bytes to the last sample.  Returns false if memory is short. */
bool wm_model_add(struct wm_model *m, uint32_t part, const char *path,
		  const char *name, double bytes, bool doubles);
void wm_model_release(struct wm_model *m);

/* model_roles.c: puts all samples into roles. */
enum wm_status wm_model_roles(struct wm_model *m, struct wm_err *err);
/* Finds roles and formulas, after all samples have got their bytes. */
enum wm_status wm_model_fit(struct wm_model *m, struct wm_err *err);

/*
 * Predicts the need of the worst rank of job @x, with an interval of about
 * 95 %.  The interval contains all formulas of a site that are about as good,
 * the errors of predicting runs that are left out, which grow with the distance
 * from the runs, and the memory that MPI may have by timing.  If all runs have
 * one P, one P/N or one N, and the job has another, the interval reaches from
 * no growth of memory with this quantity to growth of all memory with it.
 */
struct wm_prediction wm_model_predict(const struct wm_model *m,
				      const struct wm_point *x);

/* Sums of the coefficients of a role's sites in a part; most bytes first. */
struct wm_law {
	size_t role, part, site; /* SIZE_MAX: of all sites */
	double bytes; /* at the point asked about */
	bool grows; /* the law grows with the number of ranks */
	size_t terms;
	struct wm_law_term {
		enum wm_term term;
		bool many; /* the law holds only in jobs of several ranks */
		double coefficient, bytes;
	} term[2 * WM_TERMS];
};
struct wm_law wm_model_law(const struct wm_model *m, size_t role, size_t part,
			   size_t site, const struct wm_point *x);
