/* SPDX-License-Identifier: Apache-2.0 */
/* The names of WM_WRAP_MPI as a table. */
#include "wmcc/oracle.h"

#define WM_X(name, family) #name,
const char *const wm_mpi_symbol_names[WM_MPI_SYMBOLS] = { WM_WRAP_MPI(WM_X) };
#undef WM_X
