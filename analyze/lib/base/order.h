/* SPDX-License-Identifier: Apache-2.0 */
/* Compares texts that may be missing; WM_ORDER() compares numbers. */
#pragma once

#include <stddef.h>
#include <string.h>

#include "wm/search.h"

/* Like strcmp(); NULL comes first. */
static inline int wm_text_order(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : WM_ORDER(a != NULL, b != NULL);
}
