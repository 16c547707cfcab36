/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Advice after a failed compile if the plain compiler was run for a program
 * that needs MPI's compiler.
 *
 * One thread, may allocate.
 */
#pragma once

#include <stdbool.h>

#include "wmcc/driver/personality.h"
#include "wmcc/base/strv.h"

/* Whether no compiler was chosen, although MPI has one for this language. */
bool wm_mpi_advice_possible(const struct wm_personality *p);

/*
 * Prints one line of advice if mpi.h, mpif.h or the module mpi was missing.
 * Called after the compiler @words with @args (expanded) has failed.
 */
void wm_mpi_advise(const struct wm_personality *p, const struct wm_strv *words,
		   char *const *args);
