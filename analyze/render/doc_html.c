/* SPDX-License-Identifier: Apache-2.0 */
/* A report as a part of a page for the browser: headings, paragraphs, and
 * tables (page_table.c). */
#include "analyze/render/doc.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/render/page_table.h"
#include "analyze/render/svg.h"

/* Blank lines are between paragraphs. */
static void put_lines(struct wm_doc *d)
{
	FILE *out = d->out;
	char *text = d->text, *line;
	bool open = false;

	while ((line = strsep(&text, "\n"))) {
		line += strspn(line, " ");
		if (*line) {
			fputs(open ? "<br>\n" : "<p>", out);
			wm_svg_text(out, line);
		} else if (open) {
			fputs("</p>\n", out);
		}
		open = *line != 0;
	}
	if (open)
		fputs("</p>\n", out);
}

/* What has been printed since the last table or heading. */
static void flush_lines(struct wm_doc *d)
{
	wm_doc_flush(d, put_lines);
}

__attribute__((format(printf, 3, 0))) static void
page_heading(struct wm_doc *d, bool blank, const char *fmt, va_list ap)
{
	char *text;

	(void)blank;
	flush_lines(d);
	if (vasprintf(&text, fmt, ap) < 0) {
		wm_doc_no_memory(d);
		return;
	}
	fputs("<h3>", d->out);
	wm_svg_text(d->out, text);
	fputs("</h3>\n", d->out);
	free(text);
}

static void page_table(struct wm_doc *d, const struct wm_table *t,
		       const char *key, size_t top, unsigned audience)
{
	(void)key;
	(void)top;
	flush_lines(d);
	if (!wm_page_table(t, (audience & WM_FOR_TEXT) != 0, d->out))
		wm_doc_no_memory(d);
}

const struct wm_form wm_page_form = {
	.readers = WM_FOR_TEXT | WM_FOR_CSV,
	.heading = page_heading,
	.print = wm_doc_wait,
	.table = page_table,
	.end = flush_lines,
};
