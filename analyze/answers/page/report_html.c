/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One page for the browser with every report about the run.  The page is a
 * single file with the script, the data (docs/page-data.md), and, for browsers
 * without scripts, a plain part whose sections are reports.
 */
#include <stdbool.h>
#include <string.h>

#include "analyze/answers/reports.h"

#include "analyze/render/page_bundle.h"
#include "analyze/render/doc.h"
#include "analyze/render/html.h"
#include "analyze/render/packed.h"
#include "analyze/render/svg.h"
#include "analyze/answers/page/page.h"
#include "analyze/answers/report.h"

/* Returns whether the script draws @r from the data (docs/page-data.md). */
static bool is_drawn(const struct wm_report *r)
{
	static const char *const names[] = {
		"functions", "tree",	  "libraries",	   "files",
		"timeline",  "leaks",	  "temporaries",   "sizes",
		"pages",     "accesses",  "cache",	   "reuse",
		"snapshots", "imbalance", "false-sharing",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(r->name, names[i]))
			return true;
	return false;
}

/* Returns whether the plain part has report @r.  If the script draws the
 * report, the plain part has it only with a picture that every run has. */
static bool has_section(const struct wm_report *r)
{
	if (is_drawn(r))
		return r->svg && !(r->needs & WM_NEEDS(pages));
	return r->build != NULL;
}

static enum wm_status put_section(const struct wm_report *r,
				  const struct wm_analysis *a,
				  const struct wm_opts *o, FILE *out,
				  struct wm_err *err)
{
	enum wm_status s = WM_OK;
	struct wm_doc d;

	fprintf(out, "<section id=\"%s\"><h2>%s <small>%s</small></h2>\n",
		r->name, r->name, r->help);
	if (r->svg)
		s = r->svg(a, o, out, err);
	if (!is_drawn(r)) {
		wm_doc_init(&d, &wm_page_form, out, err);
		d.top_given = o->top_given;
		if (!s)
			s = r->build(a, o, &d, err);
		s = wm_doc_end(&d, s);
	}
	fputs("</section>\n", out);
	return s;
}

/* Writes the data, packed, as pages are sent by mail. */
static enum wm_status put_data(const struct wm_analysis *a,
			       const struct wm_opts *o, FILE *out,
			       struct wm_err *err)
{
	FILE *packed = wm_packed_open(out);
	enum wm_status s;

	if (!packed)
		return wm_no_memory(err, "the page");
	wm_html_data_begin(out);
	s = wm_page_data(a, o, packed, err);
	if (fclose(packed) && !s)
		s = wm_no_memory(err, "the page");
	wm_html_data_end(out);
	return s;
}

static enum wm_status put_page(const struct wm_analysis *a,
			       const struct wm_opts *o, FILE *out,
			       struct wm_err *err)
{
	const struct wm_report *r;
	enum wm_status s = WM_OK;

	wm_html_begin(a->name, out);
	wm_html_plain_begin(a->name, out);
	fputs("<p>run ", out);
	wm_svg_text(out, a->id);
	fputs("</p>\n<nav>", out);
	for (size_t i = 0; (r = o->reports[i]); i++)
		if (has_section(r))
			fprintf(out, "<a href=\"#%s\">%s</a>", r->name,
				r->name);
	fputs("</nav>\n", out);
	if (a->partial)
		fputs("<p class=\"part\">These answers come from a part of "
		      "the run; the summary says why.</p>\n",
		      out);
	for (size_t i = 0; !s && (r = o->reports[i]); i++)
		if (has_section(r))
			s = put_section(r, a, o, out, err);
	wm_html_plain_end(out);
	if (!s)
		s = put_data(a, o, out, err);
	wm_html_end(wm_bundle_script, out);
	return s;
}

const struct wm_report wm_html_report = {
	.name = "html",
	.help = "all reports about the run as one page for the browser",
	.value = "[FILE]",
	.forms = WM_TO_VALUE | WM_NAMES_ITSELF | WM_NO_JSON | WM_NO_CSV,
	.needs = WM_NEEDS(heap) | WM_NEEDS(phases) | WM_NEEDS(timeline) |
		 WM_NEEDS(series) | WM_NEEDS(alloc_phases) | WM_NEEDS(names) |
		 WM_NEEDS(lifetime) | WM_NEEDS(sizes) | WM_NEEDS(node) |
		 WM_NEEDS(pages) | WM_NEEDS(accesses) | WM_NEEDS(cache) |
		 WM_NEEDS(reuse) | WM_NEEDS(sharing),
	.retains = WM_RETAINS(max) | WM_RETAINS(min) | WM_RETAINS(all) |
		   WM_RETAINS_SPREAD,
	.write = put_page,
};
