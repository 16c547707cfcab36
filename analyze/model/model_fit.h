/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a number of bytes depends on the ranks N of a job and the size P of its
 * problem: the simplest sum of one to three terms that explains measurements
 * of several runs, with coefficients that are not negative (docs/model.md).
 *
 * Mathematics only: no input or output.  A design borrows its points and
 * weights; results own nothing.  Any thread.
 */
#ifndef WM_ANALYZE_MODEL_FIT_H
#define WM_ANALYZE_MODEL_FIT_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/base/error.h"

/* In order of preference where several terms explain the same. */
#define WM_TERM_LIST(X)                                                        \
	X(CONST, "1")                                                          \
	X(SHARE, "P/N")                                                        \
	X(SHARE_23, "(P/N)^(2/3)")                                             \
	X(SHARE_12, "(P/N)^(1/2)")                                             \
	X(LOG, "log2(N)")                                                      \
	X(SQRT, "sqrt(N)")                                                     \
	X(RANKS, "N")                                                          \
	X(PAIRS, "N^2")                                                        \
	X(SIZE, "P")

#define WM_TERM_X(name, symbol) WM_TERM_##name,
enum wm_term { WM_TERM_LIST(WM_TERM_X) WM_TERMS };
#undef WM_TERM_X
#define WM_TERM_BIT(t) (1u << (t))
/* Those that grow with the ranks while the problem stays. */
#define WM_TERMS_GROWING                                                       \
	(WM_TERM_BIT(WM_TERM_LOG) | WM_TERM_BIT(WM_TERM_SQRT) |                \
	 WM_TERM_BIT(WM_TERM_RANKS) | WM_TERM_BIT(WM_TERM_PAIRS))

extern const char *const wm_term_symbol[WM_TERMS];

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
	const double *weight; /* of the errors at each point; 0: it is unused */
	size_t count, used;
	bool one_n, one_p, one_share; /* all that are used have one N, P, P/N */
	unsigned terms; /* bits of those that can be told apart */
	double value[WM_MODEL_RUNS][WM_TERMS];
};

/* At most WM_MODEL_RUNS points. */
void wm_design_make(struct wm_design *d, const struct wm_point *point,
		    const double *weight, size_t count);

struct wm_formula {
	size_t count;
	enum wm_term term[WM_FIT_TERMS];
	double coefficient[WM_FIT_TERMS]; /* above 0 */
};

struct wm_fit {
	struct wm_formula best;
	/* formulas that explain the measurements about as well */
	struct wm_formula also[WM_FIT_ALSO];
	size_t also_count;
	bool many; /* they hold with several ranks, a job of one has .alone */
	double alone;
	double error; /* relative, root of the mean square */
	double left_out[WM_MODEL_RUNS]; /* predicted by the others - measured */
};

/*
 * Fit @y, a value for each point, by a sum of terms, the one with the fewest of
 * those whose error is below @noise (relative), or within a third of the lowest.
 * Two points: of a constant, P/N and N.  More: by leave-one-out
 * cross-validation.  Jobs of one rank are left to a value of their own where the
 * others then follow a simpler formula.
 */
enum wm_status wm_fit_make(struct wm_fit *f, const struct wm_design *d,
			   const double *y, double noise, struct wm_err *err);

double wm_fit_value(const struct wm_fit *f, const struct wm_point *x);
/* The lowest and the highest of all formulas that are about as good. */
void wm_fit_range(const struct wm_fit *f, const struct wm_point *x, double *low,
		  double *high);

#endif
