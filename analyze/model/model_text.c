/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/model/report_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SMALL 0.0005 /* shares that text leaves out */

const char *wm_amount(struct wm_buf *b, double bytes)
{
	static const char *const unit[] = { "bytes", "KiB", "MiB", "GiB",
					    "TiB",   "PiB", "EiB" };
	size_t i = 0;

	for (; bytes >= (i ? 1023.5 : 1024) && i < 6; i++)
		bytes /= 1024;
	if (bytes < 0.1)
		snprintf(b->s, sizeof(b->s), "%.3g %s", bytes, unit[i]);
	else
		snprintf(b->s, sizeof(b->s), "%.*f %s",
			 bytes < 9.995 ? 2 :
			 bytes < 99.95 ? 1 :
					 0,
			 bytes, unit[i]);
	return b->s;
}

const char *wm_model_number(struct wm_buf *b, double v)
{
	snprintf(b->s, sizeof(b->s), "%.15g", v);
	return b->s;
}

const char *wm_model_count(struct wm_buf *b, double v)
{
	if (v < 1 || v > 1e15 || v != (double)wm_whole(v))
		return wm_model_number(b, v);
	return wm_count(b, wm_whole(v));
}

/* The terms that hold with several ranks alone come last, in brackets. */
static char *terms_text(const struct wm_model_term *term, size_t count,
			bool cut)
{
	struct wm_buf b;
	char *text = NULL;
	size_t size, i, shown = 0, pass;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	for (pass = 0; pass < 2; pass++) {
		bool open = false;

		for (i = 0; i < count; i++) {
			if (term[i].many != pass)
				continue;
			fprintf(f, "%s%s%s", shown++ ? " + " : "",
				pass && !open ? "[N > 1: " : "",
				wm_amount(&b, term[i].coefficient));
			open = true;
			if (term[i].term != WM_TERM_CONST)
				fprintf(f, " * %s",
					wm_term_text[term[i].term].symbol);
		}
		fputs(pass && open ? "]" : "", f);
	}
	if (!shown)
		fputs("0 bytes", f);
	fputs(cut ? " + ..." : "", f);
	return fclose(f) ? NULL : text;
}

char *wm_fit_text(const struct wm_fit *f)
{
	struct wm_model_term term[WM_ROLE_TERMS];
	size_t i;

	for (i = 0; i < f->best.count; i++)
		term[i] = (struct wm_model_term){ f->best.term[i], f->many,
						  f->best.coefficient[i], 0 };
	return terms_text(term, i, false);
}

size_t wm_large_terms(const struct wm_model *m, size_t role, size_t part,
		      const struct wm_point *x, const struct wm_point *y,
		      struct wm_model_term *term)
{
	double far = wm_model_value(m, role, part, x);
	double near = wm_model_value(m, role, part, y);
	size_t count = wm_model_terms(m, role, part, NULL, x, term), n = 0, i;

	for (i = 0; i < count; i++)
		if (term[i].bytes >= SMALL * far ||
		    term[i].coefficient * wm_term_value(term[i].term, y) >=
			    SMALL * near)
			term[n++] = term[i];
	return n;
}

char *wm_part_text(const struct wm_model *m, size_t role, size_t part,
		   const struct wm_point *x, const struct wm_point *y)
{
	struct wm_model_term term[WM_ROLE_TERMS];
	size_t all = wm_model_terms(m, role, part, NULL, x, term);
	size_t n = y ? wm_large_terms(m, role, part, x, y, term) : all;

	return terms_text(term, n, n < all);
}

/* Whether a part is the highest of a role in some job of the report. */
static bool is_shown(const struct wm_model_report *m, size_t role, size_t part)
{
	const struct wm_model *w = &m->runs->model;
	const struct wm_model_answer *list[] = { m->run, m->check, m->ask };
	size_t count[] = { m->runs->args.runs, m->checks, m->asks }, i, k, p;

	for (i = 0; i < 3; i++)
		for (k = 0; k < count[i]; k++) {
			const struct wm_point *x = &list[i][k].point;
			double here = wm_model_value(w, role, part, x);

			for (p = 0; p < w->parts; p++)
				if (wm_model_value(w, role, p, x) > here)
					break;
			if (p == w->parts)
				return true;
		}
	return false;
}

char *wm_role_text(const struct wm_model_report *m, size_t role, bool cut)
{
	const struct wm_model *w = &m->runs->model;
	char *text = NULL, *one = NULL;
	size_t size, i, n = 0, all = 0;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	for (i = 0; i < w->parts; i++)
		all += !cut || is_shown(m, role, i);
	fputs(all > 1 ? "F(P,N) = max(" : "F(P,N) = ", f);
	for (i = 0; i < w->parts; i++) {
		if (cut && !is_shown(m, role, i))
			continue;
		one = wm_part_text(w, role, i, &m->far, cut ? &m->near : NULL);
		fprintf(f, "%s%s", n++ ? ", " : "", one ? one : "");
		free(one);
	}
	fputs(all > 1 ? ")" : "", f);
	return fclose(f) ? NULL : text;
}

const char *wm_fit_class(const struct wm_fit *f)
{
	const char *name = "constant";
	size_t i;

	for (i = 0; i < f->best.count; i++) {
		const char *other = wm_term_text[f->best.term[i]].class_name;

		if (f->best.term[i] == WM_TERM_CONST)
			continue;
		if (strcmp(name, "constant") != 0 && strcmp(name, other) != 0)
			return "mixed";
		name = other;
	}
	return name;
}

bool wm_fit_grows(const struct wm_fit *f)
{
	size_t i;

	for (i = 0; i < f->best.count; i++)
		if (WM_TERM_BIT(f->best.term[i]) & WM_TERMS_GROWING)
			return true;
	return false;
}
