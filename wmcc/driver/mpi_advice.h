/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Advice when a compile has failed: the plain compiler was taken for a
 * program that wants MPI's.
 *
 * One thread, may allocate.
 */
#ifndef WM_WMCC_MPI_ADVICE_H
#define WM_WMCC_MPI_ADVICE_H

#include <stdbool.h>

#include "wmcc/driver/personality.h"
#include "wmcc/base/strv.h"

/* Was no compiler chosen, and is there one of MPI's that could be? */
bool wm_mpi_advice_possible(const struct wm_personality *p);

/*
 * After @words (the compiler) with @args (expanded) has failed: one line when
 * it was for want of mpi.h, mpif.h or the module mpi.
 */
void wm_mpi_advise(const struct wm_personality *p, const struct wm_strv *words,
		   char *const *args);

#endif
