/* SPDX-License-Identifier: Apache-2.0 */
/* Advice after a program that needs MPI was compiled without MPI's compiler. */
#pragma once

#include <stdbool.h>

#include "wmcc/driver/personality.h"
#include "wmcc/base/strv.h"

/* Returns whether no compiler was chosen, but MPI has one for this language. */
bool wm_mpi_advice_possible(const struct wm_personality *p);

/* Called after the compiler has failed.  @args is expanded.  Prints a line if
 * mpi.h, mpif.h or the module mpi was missing. */
void wm_mpi_advise(const struct wm_personality *p, const struct wm_strv *words,
		   char *const *args);
