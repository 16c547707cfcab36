/* SPDX-License-Identifier: Apache-2.0 */
/*
 * WM_MPICC: makes the MPI shim for the program's own MPI, with the compiler and
 * the <mpi.h> of that MPI, from the sources that are installed beside the
 * runtime.
 *
 * One thread, may allocate; strings belong to this module.
 */
#pragma once

#include <stdbool.h>

#include "wmcc/link/program_info.h"

/* Returns the compiler in WM_MPICC, or NULL if it is not set. */
const char *wm_mpi_compiler(void);

/*
 * Compiles the shim that defines the functions (@dynamic) or wraps them.
 * Returns NULL and stores the path of the object in *@object; the object is
 * removed when we end.  Otherwise returns the reason; a possible reason is an
 * <mpi.h> that is not of the program's @mpi.
 */
const char *wm_mpi_compile(bool dynamic, enum wm_mpi_abi mpi,
			   const char **object);
