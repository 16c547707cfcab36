/* SPDX-License-Identifier: Apache-2.0 */
/* Compares texts that may be missing; WM_ORDER() compares numbers. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "wm/search.h"

/* For qsort() of uint64_t. */
static inline int wm_by_uint64(const void *a, const void *b)
{
	return WM_ORDER(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* Like strcmp(); NULL comes first. */
static inline int wm_text_order(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : WM_ORDER(a != NULL, b != NULL);
}
