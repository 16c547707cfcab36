/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Head and foot of a page for the browser: one file that needs no other.  What
 * stands between them doc_html.c writes.  The stream is the caller's.
 */
#ifndef WM_ANALYZE_HTML_H
#define WM_ANALYZE_HTML_H

#include <stdio.h>

/* The head of the page, and the heading @title. */
void wm_html_begin(const char *title, FILE *out);
void wm_html_end(FILE *out);

#endif
