/* SPDX-License-Identifier: Apache-2.0 */
/* The default name of a page, and the browser that shows it. */
#ifndef WM_ANALYZE_BROWSER_H
#define WM_ANALYZE_BROWSER_H

#include "analyze/lib/base/error.h"

struct wm_analysis;
struct wm_opts;

/* The last name of RUN and ".html": a file in the current directory.  *@name
 * is the caller's to free. */
enum wm_status wm_page_file(char **name, const struct wm_analysis *a,
			    const struct wm_opts *o, struct wm_err *err);

/* Open the file @path with the first program of $BROWSER that exists, else with
 * xdg-open, and wait for it. */
enum wm_status wm_browser_open(const char *path, struct wm_err *err);

#endif
