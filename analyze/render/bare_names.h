/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of functions in tables for people.
 */
#ifndef WM_ANALYZE_BARE_NAMES_H
#define WM_ANALYZE_BARE_NAMES_H

#include <stdbool.h>

#include "analyze/render/table.h"

/*
 * Leave out the parameters of functions in @t, but where two functions of the
 * table differ by them alone.  Returns false when memory is short; @t is then
 * as it was.
 */
bool wm_bare_names(struct wm_table *t);

#endif
