/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that are named in the sentence about the memory to ask for.
 */
#pragma once

#include "analyze/answers/need/ask.h"

#define WM_ASK_SITE 40 /* columns of a name */

/* Functions; "": not known, or there is none. */
struct wm_ask_sites {
	char grew[WM_ASK_SITE + 1]; /* by which the fastest rank grew */
	/* of a rank that died: the site whose failed request is a part of the
	 * memory to ask for, and the site whose request met a limit */
	char failed[WM_ASK_SITE + 1], refused[WM_ASK_SITE + 1];
};

enum wm_status wm_ask_sites_find(struct wm_ask_sites *sites,
				 const struct wm_ask *ask,
				 const struct wm_analysis *a,
				 struct wm_err *err);
