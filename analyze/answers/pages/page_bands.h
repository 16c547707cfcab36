/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the owners of the cells of a chart of pages (page_chart.h): allocation
 * sites and variables, of which only the largest are named.  Borrows the names
 * of the analysis and of the list of sites. */
#pragma once

#include <stdint.h>

#include "analyze/lib/base/error.h"
#include "analyze/job/analysis.h"
#include "analyze/answers/pages/page_sites.h"

#define WM_BANDS 16
#define WM_BAND_NOBODY 0
#define WM_BAND_SMALL 255 /* its owner is not in .site */

struct wm_page_bands {
	const struct wm_page_site *site[WM_BANDS]; /* largest first */
	unsigned count;
	/* owner of each cell, row by row: WM_BAND_NOBODY, WM_BAND_SMALL, or
	 * index + 1 in .site */
	uint8_t *cell;
};

enum wm_status wm_page_bands_make(struct wm_page_bands *b,
				  const struct wm_analysis *a,
				  const struct wm_page_sites *l,
				  struct wm_err *err);
void wm_page_bands_release(struct wm_page_bands *b);
