/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One page for the browser with every report about the run: pictures, texts,
 * and tables that can be sorted.  It is one file that needs no other.
 *
 * Each report of the run that has a text is a section of it.
 */
#include "analyze/report/reports.h"

#include <stdlib.h>

#include "analyze/replay/pass.h"
#include "analyze/report/html.h"
#include "analyze/report/report.h"
#include "analyze/report/svg.h"

/* What a report writes, in memory. */
struct captured {
	char *text;
	size_t size;
};

typedef enum wm_status (*wm_writer)(const struct wm_analysis *a,
				    const struct wm_opts *o, FILE *out,
				    struct wm_err *err);

static enum wm_status capture(struct captured *c, wm_writer write,
			      const struct wm_analysis *a,
			      const struct wm_opts *o, struct wm_err *err)
{
	FILE *f = open_memstream(&c->text, &c->size);
	enum wm_status s;

	if (!f)
		return wm_err_set(err, WM_NO_MEMORY, "no memory for a page");
	s = write(a, o, f, err);
	if (fclose(f) && !s)
		s = wm_err_set(err, WM_NO_MEMORY, "no memory for a page");
	return s;
}

extern const struct wm_report wm_html_report;

static int has_section(const struct wm_report *r)
{
	return r->text && r != &wm_html_report && !r->choices;
}

static enum wm_status put_section(const struct wm_report *r,
				  const struct wm_analysis *a,
				  const struct wm_opts *o, FILE *out,
				  struct wm_err *err)
{
	struct captured text = { NULL, 0 }, csv = { NULL, 0 };
	enum wm_status s = WM_OK;

	fprintf(out, "<section id=\"%s\"><h2>%s <small>%s</small></h2>\n",
		r->name, r->name, r->help);
	if (r->svg)
		s = r->svg(a, o, out, err);
	if (!s)
		s = capture(&text, r->text, a, o, err);
	if (!s && r->csv)
		s = capture(&csv, r->csv, a, o, err);
	if (!s) {
		fputs("<pre>", out);
		wm_html_lines(text.text, out);
		fputs("</pre>\n", out);
	}
	if (!s && csv.text)
		s = wm_html_table(csv.text, out, err);
	fputs("</section>\n", out);
	free(text.text);
	free(csv.text);
	return s;
}

static enum wm_status put_page(const struct wm_analysis *a,
			       const struct wm_opts *o, FILE *out,
			       struct wm_err *err)
{
	const struct wm_report *r;
	enum wm_status s = WM_OK;
	size_t i;

	wm_html_begin(a->name, out);
	fputs("<p>run ", out);
	wm_svg_text(out, a->id);
	fputs("</p>\n<nav>", out);
	for (i = 0; (r = o->reports[i]); i++)
		if (has_section(r))
			fprintf(out, "<a href=\"#%s\">%s</a>", r->name,
				r->name);
	fputs("</nav>\n", out);
	if (a->partial)
		fputs("<p class=\"part\">These answers come from a part of "
		      "the run; the summary says why.</p>\n", out);
	for (i = 0; !s && (r = o->reports[i]); i++)
		if (has_section(r))
			s = put_section(r, a, o, out, err);
	wm_html_end(out);
	return s;
}

const struct wm_report wm_html_report = {
	.name = "html",
	.help = "all reports about the run as one page for the browser",
	.value = "FILE",
	.forms = WM_TO_VALUE | WM_NO_JSON,
	.needs = WM_NEEDS(heap) | WM_NEEDS(timeline) | WM_NEEDS(bands) |
		 WM_NEEDS(life) | WM_NEEDS(node),
	.keeps = WM_KEEPS(max) | WM_KEEPS(min) | WM_KEEPS(all),
	.text = put_page,
};
