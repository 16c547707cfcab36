/* SPDX-License-Identifier: Apache-2.0 */
/* Head and foot of a page for the browser: one file with the script of
 * analyze/render/page and, for browsers without scripts, a plain part, which
 * doc_html.c writes.  The stream belongs to the caller. */
#pragma once

#include <stdio.h>

void wm_html_begin(const char *title, FILE *out);

void wm_html_plain_begin(const char *title, FILE *out);
void wm_html_plain_end(FILE *out);

/* The data of the page are packed (packed.h). */
void wm_html_data_begin(FILE *out);
void wm_html_data_end(FILE *out);
/* @script is the script of the page (page_bundle.h). */
void wm_html_end(const char *script, FILE *out);
