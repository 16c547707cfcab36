/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/model/model_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/base/whole.h"

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

const char *wm_model_count(struct wm_buf *b, double v)
{
	if (v < 1 || v > 1e15 || v != (double)wm_whole(v))
		return wm_model_number(b, v);
	return wm_count(b, wm_whole(v));
}

const char *wm_model_number(struct wm_buf *b, double v)
{
	snprintf(b->s, sizeof(b->s), "%.15g", v);
	return b->s;
}

/* The terms that do not hold always come last, in brackets. */
char *wm_terms_text(const struct wm_model_term *term, size_t count)
{
	static const char *const when[WM_WHENS] = {
		[WM_WHEN_ALWAYS] = "",
		[WM_WHEN_MANY] = "[N > 1: ",
		[WM_WHEN_ONE] = "[N = 1: ",
	};
	struct wm_buf b;
	char *text = NULL;
	size_t size, i, shown = 0;
	FILE *f = open_memstream(&text, &size);
	unsigned pass;

	if (!f)
		return NULL;
	for (pass = 0; pass < WM_WHENS; pass++) {
		bool open = false;

		for (i = 0; i < count; i++) {
			if (term[i].when != pass)
				continue;
			fputs(shown++ ? " + " : "", f);
			fputs(open ? "" : when[pass], f);
			open = true;
			fputs(wm_amount(&b, term[i].coefficient), f);
			if (term[i].term != WM_TERM_CONST)
				fprintf(f, " * %s",
					wm_term_symbol[term[i].term]);
		}
		fputs(pass && open ? "]" : "", f);
	}
	if (!shown)
		fputs("0 bytes", f);
	return fclose(f) ? NULL : text;
}

char *wm_fit_text(const struct wm_fit *f)
{
	struct wm_model_term term[WM_FIT_TERMS];
	size_t i;

	for (i = 0; i < f->best.count; i++)
		term[i] = (struct wm_model_term){ f->best.term[i], f->when,
						  f->best.coefficient[i], 0 };
	return wm_terms_text(term, f->best.count);
}

size_t wm_large_terms(const struct wm_model_part *p, const struct wm_point *x,
		      const struct wm_point *y, struct wm_model_term *term)
{
	double far = wm_part_value(p, x), near = wm_part_value(p, y), here;
	size_t count = wm_part_terms(p, x, term), n = 0, i;

	for (i = 0; i < count; i++) {
		here = wm_model_term(term[i].term, term[i].when,
				     term[i].coefficient, y)
			       .bytes;
		if (term[i].bytes >= SMALL * far || here >= SMALL * near)
			term[n++] = term[i];
	}
	return n;
}

char *wm_part_text(const struct wm_model_part *p, const struct wm_point *x,
		   const struct wm_point *y)
{
	struct wm_model_term term[WM_PART_TERMS];
	size_t all = wm_part_terms(p, x, term);
	size_t n = y ? wm_large_terms(p, x, y, term) : all;
	char *text = wm_terms_text(term, n), *cut = NULL;

	if (n == all || !text)
		return text;
	if (asprintf(&cut, "%s + ...", text) < 0)
		cut = NULL;
	free(text);
	return cut;
}

char *wm_model_text(const struct wm_model *m, const struct wm_point *x,
		    const struct wm_point *y, const char *shown)
{
	char *text = NULL, *one;
	size_t size, i, n = 0, all = 0;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	for (i = 0; i < m->parts; i++)
		all += !shown || shown[i];
	fputs(all > 1 ? "F(P,N) = max(" : "F(P,N) = ", f);
	for (i = 0; i < m->parts; i++) {
		if (shown && !shown[i])
			continue;
		one = wm_part_text(&m->part[i], x, y);
		fprintf(f, "%s%s", n++ ? ", " : "", one ? one : "");
		if (!one)
			break;
		free(one);
	}
	fputs(all > 1 ? ")" : "", f);
	if (fclose(f) || i < m->parts) {
		free(text);
		return NULL;
	}
	return text;
}

const char *wm_term_words(enum wm_term t)
{
	static const char *const words[WM_TERMS] = {
		[WM_TERM_CONST] = "in any job",
		[WM_TERM_SHARE] = "for each unit of the problem that a rank "
				  "has (P/N)",
		[WM_TERM_SHARE_23] = "for each unit of the surface of a "
				     "rank's box, (P/N)^(2/3)",
		[WM_TERM_SHARE_12] = "for each unit of the edge of a rank's "
				     "square, (P/N)^(1/2)",
		[WM_TERM_LOG] = "for each doubling of the ranks",
		[WM_TERM_SQRT] = "for each rank in a row of a square of ranks, "
				 "sqrt(N)",
		[WM_TERM_RANKS] = "for each rank of the job (N)",
		[WM_TERM_RANKS_LOG] = "for each unit of N*log2(N)",
		[WM_TERM_SIZE] = "for each unit of the whole problem (P), on "
				 "every rank",
		[WM_TERM_FACES] = "for each cell on the faces of a rank's box",
		[WM_TERM_LARGEST] = "for each cell on the largest of its faces",
		[WM_TERM_CUTS] = "for each cell on the faces to other ranks",
	};

	return words[t];
}

const char *wm_fit_class(const struct wm_fit *f)
{
	static const char *const names[WM_TERMS] = {
		[WM_TERM_CONST] = "constant",
		[WM_TERM_SHARE] = "problem per rank",
		[WM_TERM_SHARE_23] = "face",
		[WM_TERM_SHARE_12] = "face",
		[WM_TERM_LOG] = "log of ranks",
		[WM_TERM_SQRT] = "root of ranks",
		[WM_TERM_RANKS] = "ranks",
		[WM_TERM_RANKS_LOG] = "ranks",
		[WM_TERM_SIZE] = "problem",
		[WM_TERM_FACES] = "face",
		[WM_TERM_LARGEST] = "face",
		[WM_TERM_CUTS] = "face",
	};
	const char *name = "constant";
	size_t i;

	for (i = 0; i < f->best.count; i++) {
		if (f->best.term[i] == WM_TERM_CONST)
			continue;
		if (strcmp(name, "constant") != 0 &&
		    strcmp(name, names[f->best.term[i]]) != 0)
			return "mixed";
		name = names[f->best.term[i]];
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
