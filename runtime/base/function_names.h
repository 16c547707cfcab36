/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Is a symbol the function that a user means?
 *
 * A user writes names as they are in the source: solve, spmv*, Solver::spmv.
 * The symbol may have more: a compiler's part of it (solve._omp_fn.0,
 * solve.cold), Fortran's underscore (solve_), its module (__mesh_MOD_solve), or
 * the name spaces and types of C++ (_ZN6Solver4spmvEi).
 *
 * Any context; nothing is allocated.
 */
#ifndef WM_RUNTIME_FUNCTION_NAMES_H
#define WM_RUNTIME_FUNCTION_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/hooks.h"

/* A list has at most so many patterns; more are not looked at. */
#define WM_FUNCTION_PATTERNS 64

/*
 * The patterns of @list, between commas, that mean @symbol: bit n is number n.
 * In a pattern * stands for any text and ? for any one character.  Patterns
 * are compared with the symbol; with it up to its first dot; with the name in
 * Fortran, alone and as module::name; and with the name in C++, alone and with
 * what it is in, without the arguments of templates.
 */
uint64_t wm_function_patterns(const char *symbol, const char *list) wm_hidden;

#endif
