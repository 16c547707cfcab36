/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the MPI shim with the compiler in WM_MPICC and its <mpi.h>, from the
 * installed sources.  Strings belong to this module. */
#pragma once

#include <stdbool.h>

#include "wmcc/link/program_info.h"

const char *wm_mpi_compiler(void);

/* The shim defines the functions (@dynamic) or wraps them.  Its path, *@object,
 * is removed when the process ends.  Returns NULL, or the reason for a failure,
 * for example that <mpi.h> is not of the program's @mpi. */
const char *wm_mpi_compile(bool dynamic, enum wm_mpi_abi mpi,
			   const char **object);
