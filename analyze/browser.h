/* SPDX-License-Identifier: Apache-2.0 */
/* The default name of a page, and the browser that shows it. */
#pragma once

#include "analyze/lib/base/error.h"

struct wm_analysis;
struct wm_opts;

/* Makes the file name of a page, which is a file in the current directory: the
 * last name of RUN, and ".html".  The caller frees *@name. */
enum wm_status wm_page_file(char **name, const struct wm_analysis *a,
			    const struct wm_opts *o, struct wm_err *err);

/* Opens the file @path with the first program of $BROWSER that exists, or with
 * xdg-open if none does, and waits for the program. */
enum wm_status wm_browser_open(const char *path, struct wm_err *err);
