/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a number of bytes depends on the ranks N of a job and the size P of its
 * problem: finds one to three terms out of a list, with coefficients that are
 * not negative, from measurements in several runs (docs/model.md).
 *
 * Mathematics only: no input or output.  A design borrows its points and
 * weights; results own nothing.  Any thread.
 */
#ifndef WM_ANALYZE_MODEL_FIT_H
#define WM_ANALYZE_MODEL_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/base/error.h"

/*
 * X(name, symbol, unit): in order of preference where several explain the
 * same, the slower growth first.
 */
#define WM_TERM_LIST(X)                                                        \
	X(CONST, "1", "bytes")                                                 \
	X(SHARE, "P/N", "bytes per unit of P/N")                               \
	X(SHARE_23, "(P/N)^(2/3)", "bytes per unit of (P/N)^(2/3)")            \
	X(SHARE_12, "(P/N)^(1/2)", "bytes per unit of (P/N)^(1/2)")            \
	X(LOG, "log2(N)", "bytes per doubling of N")                           \
	X(SQRT, "sqrt(N)", "bytes per unit of sqrt(N)")                        \
	X(RANKS, "N", "bytes per rank")                                        \
	X(RANKS_LOG, "N*log2(N)", "bytes per unit of N*log2(N)")               \
	X(SIZE, "P", "bytes per unit of P")                                    \
	X(FACES, "faces", "bytes per cell on the faces of a rank's box")       \
	X(LARGEST, "largest face", "bytes per cell on the largest of them")    \
	X(CUTS, "cut faces", "bytes per cell on the faces to other ranks")

#define WM_TERM_X(name, symbol, unit) WM_TERM_##name,
enum wm_term { WM_TERM_LIST(WM_TERM_X) WM_TERMS };
#undef WM_TERM_X
#define WM_TERM_BIT(t) (1u << (t))
/* Those that grow with the ranks while the problem stays. */
#define WM_TERMS_GROWING                                                       \
	(WM_TERM_BIT(WM_TERM_LOG) | WM_TERM_BIT(WM_TERM_SQRT) |                \
	 WM_TERM_BIT(WM_TERM_RANKS) | WM_TERM_BIT(WM_TERM_RANKS_LOG))

extern const char *const wm_term_symbol[WM_TERMS];
extern const char *const wm_term_unit[WM_TERMS];

/* A job.  Cells on faces are 0 where no grid is given. */
struct wm_point {
	double n, p; /* ranks, size of the problem; both above 0 */
	double faces, cuts, largest;
};

double wm_term_value(enum wm_term t, const struct wm_point *x);

#define WM_MODEL_RUNS 64 /* at most */
#define WM_FIT_TERMS 3
#define WM_FIT_ALSO 16

struct wm_design {
	const struct wm_point *point;
	const double *weight; /* of the errors at each point */
	size_t count;
	size_t group[WM_MODEL_RUNS]; /* points of equal N and P: the same */
	size_t groups;
	unsigned terms; /* bits of those that can be told apart */
	/* those that can not: of which term they are a multiple at all points;
	 * WM_TERMS: they are 0 at all points, or distinct */
	enum wm_term like[WM_TERMS];
};

/* @allowed: bits of terms.  At most WM_MODEL_RUNS points. */
void wm_design_make(struct wm_design *d, const struct wm_point *point,
		    const double *weight, size_t count, unsigned allowed);

struct wm_formula {
	size_t count;
	enum wm_term term[WM_FIT_TERMS];
	double coefficient[WM_FIT_TERMS]; /* above 0 */
};

double wm_formula_value(const struct wm_formula *f, const struct wm_point *x);

/* In which jobs a formula holds; in the others there is nothing. */
enum wm_when {
	WM_WHEN_ALWAYS,
	WM_WHEN_MANY, /* N > 1 */
	WM_WHEN_ONE, /* N = 1 */
	WM_WHENS
};

struct wm_fit {
	struct wm_formula best;
	enum wm_when when;
	/* formulas that explain the measurements about as well */
	struct wm_formula also[WM_FIT_ALSO];
	size_t also_count;
	bool crossed; /* error and left_out are of cross-validation */
	double error; /* relative, root of the mean square */
	/* value predicted from the other points minus the measured one */
	double left_out[WM_MODEL_RUNS];
};

/*
 * Fit @y, with a value for each point, by sums of terms (model_fit.c).
 *
 * Two different points: classification.  What does not change is constant;
 * else the first of P/N, N, constant + P/N, constant + N, P/N + N that
 * explains both points; where none does, the single term that comes closest.
 *
 * More: leave-one-out cross-validation over all combinations of up to three
 * terms; of those whose error is within a third of the lowest one, the
 * combination with the fewest terms.
 */
enum wm_status wm_fit_plain(struct wm_fit *f, const struct wm_design *d,
			    const double *y, struct wm_err *err);

/*
 * The same, but for what sums of terms do not describe (model_cases.c):
 * - what is there with one rank only, or with several only, is fitted to these
 *   jobs alone;
 * - what comes and goes among jobs of several ranks, and no formula explains
 *   within 10 %, is as much as was ever seen.
 */
enum wm_status wm_fit_make(struct wm_fit *f, const struct wm_design *d,
			   const double *y, struct wm_err *err);
bool wm_fit_holds(enum wm_when when, double n);

double wm_fit_value(const struct wm_fit *f, const struct wm_point *x);
/* The lowest and the highest of all formulas that are about as good. */
void wm_fit_range(const struct wm_fit *f, const struct wm_point *x, double *low,
		  double *high);

#endif
