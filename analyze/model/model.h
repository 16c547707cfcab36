/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory model of a program: what a rank needs as a function F(P,N) of the
 * size of the problem and the ranks of the job (docs/model.md).
 *
 * A part is one formula: the sum of those of its sites.  A program with phases
 * has a part for each, and needs the maximum.
 *
 * Mathematics only: no input or output.  A wm_model owns its parts and their
 * sites, strings included; wm_model_release() releases them.  One thread at a
 * time.
 */
#ifndef WM_ANALYZE_MODEL_H
#define WM_ANALYZE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/base/error.h"
#include "analyze/model/model_fit.h"

struct wm_model_site {
	char *path; /* "main:12;solve:3", or "main;solve"; unique in its part */
	char *name; /* function of the allocation site */
	char *file; /* NULL: unknown */
	uint32_t line; /* 0: unknown */
	double bytes[WM_MODEL_RUNS];
	struct wm_fit fit; /* nothing when it is pooled */
	bool pooled; /* small and irregular: a part of the pool */
};

struct wm_model_part {
	char *name; /* of the phase; NULL: outside of phases, or no phases */
	uint64_t seen; /* runs that have it, as bits */
	struct wm_model_site *site;
	size_t count, cap;
	double total[WM_MODEL_RUNS];
	struct wm_fit pool; /* of the sum of pooled sites */
	size_t pooled;
	double error; /* relative, of totals that were left out */
	bool crossed; /* error is known */
};

struct wm_model {
	struct wm_point point[WM_MODEL_RUNS]; /* the runs */
	double weight[WM_MODEL_RUNS];
	size_t runs;
	struct wm_design design; /* of all runs; for what can be told apart */
	struct wm_model_part *part;
	size_t parts;
};

struct wm_prediction {
	double bytes;
	/* low and high are known: there are three different runs or more */
	bool has_range;
	double low, high;
	size_t part; /* which of them is the highest */
};

/* A coefficient of a part. */
#define WM_PART_TERMS (WM_WHENS * WM_TERMS)
struct wm_model_term {
	enum wm_term term;
	enum wm_when when; /* it holds */
	double coefficient, bytes; /* bytes: at the point asked about */
};

/* The site of @path in @part, made when it is new; NULL: no memory. */
struct wm_model_site *wm_model_site(struct wm_model_part *part,
				    const char *path, const char *name,
				    const char *file, uint32_t line);
/* Another part; NULL: no memory. */
struct wm_model_part *wm_model_part(struct wm_model *m, const char *name);
/* Paths without the places of calls; those that become the same are one
 * site. */
enum wm_status wm_model_forget_lines(struct wm_model *m, struct wm_err *err);
void wm_model_release(struct wm_model *m);
/* Release the parts that not all runs in @seen have. */
void wm_model_drop(struct wm_model *m, uint64_t seen);

/* All sites have their bytes: find the formulas. */
enum wm_status wm_model_fit(struct wm_model *m, unsigned allowed,
			    struct wm_err *err);

/*
 * The range of a prediction, about 95 %: what all formulas that are about as
 * good say of each site, and the root mean square of the relative errors of
 * the runs when they are left out times Student's t, which grows with the
 * square of the distance from what was measured, on the scale of logarithms.
 */
struct wm_prediction wm_model_predict(const struct wm_model *m,
				      const struct wm_point *x);
double wm_part_value(const struct wm_model_part *p, const struct wm_point *x);

struct wm_model_term wm_model_term(enum wm_term t, enum wm_when when,
				   double coefficient,
				   const struct wm_point *x);
/* The coefficients of a part, added up, most bytes at @x first; returns how
 * many of at most WM_PART_TERMS. */
size_t wm_part_terms(const struct wm_model_part *p, const struct wm_point *x,
		     struct wm_model_term *term);

/* The run with most ranks; of those that with the largest problem. */
size_t wm_model_largest(const struct wm_model *m);

enum wm_scaling {
	WM_SCALING_STRONG, /* P is the same in all runs */
	WM_SCALING_WEAK, /* P/N is */
	WM_SCALING_MIXED,
};
enum wm_scaling wm_model_scaling(const struct wm_model *m);

/*
 * On nodes of @node bytes that run @per ranks each: *@fits is the lowest
 * number of ranks (from @per on) with which the job fits, *@overflows the first
 * one above with which it does not; 0: none up to 2^40.  @job makes the point
 * for a number of ranks.
 */
void wm_model_node(const struct wm_model *m, double node, double per,
		   void (*job)(void *context, double n, struct wm_point *x),
		   void *context, uint64_t *fits, uint64_t *overflows);

#endif
