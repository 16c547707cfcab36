/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Head and foot of a page for the browser: one file that needs no other.  The
 * page has the script of analyze/render/page and, for browsers without scripts,
 * a plain part, which doc_html.c writes.  The stream belongs to the caller.
 */
#pragma once

#include <stdio.h>

/* Writes the head of the page, which is called @title. */
void wm_html_begin(const char *title, FILE *out);

/* Begins the plain part, below the heading @title. */
void wm_html_plain_begin(const char *title, FILE *out);
void wm_html_plain_end(FILE *out);

/* Begin and end the data of the page, which are packed (packed.h). */
void wm_html_data_begin(FILE *out);
void wm_html_data_end(FILE *out);
/* Ends the page with @script, the script of the page (page_bundle.h). */
void wm_html_end(const char *script, FILE *out);
