/* SPDX-License-Identifier: Apache-2.0 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/render/output.h"
#include "analyze/render/svg.h"
#include "analyze/answers/gates/report_gates.h"

#define PARTIAL                                                                \
	"these answers come from a part of the input: see the stderr of wm-analyze"

/* ` name="text"` */
static void put_attribute(const char *name, const char *text, FILE *out)
{
	char *copy = strdup(text), *rest = copy, *part;
	const char *quote = "";

	fprintf(out, " %s=\"", name);
	while ((part = strsep(&rest, "\""))) {
		fputs(quote, out);
		wm_svg_text(out, part);
		quote = "&quot;";
	}
	putc('"', out);
	free(copy);
}

/* Returns the finding of a gate in words, which the caller frees, or NULL if
 * memory is short. */
static char *finding_text(const struct wm_gate *g, const struct wm_finding *v)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	wm_finding_put(g, v, f);
	fclose(f);
	return text;
}

static void put_numbers(const struct wm_finding *v, FILE *out)
{
	fprintf(out, "bytes: %llu, limit: %llu bytes",
		(unsigned long long)v->bytes, (unsigned long long)v->limit);
	if (v->one_rank)
		fprintf(out, ", rank: %llu", (unsigned long long)v->rank);
	if (v->holder) {
		fputs(", most of it in ", out);
		wm_svg_text(out, v->holder);
		fprintf(out, ": %llu bytes",
			(unsigned long long)v->holder_bytes);
	}
}

static void put_case(const struct wm_gate *g, const struct wm_finding *v,
		     const char *error, bool partial, FILE *out)
{
	char *text;
	const char *end;

	/* if a part exceeds a limit, the whole exceeds it, too */
	if (partial && !v->met && !error)
		error = PARTIAL;
	text = error ? NULL : finding_text(g, v);
	end = error ? "error" : v->met ? "failure" : "system-out";

	fputs("    <testcase classname=\"wm-analyze\"", out);
	put_attribute("name", g->text, out);
	fprintf(out, ">\n      <%s", end);
	if (error || v->met) {
		put_attribute("message", error ? error : text ? text : "", out);
		fputs(" type=\"wm-analyze\"", out);
	}
	putc('>', out);
	if (!error)
		put_numbers(v, out);
	fprintf(out, "</%s>\n    </testcase>\n", end);
	free(text);
}

static void put_suite(const struct wm_gates *g, const struct wm_findings *v,
		      const char *error, bool partial, FILE *out)
{
	size_t met = 0, i;

	for (i = 0; i < g->count; i++)
		met += !error && v->result[i].met;
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	      "<!-- " WM_OUTPUT_MARK " -->\n<testsuites>\n",
	      out);
	fprintf(out,
		"  <testsuite name=\"wm-analyze --fail-on\" tests=\"%zu\" "
		"failures=\"%zu\" errors=\"%zu\">\n",
		g->count, met,
		error	? g->count :
		partial ? g->count - met :
			  0);
	for (i = 0; i < g->count; i++)
		put_case(&g->gate[i], &v->result[i], error, partial, out);
	if (partial)
		fputs("    <system-err>" PARTIAL "</system-err>\n", out);
	fputs("  </testsuite>\n</testsuites>\n", out);
}

enum wm_status wm_junit_write(const struct wm_opts *o, enum wm_status s,
			      const struct wm_err *why, bool partial,
			      const struct wm_findings *v, struct wm_err *err)
{
	struct wm_output out;

	if (!o->junit)
		return WM_OK;
	if (wm_output_open(&out, o->junit, o->force, err))
		return WM_IO;
	put_suite(&o->gates, v, s ? why->text : NULL, partial, out.f);
	return wm_output_close(&out, WM_OK, err);
}
