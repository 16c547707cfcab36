/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of C++ on the page of two runs: as texts have them, without the
 * parameters where no other function differs in these alone.
 */
#ifndef WM_ANALYZE_COMPARE_NAMES_H
#define WM_ANALYZE_COMPARE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/queries/compare.h"
#include "analyze/render/json.h"

/*
 * Keys names and bare, of the functions in the first @most rows of each of
 * @lists lists that have parameters and are known without them.  false: memory
 * is short.
 */
bool wm_compare_names(const struct wm_differences *const list[], size_t lists,
		      size_t most, struct wm_json *j);

#endif
