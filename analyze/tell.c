/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/tell.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/answers/report.h"
#include "analyze/answers/gates/report_gates.h"

/* Returns the columns of the terminal @fd, or 0 if @fd is no terminal or its
 * columns are unknown. */
static size_t terminal_columns(int fd)
{
	struct winsize w;

	return isatty(fd) && !ioctl(fd, TIOCGWINSZ, &w) ? w.ws_col : 0;
}

/*
 * Sets the width of lines: COLUMNS, else the width of the terminal, else that
 * of a file.  Output through a pipe to a pager appears in the terminal of
 * stderr.
 */
static void set_columns(struct wm_doc *d, FILE *out)
{
	const char *text = getenv("COLUMNS");
	int fd = fileno(out);
	struct stat st;

	d->columns = text ? strtoul(text, NULL, 10) : 0;
	if (!d->columns)
		d->columns = terminal_columns(fd);
	/* programs read whole lines */
	d->wrap = d->columns != 0;
	if (!d->columns && !fstat(fd, &st) && S_ISFIFO(st.st_mode))
		d->columns = terminal_columns(STDERR_FILENO);
	if (!d->columns)
		d->columns = WM_DOC_FILE_COLUMNS;
}

void wm_tell_init(struct wm_doc *d, const struct wm_command *c, FILE *out,
		  struct wm_err *err)
{
	wm_doc_init(d,
		    c->ask.json ? &wm_json_form :
		    c->ask.csv	? &wm_csv_form :
		    c->markdown ? &wm_markdown_form :
				  &wm_text_form,
		    out, err);
	d->bold = c->color == WM_COLOR_ALWAYS;
	d->top_given = c->ask.top_given;
	set_columns(d, out);
}

enum wm_status wm_tell(const struct wm_analysis *a, const struct wm_command *c,
		       const struct wm_findings *v, FILE *out,
		       struct wm_err *err)
{
	const struct wm_opts *o = &c->ask;
	const struct wm_report *r = o->report;
	enum wm_status s = WM_OK;
	struct wm_doc d;

	if (r->write)
		return r->write(a, o, out, err);
	wm_tell_init(&d, c, out, err);
	wm_json_object(&d.data, NULL);
	if (wm_doc_wants(&d, WM_FOR_DATA))
		s = wm_report_common(a, &d, err);
	if (!s)
		s = r->build(a, o, &d, err);
	wm_findings_json(v, &d.data);
	wm_json_end_object(&d.data);
	return wm_doc_end(&d, s);
}
