/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts of a page for the browser: one file that needs no other.  They write
 * to a stream that is not theirs.
 */
#ifndef WM_ANALYZE_HTML_H
#define WM_ANALYZE_HTML_H

#include <stdio.h>

#include "analyze/error.h"

/* The head of the page, and the heading @title. */
void wm_html_begin(const char *title, FILE *out);
void wm_html_end(FILE *out);
/* Text between tags, lines as they are.  @text is used up. */
void wm_html_lines(char *text, FILE *out);
/* CSV, a line of keys and then rows, as a table that can be sorted; of very
 * many rows those with the most bytes.  @csv is used up. */
enum wm_status wm_html_table(char *csv, FILE *out, struct wm_err *err);

#endif
