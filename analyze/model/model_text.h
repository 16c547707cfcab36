/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Formulas of the memory model as text, for both forms of the report.
 *
 * Results are malloc'ed; NULL: no memory.
 */
#ifndef WM_ANALYZE_MODEL_TEXT_H
#define WM_ANALYZE_MODEL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/base/units.h"
#include "analyze/model/model.h"

/* "8.00 bytes", "24.0 KiB": three digits. */
const char *wm_amount(struct wm_buf *b, double bytes);
/* "1000000", "0.125": as short as it can be. */
const char *wm_model_number(struct wm_buf *b, double v);
/* The same in a sentence: "4,000,000". */
const char *wm_model_count(struct wm_buf *b, double v);

/* "8.00 bytes * P/N + 3.10 MiB", terms in the given order. */
char *wm_terms_text(const struct wm_model_term *term, size_t count);
char *wm_fit_text(const struct wm_fit *f);
/*
 * The formula of a part; @x: the job by which terms are ordered.  With @y terms
 * that are below 0.05 % for both jobs become "...".
 */
char *wm_part_text(const struct wm_model_part *p, const struct wm_point *x,
		   const struct wm_point *y);
/* That of all parts: "F(P,N) = max(F1, F2)"; @shown: of those with 1 there. */
char *wm_model_text(const struct wm_model *m, const struct wm_point *x,
		    const struct wm_point *y, const char *shown);
/* wm_part_terms() without those that are small for both jobs. */
size_t wm_large_terms(const struct wm_model_part *p, const struct wm_point *x,
		      const struct wm_point *y, struct wm_model_term *term);

/* What a term stands for: "for each rank of the job (N)". */
const char *wm_term_words(enum wm_term t);
/* "constant", "problem per rank", "ranks" ... of a site; a static text. */
const char *wm_fit_class(const struct wm_fit *f);
/* Has it a term that grows with N? */
bool wm_fit_grows(const struct wm_fit *f);

#endif
