/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds out whether a symbol is the function that a user means.
 *
 * A user writes names as in the source: solve, spmv*, Solver::spmv.  The symbol
 * may also have a compiler's suffix (solve._omp_fn.0, solve.cold), Fortran's
 * underscore (solve_) or module (__mesh_MOD_solve), or the scopes of C++
 * (_ZN6Solver4spmvEi).
 */
#pragma once

#include <stdint.h>

#include "runtime/base/attributes.h"

/* Further patterns of a list are ignored. */
#define WM_FUNCTION_PATTERNS 64

/* Returns the patterns of @list that match @symbol: bit n is set if pattern n
 * matches.  Commas separate patterns; ? matches any one character, * any text.
 * Template arguments of C++ are not compared. */
uint64_t wm_function_patterns(const char *symbol, const char *list) wm_hidden;
