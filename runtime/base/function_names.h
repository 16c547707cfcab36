/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds out whether a symbol is the function that a user means.
 *
 * A user writes names as they are in the source: solve, spmv*, Solver::spmv.
 * The symbol may also have a compiler's suffix (solve._omp_fn.0, solve.cold),
 * Fortran's underscore (solve_) or module (__mesh_MOD_solve), or the name
 * spaces and types of C++ (_ZN6Solver4spmvEi).
 *
 * May be called in any context; nothing is allocated.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/attributes.h"

/* The most patterns of a list; further patterns are ignored. */
#define WM_FUNCTION_PATTERNS 64

/*
 * Returns the patterns of @list that match @symbol: bit n is set if pattern n
 * matches.  @list has commas between patterns.  In a pattern * matches any text
 * and ?  matches any one character.  Patterns are compared with the symbol,
 * with its part before the first dot, with the name in Fortran (also as
 * module::name), and with the name in C++ without the arguments of templates
 * (also with its scopes).
 */
uint64_t wm_function_patterns(const char *symbol, const char *list) wm_hidden;
