/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the functions that the sentence about the memory to ask for names. */
#pragma once

#include "analyze/answers/need/ask.h"

#define WM_ASK_SITE 40 /* columns of a name */

/* Names of functions; "": none is known. */
struct wm_ask_sites {
	char grew[WM_ASK_SITE + 1]; /* by which the fastest rank grew */
	/* in a rank that died: the site whose failed request is part of the
	 * memory to ask for, and the site whose request met a limit */
	char failed[WM_ASK_SITE + 1], refused[WM_ASK_SITE + 1];
};

enum wm_status wm_ask_sites_find(struct wm_ask_sites *sites,
				 const struct wm_ask *ask,
				 const struct wm_analysis *a,
				 struct wm_err *err);
